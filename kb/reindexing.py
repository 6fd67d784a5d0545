"""Rebuilds what pages are found by, while what they have goes on answering.

    page ── outdated rules, or --chunks? ──▶ chunks and terms   one transaction
         └─ vectors missing, or --force? ──▶ vectors            beside those of the old recipe

A run that was stopped is taken up by the next one: what is done needs nothing any more.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Coalesce, Concat

from kb import index, ingest, intake
from kb.models import Doc, IndexState, Status
from memory import tenancy, vectors
from memory.backends import registry
from memory.models import Node, Vector
from memory.reembedding import Progress
from memory.seams import Recipe

logger = logging.getLogger(__name__)

_SENT_AT_ONCE = 100  # pages, by each reconcile


def rebuild(
    tenant_id: UUID,
    *,
    force: bool = False,
    chunks: bool = False,
    report: Callable[[Progress], None] = lambda progress: None,
) -> Progress:
    """Bring every page of a tenant up to date, or with ``force`` (vectors) or ``chunks`` anew.

    Pages are counted. One that fails keeps the index it had, is marked as failed, and does not stop
    the others. ``report`` is called after each page. Raises whatever loading the encoder raises.
    """
    recipe = registry.encoder().recipe
    with tenancy.scope(tenant_id):
        vectors.drop_misfits(recipe)
        doc_ids = list(_to_rebuild(recipe, all_of_them=force or chunks))
    progress = Progress(total=len(doc_ids))
    for doc_id in doc_ids:
        try:
            is_done = rebuild_page(tenant_id, doc_id, force=force, chunks=chunks)
        except Exception:
            logger.exception("reindex_failed", extra={"doc_id": str(doc_id)})
            is_done = False
        progress.done += is_done
        progress.failed += not is_done
        report(progress)
    return progress


def rebuild_page(
    tenant_id: UUID, doc_id: UUID, *, force: bool = False, chunks: bool = False
) -> bool:
    """False where its chunks or terms failed. Raises whatever the encoder raises."""
    with tenancy.scope(tenant_id):
        doc = Doc.objects.filter(pk=doc_id, deleted_at=None).first()
        if doc is None or doc.status == Status.ARCHIVED:
            return True  # it left meanwhile, and has no index to be rebuilt
        if chunks or not ingest.is_current(doc):
            doc = intake.retry_index(doc, anew=chunks, enqueue=False)
            if doc.index_state == IndexState.FAILED:
                return False
    index.embed_page(tenant_id, doc_id, anew=force)
    return True


def send_outdated(tenant_id: UUID) -> int:
    """Ask for pages that were cut or analysed by older rules. Returns how many pages.

    Failed ones wait for a hand. Another encoder waits for the command: its work takes hours.
    """
    with tenancy.scope(tenant_id):
        outdated = list(
            _live().filter(~_is_current()).exclude(index_state=IndexState.FAILED)[:_SENT_AT_ONCE]
        )
    for doc in outdated:
        intake.send_rebuild(str(tenant_id), str(doc.pk))
    return len(outdated)


def prune(tenant_id: UUID) -> int:
    """Remove the vectors of every recipe but the encoder's. Returns how many."""
    with tenancy.scope(tenant_id):
        return vectors.prune(registry.encoder().recipe)


def _to_rebuild(recipe: Recipe, *, all_of_them: bool) -> QuerySet[Doc, UUID]:
    docs = _live()
    if not all_of_them:
        unembedded = Node.objects.filter(document_id=OuterRef("pk")).exclude(
            Exists(Vector.objects.filter(node_id=OuterRef("pk"), recipe=recipe.name))
        )
        docs = docs.filter(~_is_current() | Exists(unembedded))
    return docs.order_by("pk").values_list("pk", flat=True)


def _live() -> QuerySet[Doc]:
    docs = Doc.objects.filter(deleted_at=None, head_revision__isnull=False)
    return docs.exclude(status=Status.ARCHIVED)


def _is_current() -> Q:
    """``ingest.is_current`` as a condition."""
    return Q(
        indexed_revision=Coalesce("published_revision", "head_revision"),
        index_rules=Concat(Value(ingest.rules("")), F("language")),
    )
