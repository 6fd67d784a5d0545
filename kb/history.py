"""The history as a reader may see it today. The stored rows never change; what is shown of them does.

    current   the words are still at their place in the live revision
    changed   the page is live, the words are not at that place
    removed   the page is gone, or this reader may no longer read it

An answer that cites a removed page is shown without its text: it says what that page said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from kb import access, addresses, feedback, presenting, recording
from kb.models import AskedQuestion, Doc, Feedback, QaTrace
from kb.outcome import Record
from memory.models import Membership, User


class CitationState(StrEnum):
    CURRENT = "current"
    CHANGED = "changed"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryFilter:
    """Which questions. What is not set does not narrow.

    ``query`` is a trace's or a question's id, or words that all stand in the question. Answers are
    not searched: one that is hidden from its asker today would answer by being found.
    """

    kind: str = ""
    doc_id: UUID | None = None
    username: str = ""
    since: datetime | None = None
    until: datetime | None = None  # this moment and later ones are out
    query: str = ""


EVERYTHING = HistoryFilter()


def questions_for(
    member: Membership, wanted: HistoryFilter = EVERYTHING
) -> QuerySet[AskedQuestion]:
    """A member's own questions; an admin's are everybody's. Newest first."""
    questions = access.visible_questions(member)
    if wanted.kind:
        questions = questions.filter(answer_kind=wanted.kind)
    if wanted.doc_id is not None:
        questions = questions.filter(doc_id=wanted.doc_id)
    if wanted.username:
        askers = User.objects.filter(
            username=wanted.username, memberships__tenant_id=member.tenant_id
        )
        questions = questions.filter(asked_by__in=askers.values("pk"))
    if wanted.since is not None:
        questions = questions.filter(created_at__gte=wanted.since)
    if wanted.until is not None:
        questions = questions.filter(created_at__lt=wanted.until)
    return questions.filter(_found_by(wanted.query)).order_by("-created_at", "question_id")


def _found_by(query: str) -> Q:
    try:
        one = UUID(query)
    except ValueError:
        return Q(*(Q(question_text__icontains=word) for word in query.split()))
    return Q(trace_id=one.hex) | Q(question_id=one)


@dataclass(frozen=True, slots=True)
class _Around:
    """What a page of history needs besides its records, looked up once for all of them."""

    member: Membership
    live: Mapping[UUID, Doc]  # cited pages that this reader may read
    titles: Mapping[UUID, str]  # asked pages that this reader may open
    names: Mapping[UUID, str]
    dates: Mapping[tuple[str, int], str]
    votes: Mapping[UUID, Feedback]  # this reader's own


def present(member: Membership, questions: Sequence[AskedQuestion]) -> list[dict[str, Any]]:
    """A page of history: seven queries, however long the page is."""
    ids = [question.question_id for question in questions]
    traces = {trace.question_id: trace for trace in QaTrace.objects.filter(question_id__in=ids)}
    records = [
        recording.record_of(question, traces[question.question_id])
        for question in questions
        if question.question_id in traces
    ]
    cited = {UUID(one["doc_id"]) for record in records for one in record.citations}
    asked = {record.doc_id for record in records if record.doc_id is not None}
    askers = {record.asked_by for record in records}
    around = _Around(
        member=member,
        live={
            doc.pk: doc
            for doc in access.askable_docs(member)
            .filter(pk__in=cited)
            .select_related("published_revision", "head_revision")
        },
        titles=dict(access.visible_docs(member).filter(pk__in=asked).values_list("pk", "title")),
        names=dict(User.objects.filter(pk__in=askers).values_list("pk", "username")),
        dates=presenting.revision_dates(
            citation for record in records for citation in record.citations
        ),
        votes=feedback.last_votes(member.user_id, ids),
    )
    return [_shown(record, around) for record in records]


def _shown(record: Record, around: _Around) -> dict[str, Any]:
    states = [citation_state(citation, around.live) for citation in record.citations]
    vote = around.votes.get(record.question_id)
    shown = presenting.reply_without_urls(record) | {
        "question_text": record.question_text,
        "asked_by": around.names.get(record.asked_by, ""),
        "created_at": record.created_at.isoformat(),
        "doc_title": around.titles.get(record.doc_id) if record.doc_id else None,
        "citations": [
            _citation(citation, state, around)
            for citation, state in zip(record.citations, states, strict=True)
        ],
        "feedback": presenting.vote(vote) if vote is not None else None,
    }
    if CitationState.REMOVED in states:
        shown["answer_text"] = _("This answer rests on a page that is no longer there for you.")
        shown["claims"] = []
    return shown


def citation_state(citation: Mapping[str, Any], live: Mapping[UUID, Doc]) -> CitationState:
    doc = live.get(UUID(citation["doc_id"]))
    revision = None if doc is None else doc.published_revision or doc.head_revision
    if revision is None:
        return CitationState.REMOVED
    there = revision.text[citation["char_start"] : citation["char_end"]]
    return CitationState.CURRENT if there == citation["quote"] else CitationState.CHANGED


def _citation(citation: Mapping[str, Any], state: CitationState, around: _Around) -> dict[str, Any]:
    if state is CitationState.REMOVED:
        return {"n": citation["n"], "state": state.value}
    slug = around.live[UUID(citation["doc_id"])].slug
    return {
        **citation,
        "revised_at": around.dates.get((citation["doc_id"], citation["revision"])),
        "url": addresses.mark_url(around.member.tenant.slug, slug, citation),
        "state": state.value,
    }
