from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from memory.api.rendering.origins import origin
from memory.api.rendering.times import iso
from memory.hits import ChunkText, EntityRef, Hit, Recalled
from memory.levels import Level


def recalled(
    found: Recalled, *, levels: Sequence[Level], min_score: float | None
) -> dict[str, Any]:
    return {
        "results": [hit(one) for one in found.hits],
        "trace": found.trace,
        "entities": _entities(found.entities),
        "chunks": _chunks(found.chunks),
        "source_facts": _source_facts(found),
        "source_facts_truncated": found.source_facts_truncated,
        "levels": [level.value for level in levels],
        "min_score": min_score,
        "abstained": found.abstained,
        "best_score": found.best_score,
        "floor": found.floor,
        "reranker": found.reranker,
        "degraded": list(found.degraded),
        "message": _message(found),
    }


def hit(one: Hit, *, with_scores: bool = True) -> dict[str, Any]:
    told = origin(one.metadata, speaker=one.speaker, heading_path=one.heading_path)
    return {
        "id": str(one.id),
        "text": one.text,
        "type": one.fact_type.value if one.fact_type is not None else None,
        "entities": list(one.entities) if one.entities is not None else None,
        "context": one.context or None,
        "occurred_start": iso(one.occurred_start),
        "occurred_end": iso(one.occurred_end),
        "mentioned_at": iso(one.mentioned_at),
        "document_id": one.document_name,
        "metadata": told["metadata"] or None,
        "chunk_id": one.chunk_id,
        "tags": list(one.tags),
        "source_fact_ids": _ids(one),
        "scores": _scores(one) if with_scores else None,
        "level": one.level.value,
        "sha": one.sha,
        "speaker": told["speaker"],
        "heading_path": told["heading_path"],
        "source_uri": one.source_uri or None,
        "superseded_at": iso(one.superseded_at),
        "over_budget": one.over_budget,
    }


def _ids(one: Hit) -> list[str] | None:
    return None if one.source_fact_ids is None else [str(fact) for fact in one.source_fact_ids]


def _scores(one: Hit) -> dict[str, float | None]:
    scores = one.scores
    return {
        "final": scores.final,
        "reranker": scores.reranker,
        "semantic": scores.semantic,
        "keyword": scores.keyword,
    }


def _source_facts(found: Recalled) -> dict[str, Any] | None:
    if found.source_facts is None:
        return None
    return {str(id_): hit(one, with_scores=False) for id_, one in found.source_facts.items()}


def _chunks(chunks: Mapping[str, ChunkText] | None) -> dict[str, Any] | None:
    if chunks is None:
        return None
    return {
        name: {
            "id": chunk.id,
            "text": chunk.text,
            "chunk_index": chunk.index,
            "truncated": chunk.truncated,
        }
        for name, chunk in chunks.items()
    }


def _entities(entities: Mapping[str, EntityRef] | None) -> dict[str, Any] | None:
    if entities is None:
        return None
    return {
        name: {"entity_id": str(one.id), "canonical_name": one.name, "observations": []}
        for name, one in entities.items()
    }


def _message(found: Recalled) -> str | None:
    if found.hits:
        return None
    if found.abstained and found.floor is not None and found.best_score is not None:
        return _("Nothing reaches the floor of {floor:.2f}: the best is at {best:.2f}.").format(
            floor=found.floor, best=found.best_score
        )
    if found.best_score is not None:  # its score is known, so it was there
        return _(
            "Nothing of what was found is left by min_scores and max_tokens: the best is at {best:.2f}."
        ).format(best=found.best_score)
    return _("Nothing was found.")
