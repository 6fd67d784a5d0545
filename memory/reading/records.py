"""A reading: every sentence of what was read, ranked, and how likely each answers. Pure.

What a sentence covers of the question is told by ``coverage``, what answers a part of it by ``parts``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import regex

from memory.language.folding import fold
from memory.reading import answer_features
from memory.reading.asked_words import refers_back
from memory.reading.net import probability, shipped
from memory.reading.questions import Question

# What a sentence that holds all words of the question is worth over one that holds none, in logits,
# beyond what the net makes of it.
WHOLE = 8.0
BEHIND = 1e3  # more than any two ranks differ by
# A sentence that shares no word with the question is believed no more than this: vectors alone find
# something near to anything.
WITHOUT_WORDS = 0.3
# Below this chance of answering a part by itself a sentence does not answer it.
PART_BELIEVED = 0.5
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

    def rows_of(self, quotes: Sequence[str]) -> list[int]:
        """Rows of the sentences that overlap the quotes, best first."""
        wanted = [" ".join(quote.split()) for quote in quotes if quote.strip()]
        rows = []
        for sentence in self.sentences:
            own = " ".join(sentence.text.split())
            if any(own in quote or quote in own for quote in wanted):
                rows.append(sentence.row)
        return rows[:4]


def _words(text: str) -> list[str]:
    return [fold(word) for word in _WORD.findall(text)]
