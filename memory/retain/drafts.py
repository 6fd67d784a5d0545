"""Rows of a document and its nodes as a plan makes them, before any of them is saved. No queries."""

from __future__ import annotations

import uuid
from uuid import UUID

from memory import vectors
from memory.facts.records import Excerpt, Fact, Mention, MentionKind
from memory.language.text import content_hash
from memory.levels import Level
from memory.models import Document, Node
from memory.retain import scopes
from memory.retain.wanted import Part, Wanted


def node(level: Level, excerpt: Excerpt, *, text: str, lead: str) -> Node:
    """A node that is not placed yet, with the hash of what is indexed."""
    draft = Node(
        level=level,
        text=text,
        lead=lead,
        heading_path=list(excerpt.heading_path),
        language=excerpt.language,
    )
    draft.sha = content_hash(vectors.indexed_text(draft))
    return draft


def document(
    wanted: Wanted,
    old: Document | None,
    text: str,
    bank_id: UUID,
    tenant_id: UUID,
    *,
    appends: bool,
) -> Document:
    """The row as it shall be; the one that was read stays as it is, to be compared with."""
    first = wanted.parts[0]
    mentioned_at = first.said_at
    tags = set(wanted.tags)
    if old and (appends or not first.is_dated):
        mentioned_at = old.mentioned_at
    submissions = [wanted.submitted_at]
    if old and appends:
        tags |= set(old.tags)
        submissions.append(old.submitted_at)
    return Document(
        id=old.pk if old else uuid.uuid4(),
        tenant_id=tenant_id,
        bank_id=bank_id,
        name=wanted.name,
        text=text,
        content_hash=content_hash(text),
        context=old.context if old and appends else first.context,
        metadata=dict(old.metadata if old and appends else first.metadata),
        tags=sorted(tags),
        mentioned_at=mentioned_at,
        submitted_at=max(filter(None, submissions), default=None),
        observation_scopes=(
            old.observation_scopes if old and appends else scopes.to_json(wanted.scopes)
        ),
        **({"created_at": old.created_at} if old else {}),
    )


def mentions(fact: Fact, part: Part) -> tuple[Mention, ...]:
    """What the fact mentions, and what the caller named for the whole item."""
    own = list(fact.mentions)
    if fact.speaker:
        own.append(Mention(fact.speaker, MentionKind.SPEAKER))
    given = [Mention(one.name, one.kind, part.resolve) for one in part.mentions]
    return tuple(
        dict.fromkeys(
            (*given, *(Mention(one.name, one.kind, one.resolve and part.resolve) for one in own))
        )
    )
