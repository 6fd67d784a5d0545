"""Ways to keep a keyword index in PostgreSQL: size, speed, and whether they find the same.

    python -m bench.keyword_candidates [--sizes 10000,100000] [--questions 100]

Each way gets the same generated memories in tables of its own, and answers as the application role
under row security. ``rows`` is complete and the measure of the others.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import django
import numpy as np

WORDS, LIMIT = 40, 50
_RAREST = 16  # terms
_READ = 16_000  # rows, in the order of their weight
_RESCORED = 1_000

_SCHEMA = """
DROP SCHEMA IF EXISTS keyword_candidates CASCADE;
CREATE SCHEMA keyword_candidates;
GRANT USAGE ON SCHEMA keyword_candidates TO PUBLIC;
SET search_path = keyword_candidates, public;
CREATE TABLE node (tenant_id uuid, bank_id uuid, id uuid, number int, length int);
CREATE TABLE rows (tenant_id uuid, bank_id uuid, term text, node_id uuid, count int);
CREATE TABLE covered (tenant_id uuid, bank_no int, term text, number int, count int2, length int2);
CREATE TABLE weighted (tenant_id uuid, bank_no int, term text, number int, count int2, weight int2);
CREATE TABLE packed (tenant_id uuid, bank_id uuid, term text, block int, postings bytea);
ALTER TABLE packed ALTER postings SET STORAGE EXTERNAL;
"""
_INDEXES = """
ALTER TABLE node ADD PRIMARY KEY (tenant_id, id);
CREATE UNIQUE INDEX ON node (tenant_id, number);
ALTER TABLE rows ADD PRIMARY KEY (tenant_id, bank_id, term, node_id);
CREATE INDEX ON rows (tenant_id, node_id);
ALTER TABLE covered ADD PRIMARY KEY (tenant_id, bank_no, term, number) INCLUDE (count, length);
CREATE INDEX ON covered (tenant_id, number);
CREATE INDEX ON weighted (tenant_id, bank_no, term, weight DESC, number);
ALTER TABLE weighted ADD PRIMARY KEY (tenant_id, number, term) INCLUDE (count);
ALTER TABLE packed ADD PRIMARY KEY (tenant_id, bank_id, term, block);
"""
_TABLES = ("node", "rows", "covered", "weighted", "packed")

_BM25 = (
    "ln(1 + ({nodes} - df + 0.5) / (df + 0.5)) * count * 2.2"
    " / (count + 1.2 * (0.25 + 0.75 * length / {average}))"
)
_ROWS = """
WITH hit AS (
    SELECT rows.term, node.id, node.length, rows.count
    FROM keyword_candidates.rows JOIN keyword_candidates.node
      ON node.tenant_id = rows.tenant_id AND node.id = rows.node_id
    WHERE rows.tenant_id = %(tenant)s AND rows.bank_id = %(bank)s AND rows.term = ANY(%(terms)s)
), rarity AS (SELECT term, count(*)::float AS df FROM hit GROUP BY term)
SELECT id, sum({bm25}) AS score FROM hit JOIN rarity USING (term)
GROUP BY id ORDER BY score DESC, id LIMIT %(limit)s
"""
_COVERED = """
WITH hit AS (
    SELECT term, number, count, length FROM keyword_candidates.covered
    WHERE tenant_id = %(tenant)s AND bank_no = 1 AND term = ANY(%(rarest)s)
), rarity AS (SELECT term, count(*)::float AS df FROM hit GROUP BY term),
best AS (
    SELECT number, sum({bm25}) AS score FROM hit JOIN rarity USING (term)
    GROUP BY number ORDER BY score DESC LIMIT %(limit)s
)
SELECT node.id, best.score FROM best JOIN keyword_candidates.node
  ON node.tenant_id = %(tenant)s AND node.number = best.number
"""
_WEIGHTED = """
WITH asked AS (SELECT * FROM unnest(%(terms)s::text[], %(dfs)s::float[], %(shares)s::int[])
    AS asked (term, df, share)),
listed AS (
    SELECT list.number, sum(list.weight * ln(1 + ({nodes} - df + 0.5) / (df + 0.5))) AS score
    FROM asked CROSS JOIN LATERAL (
        SELECT number, weight FROM keyword_candidates.weighted
        WHERE tenant_id = %(tenant)s AND bank_no = 1 AND weighted.term = asked.term
        ORDER BY weight DESC LIMIT asked.share
    ) AS list GROUP BY list.number ORDER BY score DESC LIMIT {rescored}
)
SELECT node.id, sum({bm25}) AS score
FROM listed
JOIN keyword_candidates.node ON node.tenant_id = %(tenant)s AND node.number = listed.number
JOIN keyword_candidates.weighted ON weighted.tenant_id = node.tenant_id
 AND weighted.number = node.number AND weighted.term = ANY(%(terms)s)
JOIN asked ON asked.term = weighted.term
GROUP BY node.id ORDER BY score DESC, node.id LIMIT %(limit)s
"""
_PACKED = """
SELECT term, postings FROM keyword_candidates.packed
WHERE tenant_id = %(tenant)s AND bank_id = %(bank)s AND term = ANY(%(terms)s)
"""
_IDS = """
SELECT number, id FROM keyword_candidates.node
WHERE tenant_id = %(tenant)s AND number = ANY(%(numbers)s::int[])
"""

Scores = dict[uuid.UUID, float]


@dataclass(frozen=True, slots=True)
class World:
    tenant: uuid.UUID
    bank: uuid.UUID
    nodes: int
    average: float
    frequency: dict[str, int]  # nodes by term
    questions: list[list[str]]

    def filled(self, statement: str) -> str:
        bm25 = _BM25.format(nodes=self.nodes, average=self.average)
        return statement.format(bm25=bm25, nodes=self.nodes, rescored=_RESCORED)


def _by_rows(world: World, cursor: Any, params: dict[str, Any]) -> Scores:
    cursor.execute(world.filled(_ROWS), params)
    return dict(cursor.fetchall())


def _by_covered(world: World, cursor: Any, params: dict[str, Any]) -> Scores:
    rarest = sorted(params["terms"], key=lambda term: world.frequency.get(term, 0))[:_RAREST]
    cursor.execute(world.filled(_COVERED), {**params, "rarest": rarest})
    return dict(cursor.fetchall())


def _by_weight(world: World, cursor: Any, params: dict[str, Any]) -> Scores:
    terms = sorted(params["terms"], key=lambda term: world.frequency.get(term, 0))
    dfs = [world.frequency.get(term, 0) for term in terms]
    left, shares = _READ, []
    for place, df in enumerate(dfs):  # the rarest first, what they leave goes to the others
        shares.append(min(df, left // (len(dfs) - place)))
        left -= shares[-1]
    given = {**params, "terms": terms, "dfs": dfs, "shares": shares}
    cursor.execute(world.filled(_WEIGHTED), given)
    return dict(cursor.fetchall())


def _by_packed(world: World, cursor: Any, params: dict[str, Any]) -> Scores:
    from memory import postings
    from memory.postings import Size

    cursor.execute(_PACKED, params)
    size = Size(world.nodes, round(world.nodes * world.average))
    ranking = postings.bm25(postings.decode(cursor.fetchall()), size)
    best = ranking.numbers[: params["limit"]].tolist()
    cursor.execute(_IDS, {**params, "numbers": best})
    ids = dict(cursor.fetchall())
    return {ids[one]: score for one, score in zip(best, ranking.scores.tolist(), strict=False)}


WAYS: dict[str, tuple[tuple[str, ...], Callable[[World, Any, dict[str, Any]], Scores]]] = {
    "rows": (("rows",), _by_rows),
    "covered rows, numbers for ids": (("covered",), _by_covered),
    "rows by weight, bounded": (("weighted",), _by_weight),
    "packed postings": (("packed",), _by_packed),
}


def measure(size: int, asked: int) -> dict[str, dict[str, float]]:
    from django.db import connection, connections

    from memory import tenancy

    owner = connections[tenancy.OWNER_ALIAS]
    owner.ensure_connection()
    with owner.connection.cursor() as cursor:
        cursor.execute(_SCHEMA)
        world = _load(cursor, size, asked)
        cursor.execute(_INDEXES)
        for table in _TABLES:
            cursor.execute(
                f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY; GRANT SELECT ON {table} TO PUBLIC;"
                f" CREATE POLICY own ON {table} USING (tenant_id = current_tenant())"
            )
            cursor.execute(f"VACUUM (ANALYZE) {table}")
    found: dict[str, dict[str, float]] = {}
    with tenancy.scope(world.tenant), connection.cursor() as cursor:
        complete: list[Scores] = []
        for name, (tables, way) in WAYS.items():
            answers, taken = [], []
            for terms in world.questions:
                params = {
                    "tenant": world.tenant,
                    "bank": world.bank,
                    "terms": terms,
                    "limit": LIMIT,
                }
                started = time.perf_counter()
                answers.append(way(world, cursor, params))
                taken.append((time.perf_counter() - started) * 1000)
            complete = complete or answers
            p50, p95 = np.percentile(taken, [50, 95])
            cursor.execute(
                "SELECT sum(pg_total_relation_size(to_regclass('keyword_candidates.' || name)))"
                " FROM unnest(%s::text[]) AS name",
                [list(tables)],
            )
            found[name] = {
                "p50_ms": float(p50),
                "p95_ms": float(p95),
                "mb": float(cursor.fetchone()[0]) / 2**20,
                "same": _same(complete, answers),
            }
    with owner.connection.cursor() as cursor:
        cursor.execute("DROP SCHEMA keyword_candidates CASCADE; RESET search_path")
    return found


def _same(complete: Sequence[Scores], answers: Sequence[Scores]) -> float:
    """The share of the best that is found with a score as good as the last of them has."""
    shares = []
    for right, given in zip(complete, answers, strict=True):
        least = min(right.values(), default=0.0) - 1e-6
        shares.append(sum(score >= least for score in given.values()) / max(len(right), 1))
    return float(np.mean(shares))


def _load(cursor: Any, size: int, asked: int) -> World:
    from bench.recall_corpus import Corpus, word
    from memory.keyword_packing import BLOCK_BITS
    from memory.postings import POSTING

    corpus = Corpus(8)
    memories = list(corpus.memories(size, words=WORDS))
    tenant, bank = uuid.UUID(int=7), uuid.UUID(int=8)
    ids = [uuid.uuid4() for _ in memories]
    average = sum(len(memory.words) for memory in memories) / size
    held: dict[int, list[tuple[int, int, int]]] = {}
    for number, memory in enumerate(memories):
        for one, count in memory.counts.items():
            held.setdefault(one, []).append((number, count, len(memory.words)))

    def copy(table: str, rows: Iterator[tuple[Any, ...]]) -> None:
        with cursor.copy(f"COPY {table} FROM STDIN") as out:
            for row in rows:
                out.write_row(row)

    def each() -> Iterator[tuple[str, int, int, int]]:
        for one, those in held.items():
            for number, count, length in those:
                yield word(one), number, count, length

    def weight(count: int, length: int) -> int:
        return round(1000 * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * length / WORDS)))

    def blocks() -> Iterator[tuple[Any, ...]]:
        for one, those in held.items():
            rows = np.array(those, POSTING)
            numbers = rows["number"] >> BLOCK_BITS
            for block in np.unique(numbers).tolist():
                yield tenant, bank, word(one), block, rows[numbers == block].tobytes()

    lengths = (len(memory.words) for memory in memories)
    copy("node", ((tenant, bank, ids[n], n, length) for n, length in enumerate(lengths)))
    copy("rows", ((tenant, bank, term, ids[n], count) for term, n, count, _ in each()))
    copy("covered", ((tenant, 1, term, n, count, length) for term, n, count, length in each()))
    copy(
        "weighted",
        ((tenant, 1, term, n, count, weight(count, length)) for term, n, count, length in each()),
    )
    copy("packed", blocks())
    drawn = np.random.default_rng(1).integers(size, size=asked)
    questions = [
        corpus.question(memories[int(one)], words=length)[0].split()
        for one, length in zip(drawn, [4, 6, 8, 12] * asked, strict=False)
    ]
    # A word that one in twelve memories has, as a name or a subject that everything is about.
    for question in questions:
        question.append(word(30 + len(question)))
    frequency = {word(one): len(those) for one, those in held.items()}
    return World(tenant, bank, size, average, frequency, questions)


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="10000,100000", metavar="N,N")
    parser.add_argument("--questions", type=int, default=100, metavar="N")
    options, _ = parser.parse_known_args()
    django.setup()
    found = {}
    for size in map(int, options.sizes.split(",")):
        print(f"{size} …", file=sys.stderr)
        found[size] = measure(size, options.questions)
    print(json.dumps({"limit": LIMIT, "sizes": found}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
