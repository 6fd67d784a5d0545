"""Vectors of another encoder for what memory banks hold, beside those that answer meanwhile.

Outside of a transaction a batch is encoded; what was edited meanwhile keeps the vector of its edit.
A run that was stopped is taken up by the next one. Pages have ``kb.reindexing``.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np
from django.db.models import Exists, OuterRef, QuerySet

from memory import tenancy, vectors
from memory.backends import registry
from memory.models import Bank, BankKind, Node, Vector
from memory.seams import Encoder, Recipe

logger = logging.getLogger(__name__)

_AT_ONCE = 64


@dataclass(slots=True)
class Progress:
    """``done`` and ``failed`` add up to ``total`` at the end."""

    total: int
    done: int = 0
    failed: int = 0


def rebuild(
    tenant_id: UUID,
    *,
    force: bool = False,
    report: Callable[[Progress], None] = lambda progress: None,
) -> Progress:
    """Give every node of a tenant's memory banks a vector of the encoder, or with ``force`` a new one.

    A node that fails does not stop the others. ``report`` is called after each batch. Raises
    whatever loading the encoder raises.
    """
    encoder = registry.encoder()
    with tenancy.scope(tenant_id):
        vectors.drop_misfits(encoder.recipe)
        node_ids = list(_waiting(encoder.recipe, all_of_them=force))
    progress = Progress(total=len(node_ids))
    for at in range(0, len(node_ids), _AT_ONCE):
        batch = node_ids[at : at + _AT_ONCE]
        failed = _embed(tenant_id, batch, encoder, replace=force)
        progress.done += len(batch) - failed
        progress.failed += failed
        report(progress)
    return progress


def _waiting(recipe: Recipe, *, all_of_them: bool) -> QuerySet[Node, UUID]:
    banks = Bank.objects.filter(kind=BankKind.MEMORY).values("pk")
    nodes = Node.objects.filter(bank_id__in=banks)
    if not all_of_them:
        nodes = nodes.exclude(
            Exists(Vector.objects.filter(node_id=OuterRef("pk"), recipe=recipe.name))
        )
    return nodes.order_by("pk").values_list("pk", flat=True)


def _embed(tenant_id: UUID, node_ids: Sequence[UUID], encoder: Encoder, *, replace: bool) -> int:
    """Returns how many failed: in a batch that fails each node is tried for itself."""
    with tenancy.scope(tenant_id):
        nodes = list(Node.objects.filter(pk__in=node_ids))
    if not nodes:  # they went meanwhile
        return 0
    try:
        rows = encoder.encode_passages([vectors.encoded_text(node) for node in nodes])
        vectors.checked(rows, len(nodes), encoder.recipe)
        with tenancy.scope(tenant_id):
            _store(nodes, rows, encoder.recipe, replace=replace)
    except Exception:
        if len(nodes) > 1:
            return sum(_embed(tenant_id, [node.pk], encoder, replace=replace) for node in nodes)
        logger.exception("reembedding_failed", extra={"node_id": str(nodes[0].pk)})
        return 1
    return 0


def _store(nodes: Sequence[Node], rows: np.ndarray, recipe: Recipe, *, replace: bool) -> None:
    shas = dict(
        Node.objects.select_for_update()
        .filter(pk__in=[node.pk for node in nodes])
        .order_by("pk")
        .values_list("pk", "sha")
    )
    same = [place for place, node in enumerate(nodes) if shas.get(node.pk) == node.sha]
    if same:
        vectors.store([nodes[place].pk for place in same], rows[same], recipe, replace=replace)
