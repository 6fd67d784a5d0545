"""Facts corrected by hand: edited, taken out of recall and put back. Observations follow their facts.

What a memory said before is kept with it. Changing what it says changes how it is found in the same
transaction; its new vector is made before, so that no transaction is held while a model works.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np
from django.db.models import QuerySet
from django.utils import timezone

from memory import entities, keywords, tenancy, vectors
from memory.arbitration import START, TAKEN_OUT, TrustLevel
from memory.backends import registry
from memory.entities import Mentioning
from memory.errors import InvalidMemory, MemoryNotFound
from memory.facts.records import Mention
from memory.language.languages import detect_language
from memory.language.text import content_hash, has_word
from memory.levels import MEMORIES, EdgeType, FactType, Level
from memory.models import (
    ChangeKind,
    Document,
    Edge,
    Entity,
    MemoryChange,
    Node,
    NodeEntity,
    Vector,
)
from memory.retain import consequences, indexing, observing, settling, writing

_DERIVED = (
    "An observation is made of facts and cannot be changed by hand: correct the facts it rests on."
)
_TIMES = ("occurred_start", "occurred_end", "mentioned_at")


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryEdit:
    """What shall be otherwise; None stays as it is. ``is_valid`` False takes it out of recall."""

    text: str | None = None
    context: str | None = None
    times: Mapping[str, datetime] = field(default_factory=dict)  # by the name of the column
    fact_type: FactType | None = None
    entities: tuple[str, ...] | None = None
    resolve_entities: bool = True
    is_valid: bool | None = None
    reason: str = ""


def change(
    bank_id: UUID, memory_id: UUID, edit: MemoryEdit, *, tenant_id: UUID, changed_by: UUID
) -> None:
    """Carry out an edit. Opens scopes of its own.

    Raises ``MemoryNotFound``, and ``InvalidMemory`` for an observation and for what cannot be stored;
    then nothing changed.
    """
    if edit.text is not None and not has_word(edit.text):
        raise InvalidMemory("A memory needs at least one letter or digit.")
    vector = _vector(bank_id, memory_id, edit, tenant_id)
    with tenancy.scope(tenant_id):
        _touch_document(bank_id, memory_id)
        writing.lock_bank(bank_id)
        node = _fact(Node.objects.select_for_update().filter(bank_id=bank_id), memory_id)
        _record(node, edit, changed_by)
        involved = _withdraw(node, edit)
        _apply(node, edit)
        if edit.entities is not None:
            _name(node, edit.entities, resolve=edit.resolve_entities)
        if edit.text is not None:
            _index(node, vector)
        _relate(node, involved, names_anew=edit.entities is not None)
        if edit.is_valid:
            _refuse_lost(node.pk)


def _vector(bank_id: UUID, memory_id: UUID, edit: MemoryEdit, tenant_id: UUID) -> np.ndarray | None:
    """Of the new text; None where the text stays."""
    if edit.text is None:
        return None
    with tenancy.scope(tenant_id):
        node = _fact(Node.objects.filter(bank_id=bank_id), memory_id)
    node.text = edit.text
    encoder = registry.encoder()
    rows = encoder.encode_passages([vectors.encoded_text(node)])
    return vectors.checked(rows, 1, encoder.recipe)


def _touch_document(bank_id: UUID, memory_id: UUID) -> None:
    """Whoever plans the document right now, with the memory as it was, plans it again."""
    of = Node.objects.filter(pk=memory_id, bank_id=bank_id).values("document_id")
    Document.objects.filter(pk__in=of).update(updated_at=timezone.now())


def _fact(nodes: QuerySet[Node], memory_id: UUID) -> Node:
    node = nodes.filter(pk=memory_id, level__in=MEMORIES).first()
    if node is None:
        raise MemoryNotFound(str(memory_id))
    if node.level != Level.L1:
        raise InvalidMemory(_DERIVED)
    return node


def _record(node: Node, edit: MemoryEdit, changed_by: UUID) -> None:
    before = _before(node, edit)
    kinds = {ChangeKind.EDITED: before} if before else {}
    is_out = node.trust <= TAKEN_OUT
    if edit.is_valid is not None and edit.is_valid == is_out:
        kinds[ChangeKind.RESTORED if edit.is_valid else ChangeKind.INVALIDATED] = {}
    MemoryChange.objects.bulk_create(
        MemoryChange(
            tenant_id=node.tenant_id,
            bank_id=node.bank_id,
            node_id=node.pk,
            kind=kind,
            before=values,
            reason=edit.reason,
            changed_by_id=changed_by,
        )
        for kind, values in kinds.items()
    )


def _before(node: Node, edit: MemoryEdit) -> dict[str, Any]:
    """What the edit replaces, as it was."""
    given: dict[str, Any] = {
        "text": edit.text,
        "context": edit.context,
        "fact_type": edit.fact_type,
        **edit.times,
    }
    before = {
        name: getattr(node, name)
        for name, value in given.items()
        if value is not None and value != getattr(node, name)
    }
    if edit.entities is not None:
        before["entities"] = list(
            Entity.objects.filter(
                pk__in=NodeEntity.objects.filter(node_id=node.pk).values("entity_id")
            ).values_list("name", flat=True)
        )
    return {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in before.items()
    }


def _withdraw(node: Node, edit: MemoryEdit) -> set[UUID]:
    """What was decided about a fact that says something else from now on, or nothing any more.
    Returns the facts on the other side."""
    if edit.text is None and edit.is_valid is None and not edit.times:
        return set()
    involved = settling.withdraw([node.pk])
    node.refresh_from_db(fields=("superseded_at", "trust"))
    return involved


def _apply(node: Node, edit: MemoryEdit) -> None:
    if edit.text is not None:
        node.text = edit.text
        node.language = detect_language(edit.text) or node.language
        node.sha = content_hash(vectors.indexed_text(node))
    if edit.context is not None:
        node.context = edit.context
    for name in _TIMES:
        if name in edit.times:
            setattr(node, name, edit.times[name])
    if node.occurred_start and node.occurred_end and node.occurred_end < node.occurred_start:
        raise InvalidMemory("The end lies before the start.")
    if edit.fact_type is not None:
        node.fact_type = edit.fact_type
    if edit.is_valid is not None:
        if not edit.is_valid:
            node.superseded_at, node.trust = node.superseded_at or timezone.now(), TAKEN_OUT
        else:
            node.superseded_at, node.trust = None, START[TrustLevel.DOCUMENT]
    node.save()


def _name(node: Node, names: tuple[str, ...], *, resolve: bool) -> None:
    mentions = NodeEntity.objects.filter(node_id=node.pk)
    former = list(mentions.values_list("entity_id", flat=True))
    mentions._raw_delete("default")
    named = tuple(Mention(name, resolve=resolve) for name in names)
    seen_at = node.occurred_start or node.mentioned_at or node.created_at
    entities.link(node.bank_id, [Mentioning(node.pk, named, seen_at)])
    entities.forget_unmentioned(former)


def _index(node: Node, vector: np.ndarray | None) -> None:
    """The terms and the vector of the new text in place of the old ones."""
    keywords.remove([node.pk])
    counted = indexing.terms(node)
    Node.objects.filter(pk=node.pk).update(term_count=counted.total())
    node.term_count = counted.total()
    keywords.add(node.bank_id, Level(node.level), [(node, counted)])
    Vector.objects.filter(node_id=node.pk)._raw_delete("default")
    if vector is not None:
        vectors.store([node.pk], vector, registry.encoder().recipe)


def _relate(node: Node, involved: set[UUID], *, names_anew: bool) -> None:
    """What rests on the fact, or is near to what it says now, follows."""
    resting = observing.resting_on([node.pk, *involved])
    observing.refresh(node.bank_id, resting, anew=names_anew)
    again = involved if node.superseded_at else {node.pk, *involved}
    if again:
        consequences.draw(node.bank_id, again, registry.encoder().recipe)


def _refuse_lost(memory_id: UUID) -> None:
    """What other memories decided is not turned by a word: they would decide it again."""
    if not Node.objects.filter(pk=memory_id, superseded_at__isnull=False).exists():
        return
    winner = Node.objects.filter(
        pk__in=Edge.objects.filter(parent_id=memory_id, type=EdgeType.SUPERSEDES).values("child_id")
    ).first()
    said = f" “{winner.text}”" if winner else ""
    raise InvalidMemory(
        f"Another memory says otherwise and holds:{said} Correct that one or take it out first."
    )
