"""Asks every case as a reader would, and keeps what is needed to measure.

Nothing is counted against a limit and nothing enters the history.
"""

from __future__ import annotations

import time
from uuid import UUID

from kb import asking
from kb.asking import AskRequest
from kb.evaluation.asked import Asked
from kb.evaluation.page_sets import Arm, Case, Exam, holds_answer
from kb.evaluation.pages import Cast, Progress, prepare_pages
from kb.models import Doc, Revision
from kb.outcome import Outcome
from memory import tenancy
from memory.types import Reason

MAX_CITED = 2  # spans that count as the cited text of an answer


def run(exam: Exam, cast: Cast, *, report: Progress) -> list[Asked]:
    """Every case, page by page."""
    docs = prepare_pages(cast, exam.pages, report=report)
    stored = _Revisions(cast)
    asked: list[Asked] = []
    seen: set[str] = set()
    for case in sorted(exam.cases, key=lambda case: case.slug):
        asked.append(_ask(case, docs[case.slug], cast, stored, case.slug not in seen))
        seen.add(case.slug)
        if len(asked) % 100 == 0:
            report(f"{exam.name}: {len(asked)} of {len(exam.cases)} asked")
    if faults := sum(one.is_fault for one in asked):
        report(f"{exam.name}: {faults} asks ended in a fault, see the log above")
    return asked


def _ask(case: Case, doc: Doc, cast: Cast, stored: _Revisions, is_first: bool) -> Asked:
    member = cast.hub_reader if case.arm is Arm.ABSENT else cast.reader
    request = AskRequest(member=member, doc_id=doc.pk, question=case.question)
    question = asking.checked_question(case.question)
    started = time.perf_counter()
    outcome = asking.answer(request, doc, question)
    elapsed = (time.perf_counter() - started) * 1000
    hits = [
        holds_answer(shown.citation.quote, case.golds) for shown in outcome.citations[:MAX_CITED]
    ]
    return Asked(
        case=case,
        is_answered=not outcome.kind.is_decline,
        hit_first=any(hits[:1]),
        hit_any=any(hits),
        confidence=outcome.confidence,
        citations=len(outcome.citations),
        intact=stored.count_intact(outcome),
        milliseconds=elapsed,
        is_first_of_page=is_first,
        is_fault=outcome.reason is Reason.FAULT,
        is_degraded=bool(outcome.degraded),
    )


class _Revisions:
    """Texts of cited revisions, read back from the database."""

    def __init__(self, cast: Cast) -> None:
        self._tenant_id = cast.reader.tenant_id
        self._texts: dict[tuple[UUID, int], str] = {}

    def count_intact(self, outcome: Outcome) -> int:
        citations = [shown.citation for shown in outcome.citations]
        return sum(
            self._text(one.doc_id, one.revision)[one.char_start : one.char_end] == one.quote
            for one in citations
        )

    def _text(self, doc_id: UUID, number: int) -> str:
        if (doc_id, number) not in self._texts:
            with tenancy.scope(self._tenant_id):
                revision = Revision.objects.get(doc_id=doc_id, number=number)
            self._texts[doc_id, number] = revision.text
        return self._texts[doc_id, number]
