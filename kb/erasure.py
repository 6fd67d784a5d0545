"""Forgetting a person or an organisation, as the owner of the tables: nobody else can delete history.

A person's questions, traces, votes, tickets, drafts, keys and private memory banks go, and the
account keeps no name. Pages and revisions that they wrote are the organisation's and stay, shared
banks as well. The audit keeps its hashes; an entry ``kb.qa_erased`` in the same transaction names
the questions, so that ``audit verify`` accepts these gaps and no others. Of an organisation nothing
stays, its chain included.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from uuid import UUID

from django.apps import apps
from django.db import connections, models, transaction
from django.db.models import Q
from psycopg import sql

from kb import audit_kinds
from kb.errors import NotOwner
from kb.models import (
    AskedQuestion,
    AskTicket,
    Attachment,
    Autosave,
    BaseQuestion,
    Feedback,
    QaQuestion,
    QaTrace,
)
from memory import audit, banks, tenancy
from memory.models import (
    Access,
    ApiKey,
    AuditHead,
    Bank,
    Invitation,
    Membership,
    Tenant,
    TenantModel,
    User,
)
from memory.tenancy import OWNER_ALIAS

ERASED_BY = "owner"  # the database role: nobody is signed in where this runs
_IDS_PER_ENTRY = 500

# In an order that foreign keys allow. What is not named here is kept, and names nobody but an
# account without a name (a test holds every table that points to a person to one of the two).
OF_A_PERSON: dict[type[TenantModel], Callable[[Person], Q]] = {
    Feedback: lambda person: Q(user=person.user) | Q(question_id__in=person.asked),
    QaTrace: lambda person: Q(question_id__in=person.asked),
    QaQuestion: lambda person: Q(asked_by=person.user.pk),
    BaseQuestion: lambda person: Q(asked_by=person.user.pk),
    AskTicket: lambda person: Q(user=person.user),
    Autosave: lambda person: Q(user=person.user),
    Attachment: lambda person: Q(created_by=person.user, doc=None),
    ApiKey: lambda person: Q(user=person.user),
    Invitation: lambda person: (
        Q(accepted_by=person.user)
        | Q(username=person.username)
        | Q(email=person.email, email__gt="")
    ),
}


@dataclass(frozen=True, slots=True)
class Person:
    """Whom to look for: the account, the names that it had, and (in one tenant) what they asked."""

    user: User
    username: str
    email: str
    asked: Sequence[UUID] = ()


@dataclass(slots=True)
class Erased:
    """What was deleted: rows by table, and for an organisation where its chain ended."""

    rows: dict[str, int] = field(default_factory=dict)
    accounts: int = 0
    last_seq: int = 0
    last_hash: str = audit.GENESIS

    def count(self, model: type[models.Model], rows: int) -> None:
        if rows:
            table = model._meta.db_table
            self.rows[table] = self.rows.get(table, 0) + rows


def erase_user(user: User) -> Erased:
    """Forget a person, in every organisation that they belong or belonged to. Raises ``NotOwner``.

    The account is closed first and for itself, so that nothing new is written meanwhile. Running it
    again, under the account's new name, finishes what was interrupted.
    """
    _require_owner()
    person = Person(user, username=user.username, email=user.email)
    with transaction.atomic(using=OWNER_ALIAS):
        _anonymise(user)
    erased = Erased(accounts=1)
    tenant_ids = Membership.objects.filter(user=user).values_list("tenant_id", flat=True)
    for tenant_id in tenant_ids:
        _erase_banks(tenant_id, user, erased)
    with transaction.atomic(using=OWNER_ALIAS):
        for tenant_id in sorted(tenant_ids):
            with tenancy.scope(tenant_id):
                _erase_in(tenant_id, person, erased)
    return erased


def _erase_banks(tenant_id: UUID, user: User, erased: Erased) -> None:
    """What only this person could open. In transactions of their own: a bank can be large."""
    with tenancy.scope(tenant_id):
        owned = list(Bank.objects.filter(owner=user, access=Access.PRIVATE))
    for bank in owned:
        with tenancy.scope(tenant_id):
            banks.delete(bank)
        erased.count(Bank, 1)


def _erase_in(tenant_id: UUID, person: Person, erased: Erased) -> None:
    user = person.user
    questions = AskedQuestion.objects.using(OWNER_ALIAS).filter(
        tenant_id=tenant_id, asked_by=user.pk
    )
    asked = list(questions.order_by("created_at", "question_id").values_list("pk", flat=True))
    person = replace(person, asked=asked)
    for model, belongs in OF_A_PERSON.items():
        rows = model._base_manager.using(OWNER_ALIAS).filter(tenant_id=tenant_id)
        erased.count(model, rows.filter(belongs(person))._raw_delete(OWNER_ALIAS))
    for ids in _batches(asked):
        audit.append(
            audit_kinds.QA_ERASED,
            {"question_ids": ids, "erased_by": ERASED_BY, "user_id": user.pk},
            using=OWNER_ALIAS,
        )


def _anonymise(user: User) -> None:
    user.username = f"erased-{user.pk.hex[:12]}"
    user.first_name = user.last_name = user.email = ""
    user.is_active = user.is_staff = user.is_superuser = False
    user.last_login = None
    user.set_unusable_password()
    user.save(using=OWNER_ALIAS)
    Membership.objects.using(OWNER_ALIAS).filter(user=user).update(is_active=False, groups=[])


def erase_tenant(tenant: Tenant) -> Erased:
    """Forget an organisation: every row of it, and the accounts that belong nowhere else.

    Raises ``NotOwner``. The end of its chain is returned: whoever kept a copy can still verify it.
    """
    _require_owner()
    erased = Erased()
    with transaction.atomic(using=OWNER_ALIAS):
        head = (
            AuditHead.objects.using(OWNER_ALIAS).select_for_update().filter(tenant=tenant).first()
        )
        if head is not None:
            erased.last_seq, erased.last_hash = head.seq, head.hash
        for model in tenant_models():  # foreign keys are checked at the end of the transaction
            erased.count(model, _delete_rows(model, tenant.pk))
        members = Membership.objects.using(OWNER_ALIAS)
        elsewhere = members.exclude(tenant=tenant).values("user_id")
        only_here = User.objects.using(OWNER_ALIAS).filter(memberships__tenant=tenant)
        accounts = list(only_here.exclude(pk__in=elsewhere).values_list("pk", flat=True))
        erased.count(Membership, members.filter(tenant=tenant)._raw_delete(OWNER_ALIAS))
        erased.accounts = len(accounts)
        User.objects.using(OWNER_ALIAS).filter(pk__in=accounts).delete()
        erased.count(
            Tenant, Tenant.objects.using(OWNER_ALIAS).filter(pk=tenant.pk)._raw_delete(OWNER_ALIAS)
        )
    return erased


def tenant_models() -> list[type[TenantModel]]:
    return [model for model in apps.get_models() if issubclass(model, TenantModel)]


def _delete_rows(model: type[TenantModel], tenant_id: UUID) -> int:
    statement = sql.SQL("DELETE FROM {} WHERE tenant_id = %s").format(
        sql.Identifier(model._meta.db_table)
    )
    with connections[OWNER_ALIAS].cursor() as cursor:
        cursor.execute(statement, [tenant_id])
        return int(cursor.rowcount)


def _require_owner() -> None:
    if OWNER_ALIAS not in connections:
        raise NotOwner("Erasing needs the owner of the tables: set DATABASE_OWNER_URL.")


def _batches(ids: list[UUID]) -> Iterator[list[UUID]]:
    rest = iter(ids)
    while batch := list(islice(rest, _IDS_PER_ENTRY)):
        yield batch
