"""What a caller gives to retain, and what comes back. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Final
from uuid import UUID

from memory.facts.records import Mention
from memory.types import Usage

UNSET: Final = "unset"  # as a timestamp: the content has no time at all

Content = str | Sequence[Mapping[str, Any]]


class UpdateMode(StrEnum):
    """What becomes of a document that is there already."""

    REPLACE = "replace"
    APPEND = "append"


class ScopeRule(StrEnum):
    """Within which tags the facts of a document are merged into observations."""

    COMBINED = "combined"  # all tags together
    PER_TAG = "per_tag"
    ALL_COMBINATIONS = "all_combinations"  # every set of tags that is not empty
    SHARED = "shared"  # untagged


ObservationScopes = ScopeRule | tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RetainItem:
    """One piece of content. Text, or turns: mappings with ``role`` or ``speaker``, ``content`` or
    ``text``, and perhaps ``timestamp``.

    ``timestamp``: a time, ISO 8601 (without a zone: UTC), None for now, or ``UNSET``.
    ``document_name`` is the caller's id; without one the same content is the same document.
    """

    content: Content
    timestamp: datetime | str | None = None
    context: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    document_name: str | None = None
    tags: tuple[str, ...] = ()
    entities: tuple[Mention, ...] = ()
    resolve_entities: bool = True
    update_mode: UpdateMode = UpdateMode.REPLACE
    observation_scopes: ObservationScopes = ScopeRule.COMBINED


class DocumentChange(StrEnum):
    CREATED = "created"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    NEWER = "newer"  # it holds what was submitted later, which stays


@dataclass(frozen=True, slots=True, kw_only=True)
class RetainedDocument:
    """What one document holds now. Ids are in order of their place."""

    id: UUID
    name: str
    change: DocumentChange
    passage_ids: tuple[UUID, ...] = ()
    fact_ids: tuple[UUID, ...] = ()
    failure: str = ""  # why facts of some passage could not be extracted; it is found as a passage
    is_postponed: bool = False  # time was up before every passage was read


@dataclass(frozen=True, slots=True, kw_only=True)
class Retained:
    """One document for each name among the items, in order of its first item."""

    documents: tuple[RetainedDocument, ...]
    usage: Usage = field(default_factory=Usage)

    @property
    def fact_ids(self) -> tuple[UUID, ...]:
        return tuple(fact for document in self.documents for fact in document.fact_ids)

    @property
    def failures(self) -> tuple[str, ...]:
        return tuple(document.failure for document in self.documents if document.failure)
