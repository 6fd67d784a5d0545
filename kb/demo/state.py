"""Whether the demo can be asked."""

from __future__ import annotations

from functools import cache

from kb.demo.install import TENANT_SLUG
from kb.demo.pages import load_pages
from kb.models import Doc, IndexState
from memory import tenancy
from memory.models import Tenant


def count_pending() -> int:
    """Demo pages whose index is not ready. Nothing is missing where no demo was installed."""
    tenant = Tenant.objects.filter(slug=TENANT_SLUG).first()
    if tenant is None:
        return 0
    with tenancy.scope(tenant.pk):
        pages = Doc.objects.filter(slug__in=_slugs(), deleted_at=None)
        return pages.exclude(index_state=IndexState.READY).count()


@cache
def _slugs() -> tuple[str, ...]:
    return tuple(page.slug for page in load_pages())
