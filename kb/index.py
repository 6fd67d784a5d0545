"""Vectors of pages: computed after the save, in batches, outside of any transaction."""

from __future__ import annotations

import logging
from datetime import timedelta
from uuid import UUID

from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from kb import linking
from kb.models import Doc, IndexState
from memory import events, tenancy, vectors
from memory.backends import registry
from memory.models import Node, Vector

logger = logging.getLogger(__name__)

_BATCH = 64  # the encoder sorts these by length; larger ones would hold a worker too long at once
_JUST_SAVED = timedelta(minutes=5)
_SETTLE = timedelta(seconds=30)  # a page saved just now has its own message on the way


def embed_page(tenant_id: UUID, doc_id: UUID, *, anew: bool = False) -> int:
    """Compute the vectors that a page's nodes lack under the encoder's recipe. Returns how many.

    With ``anew`` those that are there are computed again, each answering until it is replaced.
    Late, doubled and concurrent runs end in the same rows: nodes that vanished meanwhile are
    skipped by the insert itself, and otherwise a vector that is there already stays.
    """
    encoder = registry.encoder()
    done = 0
    try:
        with tenancy.scope(tenant_id):
            if anew:
                missing = vectors.of_document(doc_id)
            else:
                vectors.reuse(doc_id, encoder.recipe)
                missing = vectors.missing(doc_id, encoder.recipe)
        for start in range(0, len(missing), _BATCH):
            batch = missing[start : start + _BATCH]
            embeddings = vectors.checked(
                encoder.encode_passages([text for _, text in batch]), len(batch), encoder.recipe
            )
            with tenancy.scope(tenant_id):
                done += vectors.store(
                    [node_id for node_id, _ in batch], embeddings, encoder.recipe, replace=anew
                )
    except Exception as error:
        logger.exception("embed_failed", extra={"doc_id": str(doc_id)})
        with tenancy.scope(tenant_id):
            Doc.objects.filter(pk=doc_id).update(
                index_state=IndexState.FAILED, index_error=type(error).__name__
            )
            events.record(
                events.EventName.INDEX_FAILED, doc_id=str(doc_id), error=type(error).__name__
            )
        raise
    with tenancy.scope(tenant_id):
        _mark_ready(doc_id, encoder.recipe.name)
    return done


def _mark_ready(doc_id: UUID, recipe: str) -> None:
    """Ready once every live node has its vector; compared in the database, so a late task is harmless."""
    unembedded = Node.objects.filter(document_id=OuterRef("pk")).exclude(
        Exists(Vector.objects.filter(node_id=OuterRef("pk"), recipe=recipe))
    )
    Doc.objects.filter(pk=doc_id, indexed_revision__isnull=False).filter(
        Q(indexed_revision=Coalesce("published_revision", "head_revision")), ~Exists(unembedded)
    ).update(index_state=IndexState.READY, index_error="")


def reconcile(tenant_id: UUID) -> int:
    """Send again what is pending for longer than a message takes. Returns how many pages.

    Two pages that were saved at the same moment did not see each other: their links are tried again.
    """
    from kb.intake import send_embed

    with tenancy.scope(tenant_id):
        stuck = list(
            Doc.objects.filter(
                index_state=IndexState.PENDING,
                indexed_revision__isnull=False,
                deleted_at=None,
                updated_at__lt=timezone.now() - _SETTLE,
            ).values_list("pk", flat=True)[:500]
        )
        for doc in Doc.objects.filter(deleted_at=None, updated_at__gt=timezone.now() - _JUST_SAVED):
            linking.resolve_wanted_links(doc)
    for doc_id in stuck:
        send_embed(str(tenant_id), str(doc_id))
    return len(stuck)
