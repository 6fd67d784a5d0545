"""Recall: what a bank holds about a query, found by four arms, fused, reranked and floored.

engine   the flow, top to bottom          request  what a caller asks for
scope    every filter, as SQL             arms     semantic, keyword, graph, temporal
"""
