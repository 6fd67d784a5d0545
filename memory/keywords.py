"""The keyword arm: BM25 over postings that lie in the database.

    add ─▶ rows of the empty term and of each term (memory_term) ─pack─▶ blocks (memory_termblock)
    search: both are read in one statement ─▶ BM25 in memory ─▶ the best, under the scope's filters

Statistics are those of one bank and level, so that a corpus of references changes no score of a
fact or an observation. Where a scope names the documents that may be read, they are those of these
documents alone: what a reader may not see changes no score either (docs/adr/0012).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any
from uuid import UUID

import numpy as np
from django.db import connection

from memory import keyword_packing, postings, tenancy
from memory.hits import ArmHit
from memory.language import analysis, queries
from memory.levels import Level
from memory.models import Node
from memory.postings import LARGEST, NOTHING, Forms, Ranking, Size
from memory.recall.scope import Scope, documents_sql

MAX_TERM_LENGTH = 120  # longer runs are noise to a keyword index, and b-tree keys are bounded
# Times the limit: so many of the best are looked up before all that the filters admit.
_LOOKS = (1.25, 8, 64)

# Hops from one language to the next.
_LANGUAGES = """
    WITH RECURSIVE held (language) AS (
        (SELECT language FROM memory_node
         WHERE tenant_id = %(tenant)s AND bank_id = %(bank)s AND level = %(level)s
         ORDER BY language LIMIT 1)
        UNION ALL
        SELECT (SELECT later.language FROM memory_node later
                WHERE later.tenant_id = %(tenant)s AND later.bank_id = %(bank)s
                  AND later.level = %(level)s AND later.language > held.language
                ORDER BY later.language LIMIT 1)
        FROM held WHERE held.language IS NOT NULL
    )
    SELECT language FROM held WHERE language IS NOT NULL
"""

_ADD = """
    INSERT INTO memory_term (tenant_id, bank_id, level, term, node_id, count)
    SELECT %(tenant)s, %(bank)s, %(level)s, given.term, given.node_id, given.count
    FROM unnest(%(terms)s::text[], %(nodes)s::uuid[], %(counts)s::int[])
        AS given (term, node_id, count)
"""

# What was packed keeps a node's old number and so matches it no more.
_REMOVE = """
    WITH unpacked AS (
        DELETE FROM memory_term WHERE tenant_id = %(tenant)s AND node_id = ANY(%(nodes)s::uuid[])
    )
    UPDATE memory_node SET number = nextval('memory_node_number')
    WHERE tenant_id = %(tenant)s AND id = ANY(%(nodes)s::uuid[])
"""

# One statement, so that nothing is packed between two looks: (term, its postings) or two sizes.
_READ = f"""
    SELECT block.term, block.postings, NULL::bigint, NULL::bigint
    FROM memory_termblock block
    WHERE block.tenant_id = %(tenant)s AND block.bank_id = %(bank)s AND block.level = %(level)s
      AND block.term = ANY(%(terms)s::text[])
    UNION ALL
    SELECT term.term, {keyword_packing.POSTINGS.format(order="")}, NULL, NULL
    FROM memory_term term
    JOIN memory_node node ON node.tenant_id = term.tenant_id AND node.id = term.node_id
    WHERE term.tenant_id = %(tenant)s AND term.bank_id = %(bank)s AND term.level = %(level)s
      AND term.term = ANY(%(terms)s::text[])
    GROUP BY term.term
    UNION ALL
    SELECT NULL, NULL, packed.nodes, packed.length FROM memory_termstatistics packed
    WHERE packed.tenant_id = %(tenant)s AND packed.bank_id = %(bank)s AND packed.level = %(level)s
    UNION ALL
    SELECT NULL, NULL, count(*), coalesce(sum(least(term.count, {LARGEST})), 0)
    FROM memory_term term
    WHERE term.tenant_id = %(tenant)s AND term.bank_id = %(bank)s AND term.level = %(level)s
      AND term.term = ''
"""

_READABLE = f"""
    SELECT node.number, least(node.term_count, {LARGEST}) FROM memory_node node
    WHERE node.tenant_id = %(tenant)s AND node.bank_id = %(bank)s AND node.level = %(level)s
      AND node.document_id IN ({{documents}})
"""

_IN_OTHERS = """
    SELECT node.number FROM memory_node node
    WHERE node.tenant_id = %(tenant)s AND node.bank_id = %(bank)s AND node.level = %(level)s
      AND node.number = ANY(%(numbers)s::int[]) AND NOT node.language = ANY(%(languages)s::text[])
"""

_ADMITTED = """
    SELECT node.number, node.id FROM memory_node node
    WHERE node.tenant_id = %(kw_tenant)s AND {condition}
"""
_OF_THESE = " AND node.number = ANY(%(kw_numbers)s::int[])"


@dataclass(frozen=True, slots=True)
class Found:
    """What the index holds about some terms, in a bank and level as a whole."""

    postings: dict[str, np.ndarray]
    size: Size


def count(text: str, language: str) -> Counter[str]:
    """The index terms of a text and how often each occurs."""
    return Counter(term for term in analysis.terms(text, language) if len(term) <= MAX_TERM_LENGTH)


def add(bank_id: UUID, level: Level, counted: Sequence[tuple[Node, Counter[str]]]) -> None:
    """Index saved nodes of one bank and level.

    The caller has stored each count's total as the node's ``term_count``. Rows are packed after the
    commit, once there are many.
    """
    # One statement over arrays: COPY is not allowed under row security, and an ORM insert of
    # a long page's 50,000 terms takes seconds.
    nodes, terms, counts = [], [], []
    for node, found in counted:
        for term, times in (("", found.total()), *found.items()):
            nodes.append(node.pk)
            terms.append(term)
            counts.append(times)
    if not nodes:
        return
    key = _key(bank_id, level)
    with connection.cursor() as cursor:
        cursor.execute(_ADD, {**key, "nodes": nodes, "terms": terms, "counts": counts})
    keyword_packing.pack_on_commit(bank_id, level)


def remove(node_ids: Sequence[UUID]) -> None:
    """Take the terms of nodes that stay, to add others. Deleted nodes need no call."""
    with connection.cursor() as cursor:
        cursor.execute(_REMOVE, {"tenant": tenancy.require(), "nodes": list(node_ids)})


def query_terms(bank_id: UUID, level: Level, text: str) -> dict[Forms, int]:
    """What to look up: the words of a text, by their forms in the languages of what this bank holds
    on this level, and how often the text has each. What a long query says again and again counts
    more than what it says once.
    """
    return queries.query_forms(text, languages(bank_id, level))


def languages(bank_id: UUID, level: Level) -> list[str]:
    """Those of what a bank holds on a level."""
    with connection.cursor() as cursor:
        cursor.execute(_LANGUAGES, _key(bank_id, level))
        return [language for (language,) in cursor.fetchall()]


def search(
    scope: Scope, asked: Mapping[Forms, int], *, limit: int, minimum: float | None = None
) -> list[ArmHit]:
    """The best nodes of a scope by BM25, best first; none scores below ``minimum``."""
    if not asked or limit <= 0:
        return []
    return best(scope, rank(scope, asked).above(minimum), limit=limit)


def rank_query(scope: Scope, text: str) -> Ranking:
    """``rank`` by the words of a query. One that is a stop word in some languages is looked for in
    what is written in the others: "war" not in German."""
    held = languages(scope.bank_id, scope.level)
    asked = queries.query_forms(text, held)
    ranking = rank(scope, asked)
    silent = queries.silent_in(text, held) if len(asked) == 1 and len(ranking) else []
    return ranking.among(_in_others(scope, ranking, silent)) if silent else ranking


def _in_others(scope: Scope, ranking: Ranking, languages: Sequence[str]) -> np.ndarray:
    """Those of a ranking's nodes that are in none of these languages."""
    params = {"numbers": ranking.numbers.tolist(), "languages": list(languages)}
    with connection.cursor() as cursor:
        cursor.execute(_IN_OTHERS, {**_key(scope.bank_id, scope.level), **params})
        return np.array([number for (number,) in cursor.fetchall()], int)


def rank(scope: Scope, asked: Mapping[Forms, int]) -> Ranking:
    """All nodes with one of the words: of the scope's readable documents, or of its whole level
    where it names none. Its other filters are not applied yet."""
    if not asked:
        return NOTHING
    found = read(scope.bank_id, scope.level, chain.from_iterable(asked))
    if scope.documents is None:
        return postings.bm25(found.postings, found.size, asked=asked)
    numbers, lengths = _readable(scope)
    size = Size(len(numbers), int(lengths.sum()))
    return postings.bm25(postings.within(found.postings, numbers), size, asked=asked)


def read(bank_id: UUID, level: Level, terms: Iterable[str]) -> Found:
    blocks, nodes, length = [], 0, 0
    with connection.cursor() as cursor:
        cursor.execute(_READ, {**_key(bank_id, level), "terms": list(set(terms))})
        for term, block, more_nodes, more_length in cursor.fetchall():
            if term is None:
                nodes, length = nodes + int(more_nodes), length + int(more_length)
            else:
                blocks.append((term, block))
    return Found(postings.decode(blocks), Size(nodes, length))


def _readable(scope: Scope) -> tuple[np.ndarray, np.ndarray]:
    """Numbers and lengths of the nodes of the documents that may be read."""
    assert scope.documents is not None
    statement = _READABLE.format(documents=documents_sql(scope.documents))
    with connection.cursor() as cursor:
        cursor.execute(statement, _key(scope.bank_id, scope.level))
        rows = np.array(cursor.fetchall(), np.int64).reshape(-1, 2)
    return rows[:, 0], rows[:, 1]


def best(scope: Scope, ranking: Ranking, *, limit: int) -> list[ArmHit]:
    """The ``limit`` best of a ranking that pass every filter.

    A filter that lets most pass needs a look at the best alone. One that lets few pass is asked for
    all that it admits: they are few.
    """
    if not len(ranking):
        return []
    for times in _LOOKS:
        first = ranking.numbers[: math.ceil(times * limit)]
        admitted = admitted_ids(scope, first)
        if len(admitted) >= limit or len(first) == len(ranking):
            break
    else:
        first, admitted = ranking.numbers, admitted_ids(scope)
    hits = []
    scores = ranking.scores[: len(first)]
    for number, score in zip(first.tolist(), scores.tolist(), strict=True):
        if number in admitted:
            hits.append(ArmHit(admitted[number], score))
            if len(hits) == limit:
                break
    return hits


def admitted_ids(scope: Scope, numbers: np.ndarray | None = None) -> dict[int, UUID]:
    """The nodes that pass every filter, by their number; of all, or of these."""
    condition, params = scope.condition() if numbers is None else scope.check()
    statement = _ADMITTED.format(condition=condition)
    params = {**params, "kw_tenant": tenancy.require()}
    if numbers is not None:
        statement += _OF_THESE
        params["kw_numbers"] = numbers.tolist()
    with connection.cursor() as cursor:
        cursor.execute(statement, params)
        return dict(cursor.fetchall())


def _key(bank_id: UUID, level: Level) -> dict[str, Any]:
    return {"tenant": tenancy.require(), "bank": bank_id, "level": level.value}
