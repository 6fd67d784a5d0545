"""Reads passages for a question: every sentence scored, best first. Pure.

    passages -> cheap scores -> the best two dozen -> their sentences -> features -> one score each

Only the sentences of the best passages are encoded. What was not read closely is counted, never
passed over in silence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from unicodedata import normalize

import numpy as np

from memory import answer_features, features
from memory.features import type_fits
from memory.languages import detect_language
from memory.lexical import Matches, match
from memory.net import Net, load, probability
from memory.questions import Question, analyse, answer_type
from memory.seams import Encoder
from memory.sentence_vectors import VectorCache, encode_sentences
from memory.terms import terms
from memory.types import Passage
from memory.unit_text import Unit, page_units

CLOSE_PASSAGES = 24
# Sentences beyond this many are scored by their words alone; a page rarely has more.
ENCODED_SENTENCES = 128
WEIGHTS = Path(__file__).parent / "data"
# Weights for pages without vectors, or with vectors of a recipe that no weights were trained for.
LEXICAL = "lexical"
# A part of a double question: what its own words, its own type and the score for the whole question
# weigh, and the share of its words that some sentence must hold.
PART_COVERAGE, PART_TYPE, PART_SCORE, PART_MET = 6.0, 1.0, 0.3, 0.34


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
    strength: np.ndarray = field(repr=False, compare=False)  # (units, terms) 0-1
    context: np.ndarray = field(repr=False, compare=False)  # the same with headings and header
    idf: np.ndarray = field(repr=False, compare=False)
    scores: np.ndarray = field(repr=False, compare=False)
    numbers: np.ndarray = field(repr=False, compare=False)  # passage number per unit

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
        """That an answer resting on these rows answers the question, calibrated."""
        if not chosen:
            return 0.0
        net = _net("judge.json", answer_features.NAMES, self.recipe)
        columns = [answer_features.NAMES.index(name) for name in net.features]
        return probability(float(net(self.judge_row(chosen)[None, columns])[0]))

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
        rank = PART_COVERAGE * covered + PART_TYPE * fits + PART_SCORE * self.scores
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
    query = query_vector
    if encoder is not None and query is None:
        query = encoder.encode_queries([question])[0]
    close = _closest(asked, passages, query)
    kept = [passages[index] for index in close]
    units = [unit for index, passage in enumerate(kept) for unit in page_units(passage, index)]
    if not units:
        return _nothing(asked, len(passages))
    of = np.array([unit.passage for unit in units])
    words = [terms(unit.text, kept[unit.passage].language) for unit in units]
    contexts = list(dict.fromkeys((unit.passage, unit.context) for unit in units))
    above = [terms(text, kept[passage].language) for passage, text in contexts]
    found = match(asked.terms, [*words, *above], corpus=len(units))
    own = Matches(found.strength[: len(units)], found.idf, found.lengths[: len(units)])
    rows_above = [len(units) + contexts.index((unit.passage, unit.context)) for unit in units]
    context = Matches(np.maximum(own.strength, found.strength[rows_above]), own.idf, own.lengths)
    cosines = _cosines(query, units, context, encoder, scope=scope, cache=cache)
    recipe = LEXICAL if cosines is None or encoder is None else encoder.recipe.name
    rows = features.matrix(
        asked,
        [
            features.UnitText(
                unit.text,
                terms_,
                unit.passage,
                is_label=unit.is_label,
                is_home=kept[unit.passage].is_home,
                language=kept[unit.passage].language,
            )
            for unit, terms_ in zip(units, words, strict=True)
        ],
        own=own,
        context=context,
        passages=own.grouped(of).bm25(),
        cosines=cosines,
    )
    net = _net("reader.json", features.NAMES, recipe)
    scores = net(rows[:, [features.NAMES.index(name) for name in net.features]])
    order = np.argsort(-scores, kind="stable")
    reading = Reading(
        question=asked,
        sentences=tuple(
            Sentence(
                kept[units[i].passage].number,
                units[i].start,
                units[i].end,
                units[i].text,
                float(scores[i]),
                int(i),
            )
            for i in order
        ),
        probability=0.0,
        recipe=recipe,
        unread=len(passages) - len(kept),
        features=rows,
        strength=own.strength,
        context=context.strength,
        idf=own.idf,
        scores=scores,
        numbers=np.array([passage.number for passage in kept])[of],
    )
    object.__setattr__(reading, "probability", reading.answer_probability([int(order[0])]))
    return reading


def _closest(
    question: Question, passages: Sequence[Passage], query: np.ndarray | None
) -> list[int]:
    """Indices of the passages to read closely, in their own order: by words, and by their stored
    vectors where they have them."""
    if len(passages) <= CLOSE_PASSAGES:
        return list(range(len(passages)))
    scores = _standard(_mentions(question, passages))
    if query is not None:
        cosines = np.array([np.nan if p.semantic is None else p.semantic for p in passages])
        if not np.isnan(cosines).all():
            scores = scores + _standard(np.where(np.isnan(cosines), np.nanmean(cosines), cosines))
    return sorted(np.argsort(-scores, kind="stable")[:CLOSE_PASSAGES].tolist())


def _mentions(question: Question, passages: Sequence[Passage]) -> np.ndarray:
    """Rarity-weighted count of the question's words in each passage: plain search, since a long page
    has too many words to analyse each."""
    texts = [
        normalize("NFKC", " ".join((*p.heading_path, p.header, p.text))).casefold() for p in passages
    ]
    needles = {
        normalize("NFKC", question.text[term.start : term.end]).casefold()[: max(len(term.stem), 2)]
        if len(term.grams) > 1
        else term.stem
        for term in question.terms
    }
    counts = np.array([[text.count(needle) for needle in needles] for text in texts], float)
    rarity = np.log(1 + len(texts) / (1 + (counts > 0).sum(axis=0)))
    lengths = np.array([len(text) for text in texts], float)
    norm = 0.5 + 0.5 * lengths / max(lengths.mean(), 1.0)
    return (counts / (counts + norm[:, None])) @ rarity


def _standard(values: np.ndarray) -> np.ndarray:
    return (values - values.mean()) / max(float(values.std()), 1e-9)


def _with_language(passage: Passage) -> Passage:
    return passage if passage.language else replace(passage, language=detect_language(passage.text))


def _cosines(
    query: np.ndarray | None,
    units: Sequence[Unit],
    context: Matches,
    encoder: Encoder | None,
    *,
    scope: str,
    cache: VectorCache | None,
) -> np.ndarray | None:
    """Per unit. Units past the limit get the lowest value that was seen."""
    if encoder is None or query is None:
        return None
    chosen = np.argsort(-context.bm25(), kind="stable")[:ENCODED_SENTENCES]
    vectors = encode_sentences(
        encoder, [units[i].spoken for i in chosen], scope=scope, cache=cache
    )
    seen = vectors @ query
    cosines = np.full(len(units), float(seen.min()), np.float32)
    cosines[chosen] = seen
    return cosines


def _nothing(question: Question, unread: int) -> Reading:
    empty = np.zeros((0, 0), np.float32)
    return Reading(
        question, (), 0.0, LEXICAL, unread, empty, empty, empty, empty[0:0, 0:0].ravel(),
        empty.ravel(), empty.ravel(),
    )  # fmt: skip


@lru_cache(maxsize=8)
def _nets(name: str, names: tuple[str, ...]) -> dict[str, Net]:
    return load(WEIGHTS / name, features=names)


def _net(name: str, names: tuple[str, ...], recipe: str) -> Net:
    nets = _nets(name, names)
    return nets.get(recipe, nets[LEXICAL])


