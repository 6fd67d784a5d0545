"""What ``mem --format json`` prints: one object on stdout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any
from uuid import UUID

from memory.bank_statistics import BankSummary
from memory.corpora import Loaded
from memory.hits import Ancestor, Hit, Recalled, Scores
from memory.integrity import Verified
from memory.levels import Level
from memory.models import Corpus
from memory.retain.items import Retained

_DIGITS = 6  # of a score


def recalled(
    found: Recalled, *, query: str, project: str, levels: Sequence[Level], message: str | None
) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "query": query,
        "project": project,
        "levels": [level.value for level in levels],
        "abstained": found.abstained,
        "best_score": _rounded(found.best_score),
        "floor": found.floor,
        "reranker": found.reranker,
        "message": message,
        "degraded": list(found.degraded),
        "hits": [_hit(hit, found) for hit in found.hits],
    }
    if found.trace is not None:
        shown["trace"] = found.trace
    return shown


def retained(found: Retained, *, project: str) -> dict[str, Any]:
    return {
        "project": project,
        "documents": [
            {
                "id": str(document.id),
                "name": document.name,
                "change": document.change.value,
                "passages": len(document.passage_ids),
                "facts": [str(fact) for fact in document.fact_ids],
                "failure": document.failure or None,
            }
            for document in found.documents
        ],
    }


def bank(found: BankSummary) -> dict[str, Any]:
    return asdict(found) | {
        "written_at": found.written_at.isoformat(),
        "updated_at": found.updated_at.isoformat(timespec="seconds"),
    }


def corpus(found: Corpus) -> dict[str, Any]:
    return {
        "name": found.name,
        "path": found.path,
        "documents": found.documents,
        "sections": found.sections,
        "updated_at": found.updated_at.isoformat(),
    }


def loaded(found: Loaded) -> dict[str, Any]:
    return corpus(found.corpus) | {
        "added": found.added,
        "kept": found.kept,
        "removed": found.removed,
        "problems": [{"path": one.path, "reason": one.reason} for one in found.problems],
    }


def verified(results: Sequence[Verified]) -> dict[str, Any]:
    return {
        "sound": not any(result.found for result in results),
        "checks": {
            result.check.value: {
                "rows": result.rows,
                "found": result.found,
                "faults": [
                    {"reason": one.reason, "shas": list(one.pair), "detail": one.detail}
                    for one in result.faults
                ],
            }
            for result in results
        },
    }


def _hit(hit: Hit, found: Recalled) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "rank": hit.rank,
        "level": hit.level.value,
        "sha": hit.sha,
        "id": str(hit.id),
        "type": hit.fact_type.value if hit.fact_type else None,
        "text": hit.text,
        "scores": _scores(hit.scores),
        "tags": list(hit.tags),
        "document": hit.document_name,
        "char_start": hit.char_start,
        "char_end": hit.char_end,
    }
    if hit.level is Level.R:
        return shown | {"source_uri": hit.source_uri, "heading_path": list(hit.heading_path)}
    ancestors = (found.provenance or {}).get(hit.id, ())
    return shown | {
        "speaker": hit.speaker or None,
        "context": hit.context,
        "metadata": dict(hit.metadata),
        "occurred_start": _time(hit.occurred_start),
        "occurred_end": _time(hit.occurred_end),
        "mentioned_at": _time(hit.mentioned_at),
        "superseded_at": _time(hit.superseded_at),
        "proof_count": hit.proof_count,
        "provenance": _parents(hit.id, ancestors),
    }


def _parents(of: UUID, ancestors: Sequence[Ancestor], *, depth: int = 1) -> list[dict[str, Any]]:
    """A hop down from one memory, each with its own."""
    return [
        {
            "level": parent.level.value,
            "sha": parent.sha,
            "id": str(parent.id),
            "text": parent.text,
            "speaker": parent.speaker or None,
            "document": parent.document_name,
            "char_start": parent.char_start,
            "char_end": parent.char_end,
            "provenance": _parents(parent.id, ancestors, depth=depth + 1),
        }
        for parent in ancestors
        if parent.via == of and parent.depth == depth
    ]


def _scores(scores: Scores) -> dict[str, float | None]:
    return {
        "final": _rounded(scores.final),
        "reranker": _rounded(scores.reranker),
        "semantic": _rounded(scores.semantic),
        "keyword": _rounded(scores.keyword),
    }


def _rounded(score: float | None) -> float | None:
    return None if score is None else round(score, _DIGITS)


def _time(value: Any) -> str | None:
    return value.isoformat() if value else None
