"""What a knowledge base needs from its editors: links that lead nowhere, pages that nobody links to,
pages in the bin, questions that were not answered.

Every list is made from pages that this editor may change, and tells nothing of the others: a link to
a page that they may not see counts as one to a page that is not there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from kb import access
from kb.links import TargetKind, link_name, parse_target
from kb.models import AskedQuestion, Doc, DocLink, QaTrace, Status
from memory.models import Membership, User
from memory.types import AnswerKind, Reason

# A fault of ours or a page that was still being prepared says nothing about what the page lacks.
_UP_TO_THE_PAGE = (
    Reason.NOT_COVERED,
    Reason.PAGE_EMPTY,
    Reason.UNVERIFIED,
    Reason.LOW_CONFIDENCE,
)
_DECLINES = (AnswerKind.DECLINE_NO_EVIDENCE, AnswerKind.DECLINE_LOW_CONFIDENCE)
_WRITTEN_AT = Coalesce("published_revision__created_at", "head_revision__created_at")
MAX_LINKS = 2_000  # read for one report
MAX_QUESTIONS = 500


@dataclass(frozen=True, slots=True)
class DeadLink:
    """Links of one name that lead nowhere. ``title`` and ``slug`` begin the page that would mend them;
    ``binned`` is a page in the bin that they meant.
    """

    title: str
    slug: str
    wanted_by: tuple[Doc, ...]
    binned: Doc | None = None


@dataclass(frozen=True, slots=True)
class DeadLinks:
    broken: tuple[DeadLink, ...]  # to a page that was deleted, or by an id that no page has
    wanted: tuple[DeadLink, ...]  # to a page that is still to be written


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A question that was declined, however often. ``asked_by`` is empty for all but admins.

    ``doc`` is None where the whole knowledge base was asked.
    """

    doc: Doc | None
    question: str
    reason: str
    times: int
    last_asked: date
    asked_by: tuple[str, ...]
    is_older: bool  # the page was saved since: it may answer now


def editable_docs(member: Membership) -> QuerySet[Doc]:
    docs = access.visible_docs(member)
    return docs if member.can_write else docs.filter(owner_id=member.user_id)


def deleted_docs(member: Membership) -> QuerySet[Doc]:
    """Pages in the bin that the member may restore, those deleted last first."""
    docs = Doc.objects.filter(access.audience(member), deleted_at__isnull=False)
    if not member.can_write:
        docs = docs.filter(owner_id=member.user_id)
    return docs.order_by("-deleted_at", "pk")


def orphans(member: Membership) -> QuerySet[Doc]:
    """Live pages that no page visible to the member links to: they are found by search alone."""
    inbound = DocLink.objects.filter(
        target=OuterRef("pk"), source__in=access.visible_docs(member)
    ).exclude(source=OuterRef("pk"))
    return (
        editable_docs(member)
        .exclude(status=Status.ARCHIVED)
        .filter(~Exists(inbound))
        .order_by("title", "pk")
    )


def dead_links(member: Membership) -> DeadLinks:
    """By name, those that most pages want first."""
    links = (
        DocLink.objects.filter(source__in=editable_docs(member).exclude(status=Status.ARCHIVED))
        .filter(Q(target=None) | ~Q(target__in=access.visible_docs(member)))
        .select_related("source")
        .order_by("source__title", "href")[:MAX_LINKS]
    )
    named: dict[tuple[bool, str], list[DocLink]] = {}
    for link in links:
        target = parse_target(link.href)
        if target is not None:
            by_id = target.kind is TargetKind.DOC
            named.setdefault((by_id, link_name(target) or target.value), []).append(link)
    bin_ = _Bin(deleted_docs(member))
    broken: list[DeadLink] = []
    wanted: list[DeadLink] = []
    for (by_id, _), group in named.items():
        dead = _dead_link(group, bin_)
        (broken if by_id or dead.binned else wanted).append(dead)
    return DeadLinks(_most_wanted(broken), _most_wanted(wanted))


def unanswered(member: Membership) -> list[Unanswered]:
    """The latest declines of pages that the member may change, equal questions as one.

    Who may write pages sees those of the whole knowledge base, too.
    """
    editable = editable_docs(member).exclude(status=Status.ARCHIVED)
    rows = _declines(member, editable)
    docs: dict[UUID | None, Any] = dict(
        editable.annotate(written_at=_WRITTEN_AT).in_bulk(
            {row.doc_id for row in rows if row.doc_id}
        )
    )
    groups = _alike(row for row in rows if row.doc_id is None or row.doc_id in docs)
    latest = [group[0].question_id for group in groups]
    traces = QaTrace.objects.filter(question_id__in=latest)
    reasons = dict(traces.values_list("question_id", "reason"))
    names = _names(member, rows)
    return [
        Unanswered(
            doc=docs.get(last.doc_id),
            question=last.question_text,
            reason=reasons[last.question_id],
            times=len(group),
            last_asked=last.created_at.date(),
            asked_by=tuple(sorted({names[row.asked_by] for row in group if row.asked_by in names})),
            is_older=last.doc_id is not None and last.created_at < docs[last.doc_id].written_at,
        )
        for group in groups
        for last in group[:1]
    ]


def _declines(member: Membership, editable: QuerySet[Doc]) -> list[AskedQuestion]:
    """Newest first, without those that say nothing of a page."""
    declined = QaTrace.objects.filter(
        question_id=OuterRef("question_id"), reason__in=_UP_TO_THE_PAGE
    )
    theirs = Q(doc_id__in=editable.values("pk"))
    if member.can_write:
        theirs |= Q(doc_id=None)
    rows = AskedQuestion.objects.filter(theirs, Exists(declined), answer_kind__in=_DECLINES)
    return list(rows.order_by("-created_at")[:MAX_QUESTIONS])


def _alike(rows: Iterable[AskedQuestion]) -> list[list[AskedQuestion]]:
    """Together what was asked of one page in the same words, in the order of each first row."""
    groups: dict[tuple[UUID | None, str], list[AskedQuestion]] = {}
    for row in rows:
        key = (row.doc_id, " ".join(row.question_text.casefold().split()))
        groups.setdefault(key, []).append(row)
    return list(groups.values())


def _names(member: Membership, rows: Iterable[AskedQuestion]) -> dict[UUID, str]:
    if not member.is_admin:
        return {}
    users = User.objects.filter(pk__in={row.asked_by for row in rows})
    return {user.pk: str(user) for user in users}


class _Bin:
    """Deleted pages by what a link may call them."""

    def __init__(self, docs: QuerySet[Doc]) -> None:
        self._docs: dict[str, Doc] = {}
        for doc in docs:
            for name in (str(doc.pk), doc.slug, doc.title.casefold()):
                self._docs.setdefault(name, doc)

    def find(self, link: DocLink) -> Doc | None:
        target = parse_target(link.href)
        if target is None:
            return None
        value = target.value.strip("/")
        return self._docs.get(value) or self._docs.get(value.casefold())


def _dead_link(group: list[DocLink], bin_: _Bin) -> DeadLink:
    first = group[0]
    target = parse_target(first.href)
    assert target is not None
    is_wiki = target.kind is TargetKind.WIKI
    title = target.value if is_wiki else first.label or target.value
    slug = "" if is_wiki else target.value.strip("/").removeprefix("../")
    pages = {link.source_id: link.source for link in group}
    binned = next(filter(None, map(bin_.find, group)), None)
    return DeadLink(title, slug, tuple(pages.values()), binned)


def _most_wanted(links: list[DeadLink]) -> tuple[DeadLink, ...]:
    return tuple(sorted(links, key=lambda link: (-len(link.wanted_by), link.title.casefold())))
