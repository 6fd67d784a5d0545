"""Banks of a tenant."""

from __future__ import annotations

from django.db import IntegrityError, transaction

from memory import tenancy
from memory.models import Bank, BankKind


def pages_bank() -> Bank:
    """The current tenant's reserved bank of pages, made on first use."""
    tenant_id = tenancy.require()
    bank = Bank.objects.filter(kind=BankKind.PAGES).first()
    if bank is not None:
        return bank
    try:
        with transaction.atomic():
            return Bank.objects.create(tenant_id=tenant_id, name="pages", kind=BankKind.PAGES)
    except IntegrityError:  # somebody else was first
        return Bank.objects.get(kind=BankKind.PAGES)
