"""Two organisations side by side. Everything of the first carries a word that the other must never see.

WORD    in every name, title, text, slug, question and comment of organisation A
SECRET  in everything of A's one restricted page, which A's reader and other editor may not see
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from io import BytesIO
from typing import Any

from django.test import Client
from django.utils import timezone
from PIL import Image

from kb import attachments, autosaving, feedback, index, intake, limits, recording, sharing
from kb.intake import PageFields
from kb.models import (
    AskTicket,
    Attachment,
    BaseQuestion,
    Doc,
    DocLink,
    ImportedFile,
    ImportJob,
    QaQuestion,
    Status,
    Visibility,
)
from kb.outcome import Outcome
from memory import events, tenancy
from memory.events import EventName
from memory.models import (
    ApiKey,
    AuditEntry,
    Event,
    Invitation,
    Membership,
    Role,
    Tenant,
    User,
)
from memory.people import invitations, keys, members
from memory.types import AnswerKind, Reason
from tests.sweep import memory_world

WORD = "wyrmword"
SECRET = "grimword"
GROUP = "vault"


@dataclass(frozen=True)
class Target:
    """Every object that an address can name, by the name that addresses use for it."""

    values: dict[str, Any]


@dataclass(frozen=True)
class World:
    tenant: Tenant
    other: Tenant
    page: Target  # of A, for all of A
    secret: Target  # of A's restricted page
    missing: Target  # as well formed as the others, and not there
    clients: dict[str, Client]
    members: dict[str, Membership]


def build() -> World:
    a, b = _tenant(f"{WORD}-house"), _tenant("elsewhere")
    people = {
        "owner": _join(a, f"{WORD}-owner", Role.EDITOR, GROUP),
        "editor": _join(a, f"{WORD}-editor", Role.EDITOR),
        "reader": _join(a, f"{WORD}-reader", Role.READER),
        "admin": _join(a, f"{WORD}-admin", Role.ADMIN),
        "outsider": _join(b, "outsider", Role.ADMIN),
    }
    stranger = User.objects.create_user("stranger")
    with tenancy.scope(a.pk):
        page = _page(people, title=f"{WORD.title()} ledger", text=f"The {WORD} fee is 20.")
        secret = _page(
            people,
            title=f"{SECRET.title()} dossier",
            text=f"The {SECRET} bonus is 90000. See [[{WORD}-ledger]].",
            by="owner",
            visibility=Visibility.ROLE_RESTRICTED,
            allowed_groups=[GROUP],
        )
        _link_to(people["owner"], page.values["doc_id"], secret.values["doc_id"])
        _the_rest(people)
    with tenancy.scope(b.pk):
        _page(
            {"reader": people["outsider"], "owner": people["outsider"]}, title="Elsewhere", text="x"
        )
    missing = Target(
        {
            name: uuid.uuid4() if isinstance(value, uuid.UUID) else value
            for name, value in page.values.items()
        }
        | {"tenant": str(uuid.uuid4()), "tenant_slug": "no-such-house", "slug": "no-such-page"}
        | memory_world.MISSING
        | {name: _tampered(page.values[name]) for name in ("token", "invitation")}
    )
    return World(
        tenant=a,
        other=b,
        page=page,
        secret=secret,
        missing=missing,
        clients=_clients(people, stranger),
        members=people,
    )


def _tenant(slug: str) -> Tenant:
    return Tenant.objects.create(slug=slug, name=slug.replace("-", " ").title())


def _join(tenant: Tenant, username: str, role: Role, *groups: str) -> Membership:
    member = members.add(tenant, username, role, groups=groups)
    user = member.user
    user.email, user.last_name = f"{username}@example.org", username.title()
    user.save()
    return member


def _page(
    people: dict[str, Membership], *, title: str, text: str, by: str = "reader", **fields: Any
) -> Target:
    """A page with a history: an image, two revisions, a former address, a share link, an answered ask."""
    owner = people["owner"]
    tenant = owner.tenant
    image = attachments.store(owner, _png(), name=f"{title}.png")
    markup = attachments.markup_of(tenant.slug, image, source_format="markdown")
    source = f"# {title}\n\n{text}\n\n{markup}"
    fields = {"status": Status.PUBLISHED, "language": "en", **fields}
    doc = intake.create_page(owner, PageFields(title=title, source=text, slug="former", **fields))
    slug = title.lower().replace(" ", "-")
    intake.update_page(owner, doc, PageFields(source=source, slug=slug))
    index.embed_page(tenant.pk, doc.pk)
    link = sharing.create_link(owner, doc, expires_at=timezone.now() + timedelta(days=1))
    sharing.open_link(sharing.token_of(link))
    question_id = _ask(people[by], doc, f"What about {title}?")
    feedback.give(people[by], question_id, "down", f"{title} was no help")
    autosaving.keep(owner, doc, title=title, source=text, source_format="markdown", base_revision=2)
    job = ImportJob.objects.create(
        tenant=tenant, origin=title, archive=b"", created_by=owner.user, report=[]
    )
    _, invitation = invitations.invite(
        people.get("admin", owner), role=Role.READER, email=f"{slug}@example.org"
    )
    return Target(
        {
            "tenant": str(tenant.pk),
            "tenant_slug": tenant.slug,
            "slug": slug,
            "number": 2,
            "doc_id": doc.pk,
            "question_id": question_id,
            "link_id": link.pk,
            "attachment_id": image.pk,
            "job_id": job.pk,
            "name": "image.png",
            "token": sharing.token_of(link),
            "invitation": invitation,
            "uidb64": "MQ",
            "rest": "kb/nothing",
            **memory_world.bank_of(
                owner,
                title=title,
                text=text,
                is_private=fields.get("visibility") == Visibility.ROLE_RESTRICTED,
            ),
        }
    )


def _ask(member: Membership, doc: Doc | None, question: str) -> uuid.UUID:
    admission = limits.admit(
        member, doc, question, trace_id=uuid.uuid4().hex, client_token=None, counted=True
    )
    recording.open_ask(admission.ticket)
    outcome = Outcome(
        kind=AnswerKind.DECLINE_NO_EVIDENCE,
        answer_text=f"Nothing is said about {question}",
        reason=Reason.NOT_COVERED,
    )
    record = recording.close_ask(admission.ticket, member, question, outcome, remaining=49)
    return record.question_id


def _link_to(owner: Membership, source_id: Any, target_id: Any) -> None:
    """Linked by its id, so that the open page's own words do not name the secret one."""
    source = Doc.objects.get(pk=source_id)
    words = Doc.objects.select_related("head_revision").get(pk=source_id).head_revision
    assert words is not None
    intake.update_page(
        owner, source, PageFields(source=f"{words.source}\n\n[See also](/kb/{target_id}).")
    )
    assert DocLink.objects.filter(source_id=source_id, target_id=target_id).exists()


def _the_rest(people: dict[str, Membership]) -> None:
    """A row in every table that pages do not fill."""
    owner = people["owner"]
    keys.create_key(people["reader"], name=f"{WORD} script")
    _ask(people["reader"], None, f"What about {WORD} anywhere?")
    binned = intake.create_page(owner, PageFields(title=f"{WORD} in the bin", source=WORD))
    intake.delete_page(owner, binned)
    events.record(EventName.ASK_FAULT, question_id=WORD)
    doc = Doc.objects.get(slug=f"{WORD}-ledger")
    ImportedFile.objects.create(
        tenant=owner.tenant,
        origin=WORD,
        path=f"{WORD}.md",
        doc=doc,
        revision_id=doc.head_revision_id,
        digest="0" * 64,
    )


def _clients(people: dict[str, Membership], stranger: User) -> dict[str, Client]:
    clients = {"anonymous": Client(), "stranger": Client()}
    clients["stranger"].force_login(stranger)
    for name, member in people.items():
        clients[name] = Client()
        clients[name].force_login(member.user)
    for name in ("reader", "owner", "admin", "outsider"):
        clients[f"key of {name}"] = _with_key(people[name])
    return clients


def _with_key(member: Membership) -> Client:
    with tenancy.scope(member.tenant_id):
        key = keys.create_key(member, name=f"{member.user.username} key")
    return Client(headers={"Authorization": f"Bearer {key}"})


def _tampered(token: str) -> str:
    return token[:-1] + ("A" if token[-1] != "A" else "B")


def _png() -> bytes:
    file = BytesIO()
    Image.new("RGB", (4, 4), "teal").save(file, "PNG")
    return file.getvalue()


def rows_of(world: World) -> dict[type, Callable[[], Any]]:
    """For each model that the administration shows, a row of A. A new class needs an entry."""
    return {
        Tenant: lambda: world.tenant,
        Membership: lambda: world.members["reader"],
        User: lambda: world.members["reader"].user,
        ApiKey: lambda: ApiKey.objects.filter(name=f"{WORD} script").get(),
        Invitation: lambda: Invitation.objects.first(),
        AuditEntry: lambda: AuditEntry.objects.order_by("seq").first(),
        Event: lambda: Event.objects.first(),
        Doc: lambda: Doc.objects.get(pk=world.page.values["doc_id"]),
        QaQuestion: lambda: QaQuestion.objects.get(pk=world.page.values["question_id"]),
        BaseQuestion: lambda: BaseQuestion.objects.get(),
        **memory_world.rows_of(world.page.values),
        AskTicket: lambda: AskTicket.objects.first(),
        Attachment: lambda: Attachment.objects.first(),
    }
