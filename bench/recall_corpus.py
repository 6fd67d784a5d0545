"""Memories that a recall is timed on: generated words, entities, times, tags and vectors. Pure.

Words are drawn as language uses them (Zipf), in topics: a topic has words, entities and a direction
of its own, so that the arms agree with each other as they do on real memories. The same seed makes
the same corpus. The commonest words are spelt like stop words, which questions leave out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np

SEED = 7
VOCABULARY = 50_000
STOPS = 30  # the commonest words of the vocabulary
TOPICS, TOPIC_WORDS, TOPIC_ENTITIES = 200, 400, 12
TOPIC_SHARE = 0.35  # of a text's words
_ZIPF, _SHIFT = 1.05, 2.7
_NEAR = 0.75  # of a vector is its topic's direction
_FROM = datetime(2024, 1, 1, tzinfo=UTC)
_DAYS = 700
TAGS = ("work", "home", "travel", "health", "money")


@dataclass(frozen=True, slots=True)
class Memory:
    """``words`` are numbers of the vocabulary."""

    topic: int
    words: tuple[int, ...]
    entities: tuple[int, ...]
    tags: tuple[str, ...]
    at: datetime
    vector: np.ndarray

    @property
    def counts(self) -> Counter[int]:
        return Counter(self.words)


class Corpus:
    """What memories and questions are drawn from."""

    def __init__(self, dimensions: int, *, seed: int = SEED) -> None:
        self._random = np.random.default_rng(seed)
        ranks = np.arange(VOCABULARY)
        weights = 1 / (ranks + _SHIFT) ** _ZIPF
        self._cumulated = np.cumsum(weights / weights.sum())
        self._topics = self._random.integers(STOPS, VOCABULARY // 10, (TOPICS, TOPIC_WORDS))
        self._directions = _unit(self._random.standard_normal((TOPICS, dimensions)))
        self._dimensions = dimensions

    def memories(self, count: int, *, words: int) -> Iterator[Memory]:
        """``words``: how long a text is on average."""
        random = self._random
        for _ in range(count):
            topic = int(random.integers(TOPICS))
            length = max(int(random.normal(words, words / 3)), 5)
            entities = random.integers(TOPIC_ENTITIES, size=int(random.integers(0, 4)))
            yield Memory(
                topic,
                tuple(self._draw(topic, length)),
                tuple(sorted({topic * TOPIC_ENTITIES + int(one) for one in entities})),
                tuple(tag for tag in TAGS if random.random() < 0.15),
                _FROM + timedelta(minutes=int(random.integers(_DAYS * 24 * 60))),
                self._near(topic),
            )

    def question(self, memory: Memory, *, words: int) -> tuple[str, np.ndarray]:
        """A text of words of this memory and of its topic, and a vector near its own."""
        random = self._random
        own = [word for word in dict.fromkeys(memory.words) if word >= STOPS]
        taken = list(random.permutation(own)[: max(words - 2, 1)])
        taken += [int(word) for word in random.choice(self._topics[memory.topic], 2)]
        noise = _unit(random.standard_normal(self._dimensions))
        return text(taken), _unit(memory.vector + 0.5 * noise)

    def _draw(self, topic: int, length: int) -> list[int]:
        random = self._random
        common = np.searchsorted(self._cumulated, random.random(length))
        # Inside a topic a few words are frequent, too.
        own = self._topics[topic, (random.random(length) ** 3 * TOPIC_WORDS).astype(int)]
        return np.where(random.random(length) < TOPIC_SHARE, own, common).tolist()

    def _near(self, topic: int) -> np.ndarray:
        noise = _unit(self._random.standard_normal(self._dimensions))
        return _unit(_NEAR * self._directions[topic] + (1 - _NEAR) * 2 * noise)


_CONSONANTS, _VOWELS = "bdfgklmnprstvz", "aeiou"
_SYLLABLES = [one + two for one in _CONSONANTS for two in _VOWELS]
_STOPS = (
    "the of and to in is that it for was on are as with they at be this have from or by but what "
    "all were when we there an"
).split()


def word(number: int) -> str:
    """A word that no other number has. The first ones are stop words of English."""
    if number < STOPS:
        return _STOPS[number]
    syllables = ""
    for _ in range(3):
        number, rest = divmod(number, len(_SYLLABLES))
        syllables += _SYLLABLES[rest]
    return syllables + "x"  # no suffix that a stemmer would take off


def text(words: tuple[int, ...] | list[int]) -> str:
    return " ".join(map(word, words))


def _unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
