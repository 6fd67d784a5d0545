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


@shared_task(
    autoretry_for=(OperationalError,), retry_backoff=True, retry_backoff_max=60, max_retries=5
)
def rebuild_page(tenant_id: str, doc_id: str) -> bool:
    from kb import reindexing

    return reindexing.rebuild_page(UUID(tenant_id), UUID(doc_id))


@shared_task(
    autoretry_for=(OperationalError,), retry_backoff=True, retry_backoff_max=60, max_retries=5
)
def run_import(tenant_id: str, job_id: str) -> None:
    from kb.importing import jobs

    jobs.work(UUID(tenant_id), UUID(job_id))


@shared_task
def verify_history(tenant_id: str) -> str:
    from kb import verification

    return verification.run(UUID(tenant_id)).state


@shared_task
def reconcile() -> int:
    """Ask again for what a lost message missed or older rules cut, in every tenant."""
    from kb import index, reindexing
    from kb.importing import jobs

    return sum(
        index.reconcile(tenant_id) + reindexing.send_outdated(tenant_id) + jobs.resume(tenant_id)
        for tenant_id in Tenant.objects.values_list("pk", flat=True)
    )


@shared_task
def close_orphans() -> int:
    """Close asks whose process died before their outcome was written."""
    from kb import recording

    return sum(
        recording.close_orphans(tenant_id)
        for tenant_id in Tenant.objects.values_list("pk", flat=True)
    )


@shared_task
def forget_unused_images() -> int:
    """Delete what was uploaded in the editor and never saved on a page."""
    from kb import attachments

    return sum(
        attachments.forget_unused(tenant_id)
        for tenant_id in Tenant.objects.values_list("pk", flat=True)
    )
