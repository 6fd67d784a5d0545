"""Reads passages for a question and says which sentences answer it. Pure.

    questions ─▶ what is asked for: type of the answer, names, numbers, parts
    prefilter ─▶ the passages worth reading ─▶ their sentences (language.unit_text)
    asked_words, lexical, sentence_vectors ─▶ how much of the question each sentence holds
    features ─▶ net ─▶ one score each
    vetoes ─▶ what cannot be the answer: value_kinds, opposites, novelty, pointers, rows
    reader ─▶ all of it, in this order ─▶ records.Reading

A reading is asked what a sentence covers (``coverage``), what answers a part of a double question
(``parts``), and how likely an answer is (``Reading.answer_probability``, over answer_features).
"""
