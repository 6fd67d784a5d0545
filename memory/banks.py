"""Banks of a tenant: who sees which, opening, deleting, and what one holds.

A member sees the shared banks and their own private ones. The bank of the tenant's pages is none of
these: it is read through ``kb`` alone, and no name opens it.
"""

from __future__ import annotations

from django.apps import apps
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet

from memory import ids, tenancy
from memory.bank_statistics import BankStatistics, BankSummary, statistics, summaries
from memory.errors import BankNotFound, InvalidBank
from memory.language.text import clean_text
from memory.levels import MEMORIES
from memory.models import (
    Access,
    Bank,
    BankKind,
    Membership,
    Node,
    TenantModel,
    Term,
    Vector,
)

__all__ = [
    "MAX_NAME",
    "BankStatistics",
    "BankSummary",
    "delete",
    "find",
    "is_theirs",
    "open_or_create",
    "pages_bank",
    "statistics",
    "summaries",
    "verifiable_banks",
    "visible_banks",
]

MAX_NAME = 200  # code points
_NODES_AT_ONCE = 2_000


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


def visible_banks(member: Membership) -> QuerySet[Bank]:
    """Every bank that a member may open, by name; their own private one before a shared namesake."""
    own = Q(access=Access.PRIVATE, owner_id=member.user_id)
    return Bank.objects.filter(
        Q(access=Access.TENANT) | own, tenant_id=member.tenant_id, kind=BankKind.MEMORY
    ).order_by("name", "access")  # "private" sorts before "tenant"


def verifiable_banks(member: Membership) -> QuerySet[Bank]:
    """What a member may have checked: an admin every bank, since a fault is told by shas alone."""
    if member.is_admin:
        return Bank.objects.filter(tenant_id=member.tenant_id, kind=BankKind.MEMORY)
    return visible_banks(member)


def find(member: Membership, name: str, *, access: str | None = None) -> Bank:
    """The bank that a member means by a name: their own private one, else the shared one; with
    ``access`` that one alone.

    Raises ``BankNotFound``; another's private bank is not told from one that does not exist.
    """
    named = visible_banks(member).filter(name=clean_text(name))
    bank = (named if access is None else named.filter(access=access)).first()
    if bank is None:
        raise BankNotFound(name)
    return bank


def open_or_create(
    member: Membership, name: str, *, access: str = Access.TENANT, is_strict: bool = False
) -> Bank:
    """The bank of this name, made with ``access`` and owned by the member where there is none.
    ``is_strict``: a namesake of the other access is not the one that is meant.

    Two at once get the same bank: the database's constraint decides. Raises ``InvalidBank``.
    """
    wanted = clean_text(name)
    if not ids.is_id(wanted, most=MAX_NAME):
        raise InvalidBank(f"A bank's name has 1 to {MAX_NAME} characters {ids.NO_STEPS}.")
    only = access if is_strict else None
    try:
        return find(member, wanted, access=only)
    except BankNotFound:
        pass
    try:
        with transaction.atomic():
            return Bank.objects.create(
                tenant_id=member.tenant_id, name=wanted, owner_id=member.user_id, access=access
            )
    except IntegrityError:  # somebody else was first
        return find(member, wanted, access=only)


def is_theirs(member: Membership, bank: Bank) -> bool:
    """Whether a member may change a bank as a whole, or remove it: its owner and admins may."""
    return member.is_admin or bank.owner_id == member.user_id


def delete(bank: Bank) -> int:
    """Remove a bank with all that it holds, in the caller's transaction. Returns how many memories.

    The row is locked first: whoever writes into the bank meanwhile fails by its foreign key, or was
    there before and is removed as well. Raises ``BankNotFound`` where somebody else removed it.
    """
    if Bank.objects.select_for_update().filter(pk=bank.pk).first() is None:
        raise BankNotFound(bank.name)
    # They would go with their nodes; by bank it is one statement, by node one for each.
    _delete_rows(Term, bank)
    _delete_rows(Vector, bank)
    memories = Node.objects.filter(bank_id=bank.pk, level__in=MEMORIES).count()
    _delete_nodes(bank)
    for model in _others():
        _delete_rows(model, bank)
    Bank.objects.filter(pk=bank.pk)._raw_delete("default")
    return memories


def _delete_rows(model: type[TenantModel], bank: Bank) -> None:
    model._base_manager.filter(bank_id=bank.pk)._raw_delete("default")  # type: ignore[misc]


def _delete_nodes(bank: Bank) -> None:
    """In batches: every node queues its foreign keys' cascades until its statement ends."""
    nodes = Node.objects.filter(bank_id=bank.pk).order_by("pk").values_list("pk", flat=True)
    while batch := list(nodes[:_NODES_AT_ONCE]):
        Node.objects.filter(pk__in=batch)._raw_delete("default")


def _others() -> list[type[TenantModel]]:
    """Every other table whose rows belong to a bank. Their foreign keys wait for the commit."""
    return [
        model
        for model in apps.get_models()
        if issubclass(model, TenantModel)
        and model not in (Term, Vector, Node)
        and any(
            field.name == "bank" and field.related_model is Bank for field in model._meta.fields
        )
    ]
