"""Recall: candidates by SQL under every filter, then a reranker.

The caller passes the documents that may be read as a subquery, so that a page which the reader may
not see is never a candidate and changes no statistic.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np
from django.db import connection
from django.db.models import QuerySet

from memory.models import Term
from memory.seams import KnownScores, Recipe, Reranker
from memory.vectors import as_literal

_K1, _B = 1.2, 0.75
_RERANKED = 36  # a model sees only the best few dozen

_PROPOSE = """
WITH readable AS ({documents}),
pool AS (
    SELECT node.id, node.document_id, node.term_count
    FROM memory_node node JOIN readable ON readable.id = node.document_id
    WHERE node.bank_id = %(bank)s AND node.level = 'R'
),
size AS (SELECT count(*)::float AS nodes, greatest(avg(term_count), 1)::float AS length FROM pool),
hit AS (
    SELECT term.node_id, term.term, term.count, pool.term_count
    FROM memory_term term JOIN pool ON pool.id = term.node_id
    WHERE term.bank_id = %(bank)s AND term.level = 'R' AND term.term = ANY(%(terms)s)
),
rarity AS (
    SELECT term, ln(1 + (max(size.nodes) - count(*) + 0.5) / (count(*) + 0.5)) AS idf
    FROM hit, size GROUP BY term
),
keyword AS (
    SELECT hit.node_id, sum(
        rarity.idf * hit.count * (%(k1)s + 1)
        / (hit.count + %(k1)s * (1 - %(b)s + %(b)s * hit.term_count / size.length))
    ) AS score
    FROM hit JOIN rarity USING (term), size GROUP BY hit.node_id
),
semantic AS (
    SELECT vector.node_id, 1 - (vector.embedding <=> %(vector)s::halfvec) AS score
    FROM memory_vector vector JOIN pool ON pool.id = vector.node_id
    WHERE vector.recipe = %(recipe)s AND %(vector)s::text IS NOT NULL
),
ranked AS (
    SELECT pool.id, keyword.score AS keyword, semantic.score AS semantic,
        row_number() OVER (PARTITION BY pool.document_id
            ORDER BY keyword.score DESC NULLS LAST, pool.id) AS keyword_rank,
        row_number() OVER (PARTITION BY pool.document_id
            ORDER BY semantic.score DESC NULLS LAST, pool.id) AS semantic_rank
    FROM pool
    LEFT JOIN keyword ON keyword.node_id = pool.id
    LEFT JOIN semantic ON semantic.node_id = pool.id
)
SELECT node.chunk_id, node.document_id, node.heading_path, node.text,
       ranked.keyword, ranked.semantic
FROM ranked JOIN memory_node node ON node.id = ranked.id
WHERE ranked.keyword_rank <= %(per_arm)s OR ranked.semantic_rank <= %(per_arm)s
"""


_SEMANTIC = """
SELECT node.chunk_id, 1 - (vector.embedding <=> %s::halfvec)
FROM memory_node node
LEFT JOIN memory_vector vector
  ON vector.tenant_id = node.tenant_id AND vector.node_id = node.id AND vector.recipe = %s
WHERE node.document_id = %s
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallQuery:
    """What to look for. ``vector`` is None where the encoder could not be asked: keywords alone."""

    text: str
    terms: tuple[str, ...]
    vector: np.ndarray | None
    recipe: Recipe


@dataclass(frozen=True, slots=True)
class Candidate:
    chunk_id: UUID
    document_id: UUID
    heading_path: tuple[str, ...]
    text: str
    keyword: float | None  # BM25 over the readable documents, unbounded
    semantic: float | None  # cosine


@dataclass(frozen=True, slots=True)
class Recalled:
    """A candidate after reranking; ``reranker`` is None below the few dozen that were reranked."""

    candidate: Candidate
    reranker: float | None
    rank: int


def propose(
    query: RecallQuery, *, documents: QuerySet, bank_id: UUID, per_document: int = 6
) -> list[Candidate]:
    """The best chunks of every document by keyword and by vector, ``per_document`` at most."""
    sql, params = documents.order_by().values("id").query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(
            _compose(sql, params),
            {
                "bank": bank_id,
                "terms": list(query.terms),
                "vector": None if query.vector is None else as_literal(query.vector),
                "recipe": query.recipe.name,
                "k1": _K1,
                "b": _B,
                "per_arm": per_document // 2,
            },
        )
        return [
            Candidate(chunk_id, document_id, tuple(path), text, keyword, semantic)
            for chunk_id, document_id, path, text, keyword, semantic in cursor.fetchall()
        ]


def semantic_scores(query: RecallQuery, *, document_id: UUID) -> dict[UUID, float | None]:
    """The cosine of every live chunk of one document, None where its vector is not there yet."""
    if query.vector is None:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(_SEMANTIC, [as_literal(query.vector), query.recipe.name, document_id])
        return dict(cursor.fetchall())


def keyword_scores(query: RecallQuery, *, document_id: UUID) -> dict[UUID, float]:
    """Per chunk of one document: how much of the query's rarity it holds. Chunks without a hit are absent."""
    rows = Term.objects.filter(node__document_id=document_id, term__in=query.terms).values_list(
        "node__chunk_id", "term"
    )
    held: dict[UUID, set[str]] = defaultdict(set)
    frequency: dict[str, int] = defaultdict(int)
    for chunk_id, term in rows:
        if chunk_id is not None:
            held[chunk_id].add(term)
        frequency[term] += 1
    return {
        chunk_id: sum(1.0 / frequency[term] for term in found) for chunk_id, found in held.items()
    }


def _compose(sql: str, params: Sequence[object]) -> str:
    # Named and positional parameters cannot be mixed, so the subquery's own are bound first.
    bound = connection.ops.compose_sql(sql, params)  # type: ignore[attr-defined]
    return _PROPOSE.format(documents=bound.replace("%", "%%"))


def rerank_per_document(
    query: str, candidates: Sequence[Candidate], reranker: Reranker, *, keep: int
) -> list[Recalled]:
    """The ``keep`` best chunks of each document, best first.

    Cheap scores order all candidates; the reranker reorders the best few dozen of them.
    """
    ordered = sorted(candidates, key=_cheap_score(candidates), reverse=True)
    head, tail = ordered[:_RERANKED], ordered[_RERANKED:]
    shown = [_shown(one) for one in head]
    known = [KnownScores(one.keyword, one.semantic) for one in head]
    scores = reranker.score(query, shown, known=known) if head else []
    best = sorted(zip(head, scores, strict=True), key=lambda pair: pair[1], reverse=True)
    merged: list[tuple[Candidate, float | None]] = [*best, *((one, None) for one in tail)]
    taken: dict[UUID, int] = defaultdict(int)
    kept: list[Recalled] = []
    for candidate, score in merged:
        if taken[candidate.document_id] < keep:
            taken[candidate.document_id] += 1
            kept.append(Recalled(candidate, score, len(kept) + 1))
    return kept


def _shown(candidate: Candidate) -> str:
    return "\n".join((*candidate.heading_path, candidate.text))


def _cheap_score(candidates: Sequence[Candidate]):  # type: ignore[no-untyped-def]
    top = max((one.keyword or 0.0 for one in candidates), default=0.0) or 1.0
    return lambda one: 0.5 * (one.keyword or 0.0) / top + 0.5 * (one.semantic or 0.0)
