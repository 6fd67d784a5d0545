"""Forgetting a person or an organisation: what goes, what stays, and that the audit still holds."""

from __future__ import annotations

import uuid
from io import StringIO
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connections, models
from django.db.models import CASCADE
from django.test import Client

from kb import auditing, erasure, feedback, limits, recording
from kb.erasure import OF_A_PERSON
from kb.models import (
    AskTicket,
    Autosave,
    Doc,
    Feedback,
    ImportJob,
    QaQuestion,
    QaTrace,
    Revision,
    ShareLink,
)
from kb.outcome import Outcome
from memory import banks, tenancy
from memory.models import (
    Access,
    ApiKey,
    AuditEntry,
    AuditHead,
    Bank,
    BankKind,
    Invitation,
    Membership,
    MemoryChange,
    Node,
    Operation,
    Role,
    Tenant,
    TenantModel,
    User,
)
from memory.people import invitations, keys, members
from memory.retain.engine import retain
from memory.retain.items import RetainItem
from memory.types import AnswerKind, Reason
from tests.factories import Org, make_org, make_page

# Tables that name a person and are the organisation's: what somebody wrote, shared or brought in.
KEPT = {Doc, Revision, ShareLink, ImportJob, Bank, MemoryChange, Operation}


def ask(org: Org, doc: Doc, member: Membership, text: str = "What is the fee?") -> uuid.UUID:
    """A finished ask that was declined."""
    with tenancy.scope(org.tenant.pk):
        admission = limits.admit(
            member, doc, text, trace_id=uuid.uuid4().hex, client_token=None, counted=True
        )
        recording.open_ask(admission.ticket)
        outcome = Outcome(
            kind=AnswerKind.DECLINE_NO_EVIDENCE,
            answer_text="These pages do not cover this.",
            reason=Reason.NOT_COVERED,
        )
        return recording.close_ask(
            admission.ticket, member, text, outcome, remaining=admission.remaining
        ).question_id


def rows(org: Org, model: type[TenantModel], **fields: Any) -> int:
    with tenancy.scope(org.tenant.pk):
        return model._base_manager.filter(**fields).count()


def erase(*arguments: str) -> str:
    out = StringIO()
    call_command("erase", *arguments, stdout=out)
    return out.getvalue()


def test_every_table_that_names_a_person_is_erased_or_kept_on_purpose() -> None:
    naming = {
        model
        for model in apps.get_models()
        if issubclass(model, TenantModel)
        and any(
            isinstance(field, models.ForeignKey) and field.related_model is User
            for field in model._meta.get_fields()
        )
    }
    assert naming <= set(OF_A_PERSON) | KEPT
    cascading = {
        model
        for model in naming
        for field in model._meta.get_fields()
        if isinstance(field, models.ForeignKey)
        and field.related_model is User
        and field.remote_field.on_delete is CASCADE
    }
    assert cascading <= set(OF_A_PERSON)


def test_person_is_forgotten_and_the_chain_still_holds(committed_db: None) -> None:
    org = make_org()
    doc = make_page(org, "The fee is 20.")
    mine, others = ask(org, doc, org.reader), ask(org, doc, org.editor)
    with tenancy.scope(org.tenant.pk):
        feedback.give(org.reader, mine, vote="up", comment="Helpful")
        feedback.give(org.admin, mine, vote="down")
        keys.create_key(org.reader)
    erase("--user", org.reader.user.username, "--yes")
    assert rows(org, QaQuestion) == rows(org, QaTrace) == rows(org, AskTicket) == 1
    assert rows(org, QaQuestion, question_id=others) == 1
    assert rows(org, Feedback) == rows(org, ApiKey) == 0
    report = auditing.verify(org.tenant.pk)
    assert (report.broken, report.erased) == ("", 1)
    with tenancy.scope(org.tenant.pk):
        last = AuditEntry.objects.order_by("-seq").first()
    assert last is not None
    assert (last.kind, last.body) == (
        "kb.qa_erased",
        {
            "question_ids": [str(mine)],
            "erased_by": "owner",
            "user_id": str(org.reader.user_id),
        },
    )


def test_account_keeps_no_name_and_no_way_in(committed_db: None) -> None:
    org = make_org()
    members.add(org.tenant, "mai", Role.EDITOR, groups=["hr"], password="correct-horse")
    user = User.objects.get(username="mai")
    user.first_name, user.last_name, user.email = "Mai", "Tran", "mai@example.org"
    user.save()
    signed_in = Client()
    assert signed_in.login(username="mai", password="correct-horse")
    erase("--user", "mai", "--yes")
    user = User.objects.get(pk=user.pk)
    assert user.username == f"erased-{user.pk.hex[:12]}"
    assert user.first_name == user.last_name == user.email == ""
    assert not user.is_active
    assert not user.has_usable_password()
    membership = Membership.objects.get(user=user)
    assert (membership.is_active, membership.groups) == (False, [])
    assert signed_in.get(f"/{org.tenant.slug}/questions")["Location"].startswith("/sign-in")


def test_pages_of_a_forgotten_writer_stay(committed_db: None) -> None:
    org = make_org()
    doc = make_page(org, "The fee is 20.")
    erase("--user", org.editor.user.username, "--yes")
    with tenancy.scope(org.tenant.pk):
        kept = Doc.objects.select_related("owner").get(pk=doc.pk)
    assert str(kept.owner).startswith("erased-")


def test_private_banks_of_a_forgotten_person_go_and_shared_ones_stay(committed_db: None) -> None:
    org = make_org()
    with tenancy.scope(org.tenant.pk):
        mine = banks.open_or_create(org.editor, "mine", access=Access.PRIVATE)
        ours = banks.open_or_create(org.editor, "ours")
        for bank in (mine, ours):
            retain(bank.pk, [RetainItem(content="My salary is 4,200 euros.")])
    erase("--user", org.editor.user.username, "--yes")
    with tenancy.scope(org.tenant.pk):
        assert [bank.name for bank in Bank.objects.filter(kind=BankKind.MEMORY)] == ["ours"]
        assert set(Node.objects.values_list("bank_id", flat=True)) == {ours.pk}


def test_person_is_forgotten_in_every_organisation_and_nobody_else_is(committed_db: None) -> None:
    org, other = make_org(), make_org()
    Membership.objects.create(tenant=other.tenant, user=org.reader.user, is_active=False)
    there = Membership.objects.select_related("user", "tenant").get(
        tenant=other.tenant, user=org.reader.user
    )
    ask(org, make_page(org, "Words."), org.reader)
    doc = make_page(other, "Words.")
    ask(other, doc, there)
    ask(other, doc, other.reader)
    erase("--user", org.reader.user.username, "--yes")
    assert (rows(org, QaQuestion), rows(other, QaQuestion)) == (0, 1)
    for tenant in (org.tenant, other.tenant):
        assert auditing.verify(tenant.pk).broken == ""


def test_question_taken_away_without_being_named_is_still_noticed(committed_db: None) -> None:
    org = make_org()
    doc = make_page(org, "Words.")
    ask(org, doc, org.reader)
    stolen = ask(org, doc, org.editor)
    erase("--user", org.reader.user.username, "--yes")
    _as_owner("DELETE FROM kb_qatrace WHERE question_id = %s", stolen)
    _as_owner("DELETE FROM kb_qa_questions WHERE question_id = %s", stolen)
    report = auditing.verify(org.tenant.pk)
    assert str(stolen) in report.broken
    assert "is missing" in report.broken


def test_question_named_as_erased_that_is_still_there_is_noticed(committed_db: None) -> None:
    org = make_org()
    kept = ask(org, make_page(org, "Words."), org.reader)
    with tenancy.scope(org.tenant.pk):
        from memory import audit

        audit.append(
            "kb.qa_erased", {"question_ids": [kept], "erased_by": "owner", "user_id": None}
        )
    assert "was erased, and it is there" in auditing.verify(org.tenant.pk).broken


def test_organisation_is_forgotten_whole_and_its_neighbour_untouched(committed_db: None) -> None:
    org, other = make_org(), make_org()
    for each in (org, other):
        doc = make_page(each, "The fee is 20. See [[Page]].")
        ask(each, doc, each.reader)
        with tenancy.scope(each.tenant.pk):
            keys.create_key(each.admin)
    Membership.objects.create(tenant=other.tenant, user=org.editor.user)
    with tenancy.scope(org.tenant.pk):
        head = AuditHead.objects.get()
    before = _count_by_table(other.tenant.pk)
    said = erase("--tenant", org.tenant.slug, "--yes")
    assert said.splitlines()[-1] == f"Its chain ended at entry {head.seq}: {head.hash}"
    assert _count_by_table(org.tenant.pk) == {}
    assert _count_by_table(other.tenant.pk) == before
    assert not Tenant.objects.filter(pk=org.tenant.pk).exists()
    left = set(User.objects.values_list("username", flat=True))
    assert org.editor.user.username in left  # belongs elsewhere too
    assert not {org.admin.user.username, org.reader.user.username} & left
    assert auditing.verify(other.tenant.pk).broken == ""


def test_nothing_is_erased_without_yes(committed_db: None) -> None:
    org = make_org()
    for arguments in (("--user", org.reader.user.username), ("--tenant", org.tenant.slug)):
        with pytest.raises(CommandError, match="--yes"):
            erase(*arguments)
    assert User.objects.filter(username=org.reader.user.username).exists()
    assert Tenant.objects.filter(pk=org.tenant.pk).exists()


@pytest.mark.django_db
def test_unknown_names_are_said_to_be_unknown() -> None:
    with pytest.raises(CommandError, match="no user nobody"):
        erase("--user", "nobody", "--yes")
    with pytest.raises(CommandError, match="no organisation nowhere"):
        erase("--tenant", "nowhere", "--yes")


@pytest.mark.django_db
def test_application_role_cannot_erase(monkeypatch: pytest.MonkeyPatch) -> None:
    org = make_org()
    monkeypatch.setattr("kb.erasure.OWNER_ALIAS", "not-configured")
    with pytest.raises(CommandError, match="DATABASE_OWNER_URL"):
        erase("--user", org.reader.user.username, "--yes")


def _as_owner(statement: str, *parameters: object) -> None:
    with connections["owner"].cursor() as cursor:
        cursor.execute(statement, parameters)
    connections["owner"].close()


def _count_by_table(tenant_id: uuid.UUID) -> dict[str, int]:
    counts = {}
    with connections["owner"].cursor() as cursor:
        for model in erasure.tenant_models():
            table = model._meta.db_table
            cursor.execute(f"SELECT count(*) FROM {table} WHERE tenant_id = %s", [tenant_id])
            if count := cursor.fetchone()[0]:
                counts[table] = count
    connections["owner"].close()
    return counts


def test_invitations_sent_to_a_forgotten_person_go_and_those_they_sent_stay(
    committed_db: None,
) -> None:
    org = make_org()
    user = org.admin.user
    user.email = "mai@example.org"
    user.save()
    invitations.invite(org.admin, role=Role.READER, email="somebody@example.org")
    for fields in ({"email": user.email}, {"username": user.username}):
        invitations.invite(org.admin, role=Role.READER, **fields)
    erase("--user", user.username, "--yes")
    with tenancy.scope(org.tenant.pk):
        assert [one.email for one in Invitation.objects.all()] == ["somebody@example.org"]


def test_drafts_of_a_forgotten_person_go(committed_db: None) -> None:
    org = make_org()
    doc = make_page(org, "Words.")
    with tenancy.scope(org.tenant.pk):
        for member in (org.editor, org.admin):
            Autosave.objects.create(
                tenant=org.tenant, user=member.user, doc=doc, source="x", source_format="markdown"
            )
    erase("--user", org.editor.user.username, "--yes")
    assert rows(org, Autosave) == 1
