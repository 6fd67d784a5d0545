"""Deleting and relabelling what a bank holds, and reading it again.

Each function runs in the caller's scope and takes the locks that ``writing`` describes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final
from uuid import UUID

from memory import mental_models, tenancy
from memory.backends import registry
from memory.errors import DocumentNotFound, MemoryNotFound
from memory.levels import MEMORIES, FactType, Level
from memory.models import Document, Entity, Node, NodeTag
from memory.retain import (
    consequences,
    engine,
    observing,
    rereading,
    scopes,
    settling,
    unsubmitting,
    wanted,
    writing,
)
from memory.retain.consequences import Removal
from memory.retain.items import ObservationScopes, Retained
from memory.seams import Extractor

_AT_ONCE: Final = 2_000  # every node that goes queues its cascades until its statement ends


def delete_document(bank_id: UUID, name: str) -> int:
    """Remove a document with all that rests on it alone. Returns how many memories went.

    Raises ``DocumentNotFound``.
    """
    document = _locked(bank_id, name)
    writing.lock_bank(bank_id)
    nodes = list(Node.objects.filter(document_id=document.pk).values_list("pk", "level"))
    removal = consequences.remove(pk for pk, _ in nodes)
    Document.objects.filter(pk=document.pk)._raw_delete("default")
    _finish(bank_id, removal, [document.pk, *(pk for pk, _ in nodes)])
    unsubmitting.forget(bank_id, name)
    return sum(level == Level.L1 for _, level in nodes)


def delete_memory(bank_id: UUID, memory_id: UUID) -> None:
    """Remove one fact or observation. Raises ``MemoryNotFound``."""
    writing.lock_bank(bank_id)
    memory = _memory(bank_id, memory_id)
    _finish(bank_id, consequences.remove([memory.pk]), [memory.pk])


def delete_memories(bank_id: UUID, types: Iterable[FactType] | None = None) -> int:
    """Remove all memories of these types, None: every document and memory. Returns how many."""
    if types is None:
        return _delete_everything(bank_id)
    writing.lock_bank(bank_id)
    gone = list(
        Node.objects.filter(bank_id=bank_id, fact_type__in=list(types)).values_list("pk", flat=True)
    )
    _finish(bank_id, consequences.remove(gone), gone)
    return len(gone)


def delete_observations_of(bank_id: UUID, memory_id: UUID) -> int:
    """Remove the observations that rest on a fact. Raises ``MemoryNotFound``."""
    writing.lock_bank(bank_id)
    memory = _memory(bank_id, memory_id)
    gone = observing.resting_on([memory.pk])
    consequences.remove(gone)
    return len(gone)


def tag_document(bank_id: UUID, name: str, tags: Iterable[str]) -> Document:
    """Give a document and its memories these tags. Raises ``DocumentNotFound``, ``InvalidMemory``."""
    document = _locked(bank_id, name)
    document.tags = list(wanted.tags(tags))
    document.save(update_fields=("tags", "updated_at"))
    writing.lock_bank(bank_id)
    _tag(bank_id, list(Node.objects.filter(document_id=document.pk)), document.tags)
    return document


def scope_document(bank_id: UUID, name: str, rule: ObservationScopes) -> Document:
    """Have the facts of a document merged within these tags from now on.

    Raises ``DocumentNotFound``, ``InvalidMemory``.
    """
    document = _locked(bank_id, name)
    document.observation_scopes = scopes.to_json(wanted.observation_scopes(rule))
    document.save(update_fields=("observation_scopes", "updated_at"))
    writing.lock_bank(bank_id)
    facts = Node.objects.filter(document_id=document.pk, level=Level.L1)
    fact_ids = set(facts.values_list("pk", flat=True))
    observing.refresh(bank_id, observing.resting_on(fact_ids))
    consequences.draw(bank_id, fact_ids, registry.encoder().recipe)
    return document


def reprocess(
    tenant_id: UUID,
    bank_id: UUID,
    name: str,
    *,
    extractor: Extractor | None = None,
    anew: bool = True,
    until: float | None = None,
) -> Retained:
    """Take the facts of a stored document again, as if it were retained now; with ``anew`` False only
    those of passages that have none.

    Opens scopes of its own where none is open. Raises ``DocumentNotFound``.
    """
    with tenancy.scope(tenant_id):
        known = writing.read_known(bank_id, [name]).get(name)
    if known is None:
        raise DocumentNotFound(name)
    return engine.store(
        tenant_id, bank_id, [rereading.wanted(known)], extractor=extractor, anew=anew, until=until
    )


def _delete_everything(bank_id: UUID) -> int:
    """All but the corpora. Nothing is left that would have to be made anew."""
    documents = Document.objects.filter(bank_id=bank_id, corpus=None)
    list(documents.select_for_update().order_by("name").values_list("pk", flat=True))
    writing.lock_bank(bank_id)
    memories = 0
    nodes = Node.objects.filter(bank_id=bank_id, level__in=(Level.L0, Level.L1, Level.L2))
    while batch := list(nodes.values_list("pk", "level")[:_AT_ONCE]):
        writing.remove_nodes(pk for pk, _ in batch)
        memories += sum(level == Level.L1 for _, level in batch)
    documents._raw_delete("default")
    Entity.objects.filter(bank_id=bank_id)._raw_delete("default")
    mental_models.forget_all(bank_id)
    unsubmitting.forget_all(bank_id)
    return memories


def _finish(bank_id: UUID, removal: Removal, deleted: Collection[UUID]) -> None:
    """What rested on deleted memories goes with them: observations, and what was answered from both."""
    removal.finish(bank_id, registry.encoder().recipe)
    resting = removal.observations
    left = Node.objects.filter(pk__in=resting).values_list("pk", flat=True)
    mental_models.forget(bank_id, {*deleted, *(resting - set(left))})


def _locked(bank_id: UUID, name: str) -> Document:
    document = (
        Document.objects.select_for_update().filter(bank_id=bank_id, corpus=None, name=name).first()
    )
    if document is None:
        raise DocumentNotFound(name)
    return document


def _memory(bank_id: UUID, memory_id: UUID) -> Node:
    memory = Node.objects.filter(bank_id=bank_id, pk=memory_id, level__in=MEMORIES).first()
    if memory is None:
        raise MemoryNotFound(str(memory_id))
    return memory


def _tag(bank_id: UUID, nodes: list[Node], tags: list[str]) -> None:
    facts = {node.pk for node in nodes if node.level == Level.L1}
    involved = settling.withdraw(facts)
    for node in nodes:
        node.tags = tags
    Node.objects.bulk_update(nodes, ("tags",), batch_size=500)
    NodeTag.objects.filter(node_id__in=[node.pk for node in nodes])._raw_delete("default")
    writing.add_tags(nodes)
    recipe = registry.encoder().recipe
    observing.refresh(bank_id, observing.resting_on(facts | involved))
    consequences.draw(bank_id, facts | involved, recipe)
