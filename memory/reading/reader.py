"""Reads passages for a question: every sentence scored, best first. Pure.

    passages -> cheap scores -> the best two dozen -> their sentences -> features -> one score each
             -> what cannot be the answer goes last

Only the sentences of the best passages are encoded. What was not read closely is counted, never
passed over in silence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

import numpy as np
import regex

from memory.language.analysis import is_common, silent_in
from memory.language.folding import fold
from memory.language.languages import detect_language
from memory.language.unit_text import Unit, page_units
from memory.reading import answer_features, features, vetoes
from memory.reading.asked_words import (
    is_foreign,
    matches,
    previous_units,
    refers_back,
    spoken_of,
    wordless,
)
from memory.reading.features import type_fits
from memory.reading.lexical import Matches
from memory.reading.net import LEXICAL, probability, shipped
from memory.reading.prefilter import closest
from memory.reading.questions import Question, analyse, answer_type, parts
from memory.reading.sentence_vectors import VectorCache, encode_sentences
from memory.seams import Encoder
from memory.types import Passage

CLOSE_PASSAGES = 24
# Sentences beyond this many are scored by their words alone; a page rarely has more.
ENCODED_SENTENCES = 128
# A part of a double question: what its own words, its own type and the score for the whole question
# weigh, and the share of its words that some sentence must hold.
PART_COVERAGE, PART_TYPE, PART_SCORE, PART_MET = 6.0, 1.0, 0.3, 0.34
# Below this chance of answering a part by itself a sentence does not answer it.
PART_BELIEVED = 0.5
# What a sentence that holds all words of the question is worth over one that holds none, in logits,
# beyond what the net makes of it.
WHOLE = 8.0
BEHIND = 1e3  # more than any two ranks differ by
# A sentence without a name of the question that others hold needs this share of its other words.
PARTLY = 0.6
# A sentence that shares no word with the question is believed no more than this: vectors alone find
# something near to anything.
WITHOUT_WORDS = 0.3
_STOPPED = regex.compile(r"""[.!?…。！？।؟]["'”’»)\]]*$""")
_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A unit that can be cited. Offsets are relative to its passage's text."""

    passage: int  # Passage.number
    start: int
    end: int
    text: str
    score: float  # what it is ranked by; only differences within one reading mean something
    row: int  # its row in the reading's arrays
    columns: tuple[str, ...] = ()  # of a row of a table: the names of its columns

    def says_the_same(self, other: Sentence) -> bool:
        """Word for word, whatever the signs between them."""
        return self == other or _words(self.text) == _words(other.text)


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
    wordless: np.ndarray = field(repr=False, compare=False)  # per unit: no word of the question
    # Per unit, the share of the question's words that it is about: 0-1.
    about: np.ndarray = field(repr=False, compare=False)
    previous: np.ndarray = field(repr=False, compare=False)  # row of the unit before it, or -1
    # Of a double question: the same sentences, read for each of its parts.
    of_parts: Mapping[str, Reading] = field(default_factory=dict, repr=False, compare=False)
    unknown: tuple[str, ...] = ()  # identifiers of the question that stand nowhere in what was read
    is_foreign: bool = False  # asked in another language than the pages': words are not compared

    @property
    def ranks(self) -> np.ndarray:
        """Per unit what it is ranked by. What cannot be the answer comes last, before it what shares no
        word with the question."""
        return np.asarray(
            self.scores + WHOLE * self.about - BEHIND * (self.wordless + 2.0 * self.vetoed)
        )

    def judge_row(self, chosen: Sequence[int], *, among: np.ndarray | None = None) -> np.ndarray:
        """The features of an answer that rests on these rows. ``among``: bool (units,), the others
        that it is compared with; all by default."""
        kept = np.ones(len(self.scores), bool) if among is None else among
        at = np.cumsum(kept) - 1
        return answer_features.row(
            self.question,
            features=self.features[kept],
            wide=self.context[kept],
            passages=self.numbers[kept],
            idf=self.idf,
            scores=self.scores[kept],
            chosen=[int(at[row]) for row in chosen],
        )

    def answer_probability(self, chosen: Sequence[int]) -> float:
        """That an answer resting on these rows answers the question, calibrated.

        Never above what the best sentence reaches: where that one does not answer, none does.
        """
        if self.of_parts:
            return self._part_probability(chosen)
        chosen = [row for row in chosen if not self.vetoed[row]]
        if not chosen or self.unknown:
            return 0.0
        best = int(np.where(self.vetoed, -np.inf, self.scores).argmax())  # by the net alone
        net = shipped("judge.json", features=answer_features.NAMES, recipe=self.recipe)
        # What cannot be the answer must not make the rest look like one, nor look worse than it is.
        rows = np.stack(
            [
                self.judge_row(rows, among=among)
                for rows in (chosen, [best])
                for among in (None, ~self.vetoed)
            ]
        )
        chance = probability(float(net(rows, answer_features.NAMES).min()))
        return min(chance, WITHOUT_WORDS) if self.wordless[chosen].all() else chance

    def _part_probability(self, chosen: Sequence[int]) -> float:
        """The lowest among the parts of a double question that these rows answer, the highest where they
        answer none. A part without an answer is said to be missing, and lowers nothing else."""
        best = [
            max((part.answer_probability([row]) for row in chosen), default=0.0)
            for part in self.of_parts.values()
        ]
        return min((one for one in best if one >= PART_BELIEVED), default=max(best))

    def is_empty(self, sentence: Sentence) -> bool:
        """It cannot be the answer, or has not a word of the question."""
        return bool(self.vetoed[sentence.row] or self.wordless[sentence.row])

    def antecedent(self, sentence: Sentence) -> Sentence | None:
        """The sentence before it, where it refers back: what its "it" stands for."""
        row = self.previous[sentence.row]
        if not refers_back(sentence.text):
            return None
        before = (other for other in self.sentences if other.row == row)
        return next((one for one in before if _STOPPED.search(one.text)), None)

    def continuation(self, sentence: Sentence) -> Sentence | None:
        """The sentence behind it, where that refers back to it and holds a word of the question that it
        lacks: "… It is owned by the billing team."."""
        if not _STOPPED.search(sentence.text):  # a heading, or a row
            return None
        lacks = self.context[sentence.row] < answer_features.MET
        return next(
            (
                other
                for other in self.sentences
                if self.previous[other.row] == sentence.row
                and not self.vetoed[other.row]
                and refers_back(other.text)
                and (self.context[other.row][lacks] >= answer_features.MET).any()
            ),
            None,
        )

    def unmet(self, sentence: Sentence) -> tuple[str, ...]:
        """Names and numbers of the question that neither the sentence nor its headings hold."""
        held = self.context[self.numbers == sentence.passage].max(axis=0, initial=0.0)
        unmet = []
        for word in (*self.question.names, *self.question.numbers):
            at = self.question.places(word)
            if at and all(held[index] < answer_features.MET for index in at):
                unmet.append(word)
        return tuple(dict.fromkeys(unmet))

    def is_of_another(self, sentence: Sentence) -> bool:
        """It does not speak of a name of the question that is spoken of elsewhere in what was read, and
        has little else of the question. A name that stands nowhere may go without saying."""
        elsewhere = [
            name
            for name in self.unmet(sentence)
            if name in self.question.names and self._stands_somewhere(name)
        ]
        return bool(elsewhere) and self._held(sentence) < PARTLY

    def _stands_somewhere(self, word: str) -> bool:
        at = self.question.places(word)
        return bool((self.context[:, at] >= answer_features.MET).any())

    def _held(self, sentence: Sentence) -> float:
        """The share of the question's words but its numbers, weighed by how rare they are, that it holds
        together with what stands above it: 0-1."""
        weight = np.maximum(self.idf, 1e-6)
        for number in self.question.numbers:
            weight[self.question.places(number)] = 0.0
        return float(self.context[sentence.row] @ weight / max(float(weight.sum()), 1e-6))

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
        alone = self.of_parts.get(part, self)
        weight = np.maximum(self.idf[at], 1e-6)
        covered = self.context[:, at] @ weight / weight.sum()
        fits = type_fits(answer_type(part), [sentence.text for sentence in self._by_row()])
        rank = (
            PART_COVERAGE * covered
            + PART_TYPE * fits
            + PART_SCORE * self.scores
            - BEHIND * alone.vetoed
        )
        best = int(rank.argmax())
        if covered[best] < PART_MET or alone.answer_probability([best]) < PART_BELIEVED:
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
    today: date | None = None,
) -> Reading:
    """The best sentences of ``passages`` for ``question``.

    ``encoder`` None reads by words alone; it is not asked for a ``query_vector`` that is given.
    ``scope`` (the tenant) starts every cache key. ``today`` is when it is asked: what comes next is not
    over by then. The parts of a double question are read one by one as well. Raises what the encoder
    raises, and ``VectorsInvalid``.
    """
    passages = [_with_language(passage) for passage in passages]
    asked = analyse(question, passages[0].language if passages else "")
    if silent_in(question, [asked.language]):  # "war" is as likely a word of the pages' language
        asked = replace(asked, language="")
    passages = _spoken_to(question, passages)
    kept = closest(asked, passages, count=CLOSE_PASSAGES)
    units = [unit for index, passage in enumerate(kept) for unit in page_units(passage, index)]
    if not units:
        return _nothing(asked, unread=len(passages) - len(kept))
    own, context = matches(asked, units, kept)
    cosines = None
    if encoder is not None:
        query = encoder.encode_queries([question])[0] if query_vector is None else query_vector
        cosines = _cosines(query, units, context, encoder, scope=scope, cache=cache)
    recipe = LEXICAL if encoder is None else encoder.recipe.name
    rows = features.matrix(asked, units, kept, own=own, context=context, cosines=cosines)
    net = shipped("reader.json", features=features.NAMES, recipe=recipe)
    scores = net(rows, features.NAMES)
    previous = previous_units(units, kept)
    asked_parts = parts(question)
    of_parts = {
        part: read(part, kept, encoder, scope=scope, cache=cache, today=today)
        for part in (asked_parts if len(asked_parts) > 1 else ())
    }
    if of_parts:
        vetoed = np.logical_and.reduce([part.vetoed for part in of_parts.values()])
    else:
        vetoed = vetoes.vetoed(asked, units, kept, own=own.strength, today=today)
    reading = Reading(
        question=asked,
        sentences=(),
        probability=0.0,
        recipe=recipe,
        unread=len(passages) - len(kept),
        features=rows,
        context=context.strength,
        idf=own.idf,
        scores=scores,
        numbers=np.array([kept[unit.passage].number for unit in units]),
        vetoed=vetoed,
        of_parts=of_parts,
        wordless=wordless(asked, context, previous, kept),
        about=spoken_of(context, previous, units),
        previous=previous,
        unknown=vetoes.unknown_identifiers(question, passages),
        is_foreign=is_foreign(asked, kept),
    )
    sentences = _sentences(reading, units)
    return replace(
        reading,
        sentences=sentences,
        probability=reading.answer_probability([sentences[0].row]),
    )


def _sentences(reading: Reading, units: Sequence[Unit]) -> tuple[Sentence, ...]:
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


def _words(text: str) -> list[str]:
    return [fold(word) for word in _WORD.findall(text)]


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
