"""What an extractor is given and what it gives back. Pure. Offsets are code points of the document."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from memory.levels import EdgeType
from memory.types import Block, Usage


class MentionKind(StrEnum):
    """What kind of name was read. Callers may name others of their own."""

    NAME = "name"
    IDENTIFIER = "identifier"  # letters with digits, an address, a handle
    DATE = "date"
    SPEAKER = "speaker"


@dataclass(frozen=True, slots=True)
class Mention:
    """A name that a fact mentions, as written. ``resolve`` False: only case may differ."""

    name: str
    kind: str = MentionKind.NAME
    resolve: bool = True


@dataclass(frozen=True, slots=True)
class Turn:
    """What one speaker said at once. ``line_start`` is where its label stands, ``start`` its words."""

    line_start: int
    start: int
    end: int
    speaker: str
    is_agent: bool = False  # the bank's own agent
    said_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """A passage to take facts from: ``document[start:end]``.

    ``turns`` are those of the whole document, so that the first words of a passage still know what
    they answer to; ``blocks`` those that the passage has a part of, none where all is prose.
    ``said_at`` is the document's time, None where the caller left it unset.
    """

    document: str
    start: int
    end: int
    turns: tuple[Turn, ...] = ()
    blocks: tuple[Block, ...] = ()
    heading_path: tuple[str, ...] = ()
    context: str = ""
    language: str = ""
    said_at: datetime | None = None
    dates_are_given: bool = False  # the caller named the time; else it is that of arrival
    known_names: frozenset[str] = frozenset()  # of the bank, folded

    @property
    def text(self) -> str:
        return self.document[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Cause:
    """A causal relation between two facts of one excerpt, by their index in it."""

    child: int
    type: EdgeType
    parent: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A statement that stands alone: ``text`` with what it needs above it in ``lead``.

    By rules ``text`` is ``document[start:end]``, of a row of a table what its cells say; a model's own
    words rest on that quote.
    """

    text: str
    start: int
    end: int
    lead: str = ""
    speaker: str = ""
    is_experience: bool = False
    said_at: datetime | None = None
    occurred: tuple[datetime, datetime] | None = None
    mentions: tuple[Mention, ...] = ()
    causes: tuple[Cause, ...] = ()


@dataclass(frozen=True, slots=True)
class Extracted:
    """The facts of one excerpt, in order of their place, and what they cost."""

    facts: tuple[Fact, ...]
    usage: Usage = field(default_factory=Usage)
