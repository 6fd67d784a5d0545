"""Verifies a tenant's history against itself: the chain, the hashes, and every citation's words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any
from uuid import UUID

from django.db.models import F, TextField
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, Substr

from kb import audit_kinds
from kb.models import AskedQuestion, Chunk, Revision
from memory import audit, tenancy
from memory.models import AuditEntry

_BATCH = 500


@dataclass(slots=True)
class Report:
    """``broken`` is the first row that does not hold, as a sentence; empty when all do."""

    entries: int = 0
    answers: int = 0
    citations: int = 0
    erased: int = 0
    broken: str = ""
    counts: dict[str, int] = field(default_factory=dict)


def verify(tenant_id: UUID) -> Report:
    """Check one tenant. Reads everything, changes nothing."""
    report = Report()
    with tenancy.scope(tenant_id):
        erased = _erased()
        entries = _intact(report)
        while batch := list(islice(entries, _BATCH)):
            _check_outcomes(batch, erased, report)
            if report.broken:
                return report
        if not report.broken:
            _check_unaudited(report)
        if not report.broken:
            _check_chunks(report)
    return report


def _intact(report: Report) -> Iterator[AuditEntry]:
    """Entries as long as the chain holds."""
    for entry in audit.verify_chain():
        if isinstance(entry, audit.Break):
            report.broken = f"audit entry {entry.seq}: {entry.problem}"
            return
        report.entries += 1
        report.counts[entry.kind] = report.counts.get(entry.kind, 0) + 1
        yield entry


def _erased() -> dict[str, int]:
    """Question ids that an entry of the chain says were erased, with its number."""
    entries = AuditEntry.objects.filter(kind=audit_kinds.QA_ERASED).order_by("seq")
    return {
        question_id: entry.seq
        for entry in entries.iterator(chunk_size=_BATCH)
        for question_id in entry.body["question_ids"]
    }


def _check_outcomes(batch: list[AuditEntry], erased: Mapping[str, int], report: Report) -> None:
    outcomes = [entry for entry in batch if "answer_sha256" in entry.body]
    rows = AskedQuestion.objects.in_bulk([UUID(entry.body["question_id"]) for entry in outcomes])
    texts = _revisions(rows.values())
    for entry in outcomes:
        question_id = entry.body["question_id"]
        row = rows.get(UUID(question_id))
        if row is None and question_id not in erased:
            erased = _erased()  # it may have been erased since we began
        problem = _problem(entry, row, erased_at=erased.get(question_id), texts=texts)
        if problem:
            report.broken = f"audit entry {entry.seq}, question {question_id}: {problem}"
            return
        if row is None:
            report.erased += 1
            continue
        report.answers += not row.answer_kind.startswith("decline")
        report.citations += len(row.citations)


def _problem(
    entry: AuditEntry,
    row: AskedQuestion | None,
    *,
    erased_at: int | None,
    texts: Mapping[tuple[str, int], str],
) -> str:
    if row is None:
        # Erased means: said so later in the chain. Anything else that is missing was taken away.
        return "" if (erased_at or 0) > entry.seq else "its question is missing"
    if erased_at is not None:
        return f"entry {erased_at} says that its question was erased, and it is there"
    return _mismatch(entry.body, row, texts)


def _revisions(rows: Any) -> dict[tuple[str, int], str]:
    cited = {(one["doc_id"], one["revision"]) for row in rows for one in row.citations}
    revisions = Revision.objects.filter(
        doc_id__in={doc_id for doc_id, _ in cited}, number__in={number for _, number in cited}
    ).values_list("doc_id", "number", "text")
    return {(str(doc_id), number): text for doc_id, number, text in revisions}


def _mismatch(
    body: Mapping[str, Any], row: AskedQuestion, texts: Mapping[tuple[str, int], str]
) -> str:
    """What a stored question and its audit entry disagree about; empty when nothing."""
    confidence = None if row.confidence_score is None else str(row.confidence_score)
    compared = {
        "question": (audit.text_hash(row.question_text), body["question_sha256"]),
        "answer": (audit.text_hash(row.answer_text or ""), body["answer_sha256"]),
        "kind": (row.answer_kind, body["answer_kind"]),
        "confidence": (confidence, body["confidence"]),
        "page": (str(row.doc_id) if row.doc_id else None, body["doc_id"]),
        "user": (str(row.asked_by), body["asked_by"]),
        "citations": (
            [{name: one[name] for name in _CITED} for one in row.citations],
            body["citations"],
        ),
    }
    for name, (stored, audited) in compared.items():
        if stored != audited:
            return f"its {name} is not what was audited"
    for one in row.citations:
        text = texts.get((one["doc_id"], one["revision"]))
        if text is None:
            return f"citation {one['n']} names a revision that is not there"
        if text[one["char_start"] : one["char_end"]] != one["quote"]:
            return f"citation {one['n']} does not stand at its place in the revision"
    return ""


_CITED = ("doc_id", "revision", "chunk_id", "char_start", "char_end")


def _check_unaudited(report: Report) -> None:
    """A question without an audit entry was slipped in."""
    audited = AuditEntry.objects.filter(
        kind__in=(audit_kinds.QA_ANSWERED, audit_kinds.QA_DECLINED, audit_kinds.QA_FAILED)
    ).values(audited=KeyTextTransform("question_id", "body"))
    stray = (
        AskedQuestion.objects.annotate(id_text=Cast("question_id", TextField()))
        .exclude(id_text__in=audited)
        .first()
    )
    if stray is not None:
        report.broken = f"question {stray.question_id} has no audit entry"


def _check_chunks(report: Report) -> None:
    """Chunks lie inside their revision."""
    stray = (
        Chunk.objects.annotate(
            there=Substr("revision__text", F("char_start") + 1, F("char_end") - F("char_start"))
        )
        .filter(there="")
        .first()
    )
    if stray is not None:
        report.broken = f"chunk {stray.pk} lies outside of its revision"
