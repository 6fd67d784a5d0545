"""How fast a recall is, by how much the bank holds, beside a large corpus, and for several at once.

    python -m bench.recall_speed [--sizes 1000,10000,100000] [--questions 100]

The memories are generated (``bench.recall_corpus``). The encoder encodes every question in earnest;
what is looked for is the question's own generated vector, since generated words mean nothing. Loading
100,000 facts takes minutes and is kept for the next run; a look at less is

    python -m bench.own_services bench bench.recall_speed --sizes 1000,10000 --questions 20
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import django
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bench.recall_load import Loaded, Question, Wanted
    from memory.seams import Recipe

SIZES = (1_000, 10_000, 100_000)
CORPUS_TIMES, LARGEST_WITH_CORPUS = 10, 10_000
CLIENTS = (1, 4)
K, WIDTH = 10, 300  # hits, and candidates of each arm (the Hindsight budget "mid")
NEAREST = 10


class _Planned:
    """The encoder that is set, asked in earnest; the vector returned is the planned one."""

    def __init__(self, encoder: Any, vectors: dict[str, np.ndarray]) -> None:
        self._encoder, self._vectors = encoder, vectors
        self.recipe: Recipe = encoder.recipe

    def encode_queries(self, texts: Sequence[str]) -> np.ndarray:
        self._encoder.encode_queries(texts)
        return np.stack([self._vectors[text] for text in texts])

    def encode_passages(self, texts: Sequence[str]) -> np.ndarray:
        return self._encoder.encode_passages(texts)


@contextmanager
def planned(questions: Sequence[Question]) -> Iterator[None]:
    from memory.backends import registry

    plain = registry.encoder
    made = _Planned(plain(), {one.text: one.vector for one in questions})
    registry.encoder = lambda: made  # type: ignore[assignment]
    try:
        yield
    finally:
        registry.encoder = plain


def measure(sizes: Sequence[int], asked: int) -> dict[str, Any]:
    from bench import recall_load
    from memory.backends import registry

    encoder = registry.encoder()
    loaded = recall_load.load(_wanted(sizes), encoder.recipe)
    everything = [one for those in loaded.questions.values() for one in those]
    with planned(everything):
        rows = [
            _row(loaded, wanted, asked, clients=clients, with_references=with_references)
            for wanted in _wanted(sizes)
            for with_references in ((False, True) if wanted.references else (False,))
            for clients in CLIENTS
        ]
    largest = str(max(sizes))
    return {
        "encoder": encoder.recipe.name,
        "questions": asked,
        "rows": rows,
        "index_seconds": loaded.index_seconds,
        "nearest": _nearest(loaded, largest, asked, encoder.recipe),
        "keyword_ms": _keyword(loaded, largest, asked),
    }


def _wanted(sizes: Sequence[int]) -> list[Wanted]:
    from bench.recall_load import Wanted

    found = []
    for size in sizes:
        found.append(Wanted(f"{size}", size))
        if size <= LARGEST_WITH_CORPUS:
            found.append(Wanted(f"{size} beside a corpus", size, CORPUS_TIMES * size))
    return found


def _row(
    loaded: Loaded, wanted: Wanted, asked: int, *, clients: int, with_references: bool
) -> dict[str, Any]:
    from bench.meter import metered
    from memory.hits import Budget
    from memory.levels import Level
    from memory.recall.engine import recall_as
    from memory.recall.request import RecallRequest

    bank = loaded.banks[wanted.name]
    levels = (Level.L1, Level.L2, *((Level.R,) if with_references else ()))
    questions = loaded.questions[wanted.name][:asked]

    def ask(question: Question) -> float:
        request = RecallRequest(
            bank_id=bank.pk, query=question.text, levels=levels, width=Budget.MID.width, k=K
        )
        started = time.perf_counter()
        recall_as(loaded.tenant.pk, request)
        return (time.perf_counter() - started) * 1000

    def metered_ask(question: Question) -> tuple[float, float, float, int]:
        meter.reset()
        whole = ask(question)
        return whole, meter.encoder_ms, meter.sql_ms, meter.queries

    for question in questions[:5]:
        ask(question)
    figures: dict[str, Any] = {
        "facts": wanted.facts,
        "references": wanted.references,
        "levels": [level.value for level in levels],
        "clients": clients,
    }
    print(f"{wanted.name}, {clients} …", file=sys.stderr)
    if clients > 1:
        with ThreadPoolExecutor(clients) as pool:
            started = time.perf_counter()
            shares = [questions[client::clients] for client in range(clients)]
            whole = [one for those in pool.map(partial(_one_client, ask), shares) for one in those]
            figures["per_second"] = len(questions) / (time.perf_counter() - started)
        return figures | _percentiles("whole", whole)
    with metered() as meter:
        parts = np.array([metered_ask(question) for question in questions])
    inside = parts[:, 1] + parts[:, 2]
    return {
        **figures,
        **_percentiles("whole", parts[:, 0]),
        **_percentiles("encoder", parts[:, 1]),
        **_percentiles("sql", parts[:, 2]),
        "statements": float(np.median(parts[:, 3])),
        "overhead": float(parts[:, 0].sum() / inside.sum() - 1),
    }


def _one_client(ask: Callable[[Question], float], questions: Sequence[Question]) -> list[float]:
    """On a connection of its own, as each thread of a server has one."""
    from django.db import connections

    try:
        return [ask(question) for question in questions]
    finally:
        connections.close_all()


def _percentiles(name: str, milliseconds: Sequence[float] | np.ndarray) -> dict[str, float]:
    p50, p95 = np.percentile(milliseconds, [50, 95])
    return {f"{name}_p50_ms": float(p50), f"{name}_p95_ms": float(p95)}


_EXACT = """
    SELECT node_id FROM memory_vector
    WHERE tenant_id = %s AND bank_id = %s AND recipe = %s AND level = 'L1'
    ORDER BY embedding <=> %s::halfvec LIMIT %s
"""


def _nearest(loaded: Loaded, name: str, asked: int, recipe: Recipe) -> dict[str, float]:
    """What share of the exactly nearest the semantic arm finds through its index."""
    from django.db import connection

    from memory import tenancy
    from memory.levels import Level
    from memory.recall.arms import semantic
    from memory.recall.scope import Scope
    from memory.vectors import as_literal

    bank = loaded.banks[name]
    scope = Scope(bank_id=bank.pk, level=Level.L1)
    shares, by_index, exactly = [], [], []
    with tenancy.scope(loaded.tenant.pk), connection.cursor() as cursor:
        for question in loaded.questions[name][:asked]:
            started = time.perf_counter()
            found = semantic.search([scope], question.vector, recipe, width=NEAREST)[0]
            between = time.perf_counter()
            literal = as_literal(question.vector)
            cursor.execute(_EXACT, [bank.tenant_id, bank.pk, recipe.name, literal, NEAREST])
            exact = {node_id for (node_id,) in cursor.fetchall()}
            exactly.append((time.perf_counter() - between) * 1000)
            by_index.append((between - started) * 1000)
            shares.append(len({hit.node_id for hit in found.hits} & exact) / len(exact))
    return {
        "recall": float(np.mean(shares)),
        **_percentiles("index", by_index),
        **_percentiles("exact", exactly),
    }


def _keyword(loaded: Loaded, name: str, asked: int) -> dict[str, float]:
    from memory import keywords, tenancy
    from memory.levels import Level
    from memory.recall.scope import Scope

    bank = loaded.banks[name]
    scope = Scope(bank_id=bank.pk, level=Level.L1)
    taken = []
    with tenancy.scope(loaded.tenant.pk):
        for question in loaded.questions[name][:asked]:
            started = time.perf_counter()
            terms = keywords.query_terms(bank.pk, Level.L1, question.text)
            keywords.search(scope, terms, limit=WIDTH)
            taken.append((time.perf_counter() - started) * 1000)
    return _percentiles("keyword", taken)


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), metavar="N,N")
    parser.add_argument("--questions", type=int, default=100, metavar="N")
    options, _ = parser.parse_known_args()
    django.setup()
    print(json.dumps(measure([int(size) for size in options.sizes.split(",")], options.questions)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
