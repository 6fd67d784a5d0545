"""Geometry of drawings: where shapes and words stand. Templates turn it into SVG. Pure.

Numbers leave here as text: a drawing has no decimal comma, whatever the language of the page.
"""
