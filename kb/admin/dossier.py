"""All that is known about one asked question, for its page in the administration.

The stored text is shown as it was answered, also where the page has changed or gone since: the state
of each citation says so. Everything here is text, and the template escapes it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from kb import access, addresses, feedback, history
from kb.admin import badges
from kb.models import BaseQuestion, Doc, Feedback, QaQuestion, QaTrace
from memory import audit
from memory.admin.base import pretty
from memory.models import AuditEntry, Event, Membership, User

_FOOTNOTE = re.compile(r"\[(\d{1,3})\]")


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of the answer's text, or (with a number) a footnote's mark."""

    text: str
    number: int | None = None


@dataclass(frozen=True, slots=True)
class CitedQuote:
    stored: Mapping[str, Any]
    state: str
    state_name: Any
    colour: str
    url: str | None


@dataclass(frozen=True, slots=True)
class AuditRow:
    entry: AuditEntry
    holds: bool


@dataclass(frozen=True, slots=True)
class Dossier:
    question: QaQuestion | BaseQuestion
    trace: QaTrace | None
    page: Doc | None
    page_url: str | None
    person: User | None
    kind_name: Any
    kind_colour: str
    answer: Sequence[Piece]
    quotes: Sequence[CitedQuote]
    claims: Sequence[Mapping[str, Any]]
    timings: Sequence[tuple[str, float]]
    context: str  # stored JSON as escaped text
    votes: Sequence[Feedback]
    audit_rows: Sequence[AuditRow]
    events: Sequence[Event]


def compile_dossier(admin: Membership, question: QaQuestion | BaseQuestion) -> Dossier:
    """Seven queries."""
    trace = QaTrace.objects.filter(question_id=question.question_id).first()
    asked = {question.doc_id} if question.doc_id else set()
    wanted = {UUID(one["doc_id"]) for one in question.citations} | asked
    live = {
        doc.pk: doc
        for doc in access.readable_docs(admin)
        .filter(pk__in=wanted)
        .select_related("published_revision")
    }
    page = None
    if question.doc_id is not None:
        page = live.get(question.doc_id) or Doc.objects.filter(pk=question.doc_id).first()
    visible = page is not None and page.deleted_at is None
    audit_rows, events = _records(question.trace_id or "")
    return Dossier(
        question=question,
        trace=trace,
        page=page,
        page_url=addresses.page_url(admin.tenant.slug, page.slug) if page and visible else None,
        person=User.objects.filter(pk=question.asked_by).first(),
        kind_name=badges.KIND_NAMES[question.answer_kind],
        kind_colour=badges.KIND_COLOURS[question.answer_kind],
        answer=_pieces(question),
        quotes=[_quote(one, admin, live) for one in question.citations],
        claims=[_claim(one) for one in (trace.claims if trace else ())],
        timings=sorted((trace.timings_ms if trace else {}).items(), key=lambda one: -one[1]),
        context=pretty(trace.context) if trace else "",
        votes=feedback.votes_on([question.pk]).get(question.pk, []),
        audit_rows=audit_rows,
        events=events,
    )


def _pieces(question: QaQuestion | BaseQuestion) -> list[Piece]:
    """The answer's text, cut at the footnotes that exist."""
    text = question.answer_text or ""
    known = {int(one["n"]) for one in question.citations}
    pieces: list[Piece] = []
    position = 0
    for match in _FOOTNOTE.finditer(text):
        number = int(match[1])
        if number not in known:
            continue
        if before := text[position : match.start()].rstrip():
            pieces.append(Piece(before))
        pieces.append(Piece(match[0], number))
        position = match.end()
    if rest := text[position:]:
        pieces.append(Piece(rest))
    return pieces


def _quote(citation: Mapping[str, Any], admin: Membership, live: Mapping[UUID, Doc]) -> CitedQuote:
    state = history.citation_state(citation, live)
    doc = live.get(UUID(citation["doc_id"]))
    return CitedQuote(
        stored=citation,
        state=state.value,
        state_name=badges.CITATION_NAMES[state],
        colour=badges.CITATION_COLOURS[state],
        url=addresses.mark_url(admin.tenant.slug, doc.slug, citation) if doc else None,
    )


def _claim(claim: Mapping[str, Any]) -> dict[str, Any]:
    checks = claim.get("checks", {})
    return {
        **claim,
        "verdict_name": badges.VERDICT_NAMES.get(claim["verdict"], claim["verdict"]),
        "checks": [
            {
                "name": badges.CHECK_NAMES.get(name, name),
                "result": result,
                "result_name": badges.RESULT_NAMES.get(result, result),
                "colour": badges.CHECK_COLOURS.get(result, ""),
            }
            for name, result in checks.items()
        ],
    }


def _records(trace_id: str) -> tuple[list[AuditRow], list[Event]]:
    if not trace_id:
        return [], []
    entries = AuditEntry.objects.filter(trace_id=trace_id).order_by("seq")
    rows = [AuditRow(entry, audit.entry_hash(entry) == entry.hash) for entry in entries]
    return rows, list(Event.objects.filter(trace_id=trace_id).order_by("created_at"))
