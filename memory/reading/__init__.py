"""Reads passages for a question and says which sentences answer it. Pure.

reader ─▶ prefilter, lexical, sentence_vectors ─▶ features ─▶ net ─▶ vetoes, pointers
"""
