"""Reflect: an answer from a bank's memories, with the memories that it rests on.

recall ─▶ read ─▶ draft ─▶ verify ─▶ judge ─▶ gate          without a language model: quotes
recall ─▶ ask the model, which may look further ─▶ verify   with one: its words, checked
"""
