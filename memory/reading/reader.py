"""Reads passages for a question: every sentence scored, best first. Pure.

    passages -> cheap scores -> the best two dozen -> their sentences -> features -> one score each
             -> what cannot be the answer goes last

Only the sentences of the best passages are encoded. What was not read closely is counted, never
passed over in silence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

import numpy as np
import regex

from memory.language.folding import fold
from memory.language.languages import detect_language
from memory.language.queries import is_common, silent_in
from memory.language.unit_text import Unit, page_units
from memory.reading import features, vetoes
from memory.reading.asked_words import (
    in_language_of,
    is_foreign,
    matches,
    previous_units,
    spoken_of,
    wordless,
)
from memory.reading.lexical import Matches
from memory.reading.net import LEXICAL, shipped
from memory.reading.prefilter import closest
from memory.reading.questions import Question, analyse, parts
from memory.reading.records import Reading, Sentence
from memory.reading.sentence_vectors import VectorCache, encode_sentences
from memory.seams import Encoder
from memory.types import Passage

CLOSE_PASSAGES = 24
# Sentences beyond this many are scored by their words alone; a page rarely has more.
ENCODED_SENTENCES = 128
_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")


@dataclass(frozen=True, slots=True)
class _Eyes:
    """What a reading is done with: the encoder, None for words alone, and its cache; the day."""

    encoder: Encoder | None
    scope: str
    cache: VectorCache | None
    today: date | None


def read(
    question: str,
    passages: Sequence[Passage],
    encoder: Encoder | None,
    *,
    query_vector: np.ndarray | None = None,
    scope: str = "",
    cache: VectorCache | None = None,
    today: date | None = None,
) -> Reading:
    """The best sentences of ``passages`` for ``question``.

    ``encoder`` None reads by words alone; it is not asked for a ``query_vector`` that is given.
    ``scope`` (the tenant) starts every cache key. ``today`` is when it is asked: what comes next is not
    over by then. The parts of a double question are read one by one as well. Raises what the encoder
    raises, and ``VectorsInvalid``.
    """
    eyes = _Eyes(encoder, scope, cache, today)
    passages = [_with_language(passage) for passage in passages]
    asked = _analysed(question, passages)
    passages = _spoken_to(question, passages)
    kept = closest(asked, passages, count=CLOSE_PASSAGES)
    unread = len(passages) - len(kept)
    units = [unit for index, passage in enumerate(kept) for unit in page_units(passage, index)]
    if not units:
        return _nothing(asked, unread=unread)
    reading = replace(
        _scored(asked, units, kept, eyes, query_vector),
        unread=unread,
        unknown=vetoes.unknown_identifiers(question, passages),
    )
    sentences = _ranked(reading, units)
    return replace(
        reading,
        sentences=sentences,
        probability=reading.answer_probability([sentences[0].row]),
    )


def _scored(
    asked: Question,
    units: Sequence[Unit],
    passages: Sequence[Passage],
    eyes: _Eyes,
    query_vector: np.ndarray | None,
) -> Reading:
    """Without sentences, and so without a probability."""
    own, context = matches(asked, units, passages)
    asked = in_language_of(passages, asked, context)
    cosines = _cosines(asked.text, units, context, eyes, query_vector)
    recipe = LEXICAL if eyes.encoder is None else eyes.encoder.recipe.name
    rows = features.matrix(asked, units, passages, own=own, context=context, cosines=cosines)
    previous = previous_units(units, passages)
    of_parts = _of_parts(asked.text, passages, eyes)
    if of_parts:
        vetoed = np.logical_and.reduce([part.vetoed for part in of_parts.values()])
    else:
        vetoed = vetoes.vetoed(asked, units, passages, own=own.strength, today=eyes.today)
    return Reading(
        question=asked,
        sentences=(),
        probability=0.0,
        recipe=recipe,
        unread=0,
        features=rows,
        context=context.strength,
        idf=own.idf,
        scores=shipped("reader.json", features=features.NAMES, recipe=recipe)(rows, features.NAMES),
        numbers=np.array([passages[unit.passage].number for unit in units]),
        vetoed=vetoed,
        of_parts=of_parts,
        wordless=wordless(asked, context, previous, passages),
        about=spoken_of(context, previous, units),
        previous=previous,
        is_foreign=is_foreign(asked, passages),
    )


def _of_parts(question: str, passages: Sequence[Passage], eyes: _Eyes) -> Mapping[str, Reading]:
    asked = parts(question)
    return {
        part: read(
            part, passages, eyes.encoder, scope=eyes.scope, cache=eyes.cache, today=eyes.today
        )
        for part in (asked if len(asked) > 1 else ())
    }


def _ranked(reading: Reading, units: Sequence[Unit]) -> tuple[Sentence, ...]:
    ranks = reading.ranks
    return tuple(
        Sentence(
            passage=int(reading.numbers[row]),
            start=units[row].start,
            end=units[row].end,
            text=units[row].text,
            score=float(ranks[row]),
            row=row,
            columns=units[row].columns,
        )
        for row in np.argsort(-ranks, kind="stable").tolist()
    )


def _cosines(
    question: str,
    units: Sequence[Unit],
    context: Matches,
    eyes: _Eyes,
    query_vector: np.ndarray | None,
) -> np.ndarray | None:
    """Per unit; None without an encoder. Units past the limit get the lowest value that was seen."""
    if eyes.encoder is None:
        return None
    query = eyes.encoder.encode_queries([question])[0] if query_vector is None else query_vector
    chosen = np.argsort(-context.bm25(), kind="stable")[:ENCODED_SENTENCES]
    spoken = [units[i].spoken for i in chosen]
    vectors = encode_sentences(eyes.encoder, spoken, scope=eyes.scope, cache=eyes.cache)
    seen = vectors @ query
    cosines = np.full(len(units), float(seen.min()), np.float32)
    cosines[chosen] = seen
    return cosines


def _with_language(passage: Passage) -> Passage:
    return passage if passage.language else replace(passage, language=detect_language(passage.text))


def _analysed(question: str, passages: Sequence[Passage]) -> Question:
    asked = analyse(question, passages[0].language if passages else "")
    if silent_in(question, [asked.language]):  # "war" is as likely a word of the pages' language
        return replace(asked, language="")
    return asked


def _spoken_to(question: str, passages: Sequence[Passage]) -> Sequence[Passage]:
    """Without those in whose language the question is common words alone: "is it", "der". All of them
    where it is a page's title: "IT"."""
    asked = _WORD.findall(fold(question))
    if any(_WORD.findall(fold(passage.doc_title)) == asked for passage in passages):
        return passages
    languages = sorted({passage.language for passage in passages})
    silent = languages if is_common(question, languages) else silent_in(question, languages)
    return [passage for passage in passages if passage.language not in silent]


def _nothing(question: Question, *, unread: int) -> Reading:
    none, empty = np.zeros(0, np.float32), np.zeros((0, 0), np.float32)
    return Reading(
        question, (), 0.0, LEXICAL, unread,
        features=empty, context=empty, idf=none, scores=none, numbers=none, vetoed=none.astype(bool),
        wordless=none.astype(bool), about=none, previous=none.astype(int),
    )  # fmt: skip
