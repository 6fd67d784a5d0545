"""The history as a reader may see it today. The stored rows never change; what is shown of them does.

    current   the words are still at their place in the live revision
    changed   the page is live, the words are not at that place
    removed   the page is gone, or this reader may no longer read it

An answer that cites a removed page is shown without its text: it says what that page said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from kb import access, presenting, recording
from kb.models import Doc, QaQuestion, QaTrace
from kb.outcome import Record
from memory.models import Membership, User


class CitationState(StrEnum):
    CURRENT = "current"
    CHANGED = "changed"
    REMOVED = "removed"


def questions_for(member: Membership, *, doc_id: UUID | None = None) -> QuerySet[QaQuestion]:
    """A member's own questions; an admin's are everybody's. Newest first."""
    questions = QaQuestion.objects.order_by("-created_at", "question_id")
    if not member.is_admin:
        questions = questions.filter(asked_by=member.user_id)
    return questions.filter(doc_id=doc_id) if doc_id is not None else questions


def present(member: Membership, questions: Sequence[QaQuestion]) -> list[dict[str, Any]]:
    """A page of history: five queries, however long the page is."""
    traces = {
        trace.question_id: trace
        for trace in QaTrace.objects.filter(
            question_id__in=[question.question_id for question in questions]
        )
    }
    records = [
        recording.record_of(question, traces[question.question_id])
        for question in questions
        if question.question_id in traces
    ]
    cited = {UUID(one["doc_id"]) for record in records for one in record.citations}
    live = {
        doc.pk: doc
        for doc in access.askable_docs(member)
        .filter(pk__in=cited)
        .select_related("published_revision", "head_revision")
    }
    names = dict(
        User.objects.filter(pk__in={record.asked_by for record in records}).values_list(
            "pk", "username"
        )
    )
    dates = presenting.revision_dates(
        citation for record in records for citation in record.citations
    )
    return [_shown(record, member, live, names, dates) for record in records]


def _shown(
    record: Record,
    member: Membership,
    live: Mapping[UUID, Doc],
    names: Mapping[UUID, str],
    dates: Mapping[tuple[str, int], str],
) -> dict[str, Any]:
    states = [citation_state(citation, live) for citation in record.citations]
    shown = presenting.reply_without_urls(record) | {
        "question_text": record.question_text,
        "asked_by": names.get(record.asked_by, ""),
        "created_at": record.created_at.isoformat(),
        "citations": [
            _citation(citation, state, member, live, dates)
            for citation, state in zip(record.citations, states, strict=True)
        ],
    }
    if CitationState.REMOVED in states:
        shown["answer_text"] = _("This answer rests on a page that is no longer there for you.")
        shown["claims"] = []
    return shown


def citation_state(citation: Mapping[str, Any], live: Mapping[UUID, Doc]) -> CitationState:
    doc = live.get(UUID(citation["doc_id"]))
    revision = doc and (doc.published_revision or doc.head_revision)
    if revision is None:
        return CitationState.REMOVED
    there = revision.text[citation["char_start"] : citation["char_end"]]
    return CitationState.CURRENT if there == citation["quote"] else CitationState.CHANGED


def _citation(
    citation: Mapping[str, Any],
    state: CitationState,
    member: Membership,
    live: Mapping[UUID, Doc],
    dates: Mapping[tuple[str, int], str],
) -> dict[str, Any]:
    if state is CitationState.REMOVED:
        return {"n": citation["n"], "state": state.value}
    slug = live[UUID(citation["doc_id"])].slug
    url = presenting.mark_url(member.tenant.slug, slug, citation)
    revised_at = dates.get((citation["doc_id"], citation["revision"]))
    return {**citation, "revised_at": revised_at, "url": url, "state": state.value}
