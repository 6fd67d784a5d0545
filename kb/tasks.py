"""Celery tasks: ids in, one engine call, retry policy, nothing else. Running one twice is harmless."""

from __future__ import annotations

from uuid import UUID

from celery import shared_task
from django.db.utils import OperationalError

from memory.models import Tenant


@shared_task(
    autoretry_for=(OperationalError,), retry_backoff=True, retry_backoff_max=60, max_retries=5
)
def embed_page(tenant_id: str, doc_id: str) -> int:
    from kb import index

    return index.embed_page(UUID(tenant_id), UUID(doc_id))


@shared_task
def reconcile() -> int:
    """Ask again for what a lost message missed, in every tenant."""
    from kb import index

    return sum(
        index.reconcile(tenant_id) for tenant_id in Tenant.objects.values_list("pk", flat=True)
    )


@shared_task
def close_orphans() -> int:
    """Close asks whose process died before their outcome was written."""
    from kb import recording

    return sum(
        recording.close_orphans(tenant_id)
        for tenant_id in Tenant.objects.values_list("pk", flat=True)
    )
