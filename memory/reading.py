"""Reads passages for a question: every sentence scored, best first. Pure.

    passages -> cheap scores -> the best two dozen -> their sentences -> features -> one score each

Only the sentences of the best passages are encoded. What was not read closely is counted, never
passed over in silence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from memory import answer_features, features, vetoes
from memory.features import type_fits
from memory.language.languages import detect_language
from memory.language.terms import terms
from memory.language.unit_text import Unit, page_units
from memory.lexical import Matches, match
from memory.net import LEXICAL, probability, shipped
from memory.prefilter import closest
from memory.questions import Question, analyse, answer_type
from memory.seams import Encoder
from memory.sentence_vectors import VectorCache, encode_sentences
from memory.types import Passage

CLOSE_PASSAGES = 24
# Sentences beyond this many are scored by their words alone; a page rarely has more.
ENCODED_SENTENCES = 128
# A part of a double question: what its own words, its own type and the score for the whole question
# weigh, and the share of its words that some sentence must hold.
PART_COVERAGE, PART_TYPE, PART_SCORE, PART_MET = 6.0, 1.0, 0.3, 0.34
PART_VETO = 100.0
# What a sentence that holds the whole question is worth over one that holds a part of it, in logits.
WHOLE = 8.0
# A row of a table that holds less than this share of the question's words, weighed by how rare they
# are, is believed no more than this. Vectors alone find a row near to anything.
SHARED_WORDS, WITHOUT_WORDS = 0.01, 0.3


@dataclass(frozen=True, slots=True)
class Sentence:
    """A unit that can be cited. Offsets are relative to its passage's text."""

    passage: int  # Passage.number
    start: int
    end: int
    text: str
    score: float  # the reader's logit; only differences within one reading mean something
    row: int  # its row in the reading's arrays


@dataclass(frozen=True, slots=True)
class Reading:
    """``probability`` is that of the best sentence answering the question, 0 without sentences."""

    question: Question
    sentences: tuple[Sentence, ...]  # best first
    probability: float
    recipe: str  # of the weights that judged; ``lexical`` where no vectors took part
    unread: int  # passages that were not read closely
    features: np.ndarray = field(repr=False, compare=False)
    context: np.ndarray = field(repr=False, compare=False)  # (units, terms) 0-1, with headings
    idf: np.ndarray = field(repr=False, compare=False)
    scores: np.ndarray = field(repr=False, compare=False)
    numbers: np.ndarray = field(repr=False, compare=False)  # passage number per unit
    vetoed: np.ndarray = field(repr=False, compare=False)  # per unit: it cannot be the answer
    unknown: tuple[str, ...] = ()  # identifiers of the question that stand nowhere in what was read

    def judge_row(self, chosen: Sequence[int]) -> np.ndarray:
        """The features of an answer that rests on these rows."""
        return answer_features.row(
            self.question,
            features=self.features,
            wide=self.context,
            passages=self.numbers,
            idf=self.idf,
            scores=self.scores,
            chosen=chosen,
        )

    def answer_probability(self, chosen: Sequence[int]) -> float:
        """That an answer resting on these rows answers the question, calibrated.

        Never above what the best sentence reaches: where that one does not answer, none does.
        """
        if not chosen or self.unknown or self.vetoed[list(chosen)].all():
            return 0.0
        best = int(self.scores.argmax())
        net = shipped("judge.json", features=answer_features.NAMES, recipe=self.recipe)
        rows = np.stack([self.judge_row(chosen), self.judge_row([best])])
        chance = probability(float(net(rows, answer_features.NAMES).min()))
        return chance if self._shares_words(chosen) else min(chance, WITHOUT_WORDS)

    def _shares_words(self, chosen: Sequence[int]) -> bool:
        """Does a row of a table, with its column names and headings, hold any of the question's words?

        Sentences may say a thing in other words; a row that shares none is about something else.
        """
        texts = {sentence.row: sentence.text for sentence in self.sentences}
        if not len(self.idf) or not all("\t" in texts[row] for row in chosen):
            return True
        held = self.context[list(chosen)].max(axis=0)
        return float(held @ self.idf) >= SHARED_WORDS * float(self.idf.sum())

    def unmet(self, sentence: Sentence) -> tuple[str, ...]:
        """Names and numbers of the question that neither the sentence nor its headings hold."""
        held = self.context[self.numbers == sentence.passage].max(axis=0, initial=0.0)
        unmet = []
        for word in (*self.question.names, *self.question.numbers):
            at = self.question.places(word)
            if at and all(held[index] < answer_features.MET for index in at):
                unmet.append(word)
        return tuple(dict.fromkeys(unmet))

    def best_for(self, part: str) -> Sentence | None:
        """The best sentence for one part of a double question, None where nothing fits it."""
        start = self.question.text.find(part)
        at = [
            index
            for index, term in enumerate(self.question.terms)
            if start <= term.start < start + len(part)
        ]
        if not at or not self.sentences:
            return None
        weight = np.maximum(self.idf[at], 1e-6)
        covered = self.context[:, at] @ weight / weight.sum()
        fits = type_fits(answer_type(part), [sentence.text for sentence in self._by_row()])
        rank = (
            PART_COVERAGE * covered
            + PART_TYPE * fits
            + PART_SCORE * self.scores
            - self.vetoed * PART_VETO
        )
        best = int(rank.argmax())
        if covered[best] < PART_MET:
            return None
        return next(sentence for sentence in self.sentences if sentence.row == best)

    def rows_of(self, quotes: Sequence[str]) -> list[int]:
        """Rows of the sentences that overlap the quotes, best first."""
        wanted = [" ".join(quote.split()) for quote in quotes if quote.strip()]
        rows = []
        for sentence in self.sentences:
            own = " ".join(sentence.text.split())
            if any(own in quote or quote in own for quote in wanted):
                rows.append(sentence.row)
        return rows[:4]

    def _by_row(self) -> list[Sentence]:
        return sorted(self.sentences, key=lambda sentence: sentence.row)


def read(
    question: str,
    passages: Sequence[Passage],
    encoder: Encoder | None,
    *,
    query_vector: np.ndarray | None = None,
    scope: str = "",
    cache: VectorCache | None = None,
) -> Reading:
    """The best sentences of ``passages`` for ``question``.

    ``encoder`` None reads by words alone; it is not asked for a ``query_vector`` that is given.
    ``scope`` (the tenant) starts every cache key. Raises what
    the encoder raises, and ``VectorsInvalid``.
    """
    passages = [_with_language(passage) for passage in passages]
    asked = analyse(question, passages[0].language if passages else "")
    kept = closest(asked, passages, count=CLOSE_PASSAGES)
    units = [unit for index, passage in enumerate(kept) for unit in page_units(passage, index)]
    if not units:
        return _nothing(asked, unread=len(passages) - len(kept))
    own, context = _matches(asked, units, kept)
    cosines = None
    if encoder is not None:
        query = encoder.encode_queries([question])[0] if query_vector is None else query_vector
        cosines = _cosines(query, units, context, encoder, scope=scope, cache=cache)
    recipe = LEXICAL if encoder is None else encoder.recipe.name
    rows = features.matrix(asked, units, kept, own=own, context=context, cosines=cosines)
    net = shipped("reader.json", features=features.NAMES, recipe=recipe)
    scores = net(rows, features.NAMES)
    vetoed = vetoes.vetoed(question, units, kept, names=asked.names)
    numbers = np.array([kept[unit.passage].number for unit in units])
    ranks = scores + WHOLE * _holds_all(own, context)
    order = np.lexsort((-ranks, vetoed)).tolist()  # what cannot be the answer comes last
    sentences = tuple(
        Sentence(
            int(numbers[row]), units[row].start, units[row].end, units[row].text,
            float(scores[row]), row,
        )
        for row in order
    )  # fmt: skip
    reading = Reading(
        question=asked,
        sentences=sentences,
        probability=0.0,
        recipe=recipe,
        unread=len(passages) - len(kept),
        features=rows,
        context=context.strength,
        idf=own.idf,
        scores=scores,
        numbers=numbers,
        vetoed=vetoed,
        unknown=vetoes.unknown_identifiers(question, passages),
    )
    return replace(reading, probability=reading.answer_probability(order[:1]))


def _holds_all(own: Matches, context: Matches) -> np.ndarray:
    """Per unit: it holds every word of the question, with what stands above it, and one by itself."""
    met = answer_features.MET
    if own.strength.shape[1] < 2:
        return np.zeros(len(own.strength), bool)
    held = (context.strength >= met).min(axis=1) & (own.strength >= met).max(axis=1)
    return np.asarray(held, bool)


def _matches(
    asked: Question, units: Sequence[Unit], passages: Sequence[Passage]
) -> tuple[Matches, Matches]:
    """The question against the units alone, and against the units with what stands above them."""
    above = list(dict.fromkeys((unit.passage, unit.context) for unit in units))
    at = {key: len(units) + index for index, key in enumerate(above)}
    texts = [
        *(terms(unit.text, passages[unit.passage].language) for unit in units),
        *(terms(text, passages[index].language) for index, text in above),
    ]
    found = match(asked.terms, texts, corpus=len(units))
    own = Matches(found.strength[: len(units)], found.idf, found.lengths[: len(units)])
    rows = [at[unit.passage, unit.context] for unit in units]
    return own, Matches(np.maximum(own.strength, found.strength[rows]), own.idf, own.lengths)


def _with_language(passage: Passage) -> Passage:
    return passage if passage.language else replace(passage, language=detect_language(passage.text))


def _cosines(
    query: np.ndarray,
    units: Sequence[Unit],
    context: Matches,
    encoder: Encoder,
    *,
    scope: str,
    cache: VectorCache | None,
) -> np.ndarray:
    """Per unit. Units past the limit get the lowest value that was seen."""
    chosen = np.argsort(-context.bm25(), kind="stable")[:ENCODED_SENTENCES]
    vectors = encode_sentences(encoder, [units[i].spoken for i in chosen], scope=scope, cache=cache)
    seen = vectors @ query
    cosines = np.full(len(units), float(seen.min()), np.float32)
    cosines[chosen] = seen
    return cosines


def _nothing(question: Question, *, unread: int) -> Reading:
    none, empty = np.zeros(0, np.float32), np.zeros((0, 0), np.float32)
    return Reading(
        question, (), 0.0, LEXICAL, unread,
        features=empty, context=empty, idf=none, scores=none, numbers=none, vetoed=none,
    )  # fmt: skip
