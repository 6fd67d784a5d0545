"""Celery tasks: ids in, one call. Running one twice is harmless."""

from __future__ import annotations

from uuid import UUID

from celery import shared_task
from django.db.utils import InterfaceError, OperationalError

from memory.models import Tenant


@shared_task
def mail_password_links(user_ids: list[str], link_of: str) -> int:
    """``link_of``: see ``passwords.mail_link``. Also sent for nobody, so that asking tells nothing."""
    from memory.people import passwords

    return sum(passwords.mail_link(UUID(user_id), link_of) for user_id in user_ids)


@shared_task(
    autoretry_for=(OperationalError, InterfaceError),
    retry_backoff=True,
    retry_backoff_max=60,
    max_retries=5,
)
def run_operation(tenant_id: str, operation_id: str) -> str | None:
    from memory import operations

    return operations.run(UUID(tenant_id), UUID(operation_id))


@shared_task
def reconcile_operations() -> int:
    """Send again what lost its message or its worker, in every tenant."""
    from memory import operations

    return sum(
        operations.reconcile(tenant_id) for tenant_id in Tenant.objects.values_list("pk", flat=True)
    )


@shared_task
def purge_keywords() -> int:
    """Clear the keyword index of deleted nodes, in every tenant. Returns how many nodes were cleared."""
    from memory import keyword_packing

    return sum(
        keyword_packing.purge_all(tenant_id)
        for tenant_id in Tenant.objects.values_list("pk", flat=True)
    )
