"""The places where a model can be put. Each is a small protocol, chosen by dotted path in settings.

Pure: no Django, no network. The embedded defaults and deterministic fakes live in ``backends``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    import numpy as np

    from memory.facts.records import Excerpt, Extracted
    from memory.reading.records import Reading
    from memory.types import Block, Draft, Passage


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything that decides what a vector means. Vectors of two recipes are never compared.

    ``name`` is stored with every vector; it changes whenever any part of the recipe does.
    """

    name: str
    dimensions: int


@runtime_checkable
class Encoder(Protocol):
    """Text to unit vectors. A row per text, float32, L2-normalised, shape (n, dimensions)."""

    recipe: Recipe

    def encode_passages(self, texts: Sequence[str]) -> np.ndarray: ...

    def encode_queries(self, texts: Sequence[str]) -> np.ndarray: ...


@dataclass(frozen=True, slots=True)
class KnownScores:
    """Of one passage. None: no word of the query is in it; its vector is not there yet.

    ``ceiling`` is what BM25 would be of a passage that holds every term of the query as often as can
    count; ``feedback`` the cosine to the mean of the best passages. None where nobody asked.
    """

    keyword: float | None  # BM25, unbounded
    semantic: float | None  # cosine
    ceiling: float | None = None
    feedback: float | None = None
    is_speaker: bool = False  # said by the one person whom the query names, of themselves


@runtime_checkable
class Reranker(Protocol):
    """Relevance of passages to a query on one 0-1 scale. One score per passage, never NaN.

    ``floor`` belongs to ``name``; None means that no floor is known for it.
    """

    name: str
    floor: float | None

    def score(
        self, query: str, passages: Sequence[str], *, known: Sequence[KnownScores] = ()
    ) -> list[float]:
        """``known``: what recall found out about each passage already; empty where it was not asked."""


@runtime_checkable
class Generator(Protocol):
    """Question and passages to a draft of claims with the places that carry them.

    ``states_confidence`` is True where a missing confidence is a failure (hosted models).
    Raises ``errors.GeneratorFailed`` or ``errors.UnreadableReply``.
    """

    name: str
    states_confidence: bool

    def draft(self, question: str, passages: Sequence[Passage], reading: Reading) -> Draft: ...


@runtime_checkable
class Extractor(Protocol):
    """A passage to its facts, each located in the passage and carried by it.

    ``is_free`` is True where asking again costs nothing and gives the same facts; otherwise the
    facts of a passage that did not change are kept. Raises ``errors.ExtractionFailed``.
    """

    name: str
    is_free: bool

    def extract(self, excerpt: Excerpt) -> Extracted: ...


@runtime_checkable
class Judge(Protocol):
    """Two questions about an answer, each a probability, or None when this judge cannot tell."""

    name: str

    def says(self, claim: str, quotes: Sequence[str]) -> float | None:
        """Do the quotes say the claim?"""

    def answers(
        self, question: str, answer: str, quotes: Sequence[str], reading: Reading
    ) -> float | None:
        """Does the answer, resting on the quotes, answer the question?"""


@dataclass(frozen=True, slots=True)
class Converted:
    """A file as text. ``blocks`` count code points of ``text``; ``language`` is empty if unknown."""

    title: str
    text: str
    blocks: tuple[Block, ...]
    language: str = ""


@runtime_checkable
class Converter(Protocol):
    """The bytes of a file to a page's text and blocks."""

    def accepts(self, name: str) -> bool:
        """Whether a file of this name can be one. Others are passed over in silence."""

    def convert(self, name: str, data: bytes) -> Converted:
        """Raises ``errors.Unconvertible``."""
