"""Stores what a plan decided, in the caller's transaction.

    lock documents (by name) ─▶ lock the bank, where nodes go ─▶ nodes, terms, tags, vectors
        ─▶ lock the bank ─▶ entities, edges, observations

Every writer takes its locks in this order, so that none waits for one that waits for it. Under the
bank's lock alone nodes are removed and connected: two documents that say the same thing at the same
moment see each other there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

import numpy as np
from django.db.models import Value
from django.db.models.functions import Greatest

from memory import keywords, vectors
from memory.errors import BankNotFound
from memory.levels import EdgeType, Level
from memory.models import Bank, BankKind, Document, Node, NodeTag, Vector
from memory.retain import corrections, edges, indexing
from memory.retain.edges import NewEdge
from memory.retain.plans import Known, Plan
from memory.seams import Recipe

_BATCH = 1_000
_PLACES = ("chunk_id", "ordinal", "char_start", "char_end")
_MOVED = (
    *_PLACES,
    "fact_type",
    "speaker",
    "context",
    "metadata",
    "tags",
    "mentioned_at",
    "occurred_start",
    "occurred_end",
)


class Overtaken(Exception):
    """A document is not any more as the plan read it: it has to be planned again."""


def find_bank(bank_id: UUID) -> Bank:
    """Raises ``BankNotFound``; the bank of pages is none that anything is retained in."""
    bank = Bank.objects.filter(pk=bank_id, kind=BankKind.MEMORY).first()
    if bank is None:
        raise BankNotFound(str(bank_id))
    return bank


def lock_bank(bank_id: UUID) -> Bank:
    """Until the transaction ends. Inserting a bank's rows does not wait for it."""
    bank = Bank.objects.select_for_update(no_key=True).filter(pk=bank_id).first()
    if bank is None:
        raise BankNotFound(str(bank_id))
    return bank


def read_known(bank_id: UUID, names: Iterable[str], *, lock: bool = False) -> dict[str, Known]:
    """The documents of these names with their passages, their facts and what was corrected."""
    documents = Document.objects.filter(bank_id=bank_id, corpus=None, name__in=list(names))
    if lock:
        documents = documents.select_for_update()
    found = {document.pk: document for document in documents.order_by("name")}
    nodes: dict[UUID | None, list[Node]] = {pk: [] for pk in found}
    for node in Node.objects.filter(
        document_id__in=list(found), level__in=(Level.L0, Level.L1)
    ).order_by("level", "ordinal"):
        nodes[node.document_id].append(node)
    corrected = corrections.read(found)
    return {
        document.name: Known(document, tuple(nodes[pk]), corrected)
        for pk, document in found.items()
    }


def lock_documents(bank_id: UUID, plans: Sequence[Plan]) -> None:
    """Make the new rows and lock all. Raises ``Overtaken``: the unique name decides between two."""
    ordered = sorted(plans, key=lambda plan: plan.document.name)
    Document.objects.bulk_create(
        [plan.document for plan in ordered if plan.known is None], ignore_conflicts=True
    )
    locked = {
        document.name: document
        for document in Document.objects.select_for_update()
        .filter(bank_id=bank_id, corpus=None, name__in=[plan.document.name for plan in plans])
        .order_by("name")
        .only("id", "name", "updated_at")
    }
    for plan in plans:
        row = locked.get(plan.document.name)
        if row is None or row.pk != plan.document.pk:
            raise Overtaken(plan.document.name)
        if plan.known and row.updated_at != plan.known.document.updated_at:
            raise Overtaken(plan.document.name)


def note_submissions(plans: Iterable[Plan]) -> None:
    """That locked documents were sent again as they are."""
    for plan in plans:
        Document.objects.filter(pk=plan.document.pk).update(
            submitted_at=Greatest("submitted_at", Value(plan.wanted.submitted_at))
        )


def write_nodes(
    bank_id: UUID, plans: Sequence[Plan], encoded: Mapping[str, np.ndarray], recipe: Recipe
) -> None:
    """Rows, terms, tags and vectors of locked documents, whose lost nodes are removed already.

    Raises ``Overtaken`` where a vector that was to be reused has gone.
    """
    for plan in plans:
        if plan.known:
            plan.document.save(force_update=True)
        _move(plan.kept)
    counted = indexing.counted(plans)
    added = [node for node, _ in counted]
    for node, terms in counted:
        node.term_count = terms.total()
    Node.objects.bulk_create(added, batch_size=_BATCH)
    for level in (Level.L0, Level.L1):
        keywords.add(bank_id, level, [pair for pair in counted if pair[0].level == level])
    add_tags(added)
    _add_vectors(added, encoded, recipe)
    _derive(bank_id, plans)


def remove_nodes(node_ids: Iterable[UUID]) -> int:
    # Terms, tags, vectors and edges go with their node, by the foreign keys' ON DELETE CASCADE.
    return Node.objects.filter(pk__in=list(node_ids))._raw_delete("default")


def add_tags(nodes: Iterable[Node]) -> None:
    NodeTag.objects.bulk_create(
        [
            NodeTag(tenant_id=node.tenant_id, bank_id=node.bank_id, tag=tag, node_id=node.pk)
            for node in nodes
            for tag in node.tags
        ],
        batch_size=_BATCH,
        ignore_conflicts=True,
    )


def _move(kept: list[Node]) -> None:
    """Two nodes may change places, which a unique place would forbid while it happens."""
    if not kept:
        return
    ids = [node.pk for node in kept]
    Node.objects.filter(pk__in=ids).update(ordinal=None)
    Node.objects.bulk_update(kept, _MOVED, batch_size=500)
    NodeTag.objects.filter(node_id__in=ids)._raw_delete("default")
    add_tags(kept)


def _add_vectors(nodes: list[Node], encoded: Mapping[str, np.ndarray], recipe: Recipe) -> None:
    if not nodes:
        return
    fresh = [node for node in nodes if node.sha in encoded]
    if fresh:
        rows = np.stack([encoded[node.sha] for node in fresh])
        vectors.store([node.pk for node in fresh], rows, recipe)
    if len(fresh) == len(nodes):
        return
    vectors.reuse_for([node.pk for node in nodes if node.sha not in encoded], recipe)
    ids = [node.pk for node in nodes]
    of = Vector.objects.filter(node_id__in=ids).values_list("recipe", flat=True)
    if sum(name == recipe.name for name in of) < len(ids):
        raise Overtaken("a vector that was to be reused")


def _derive(bank_id: UUID, plans: Sequence[Plan]) -> None:
    added = {node.pk for plan in plans for node in plan.added}
    derived = (
        NewEdge(fact.pk, EdgeType.DERIVED_FROM, fact.chunk_id)
        for plan in plans
        for fact in plan.facts
        if fact.chunk_id is not None and (fact.pk in added or fact.chunk_id in added)
    )
    edges.add(bank_id, derived, parent=Level.L0)
