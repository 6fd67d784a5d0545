"""Asks every query of a retrieval set through the product's own recall, by each arm and as a whole."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kb.evaluation.pages import Progress
from kb.evaluation.plain_bm25 import PlainBm25
from kb.evaluation.retrieval_banks import FilledBank, fill
from kb.evaluation.retrieval_sets import Query, RetrievalSet, WantedBank
from memory import tenancy
from memory.hits import Arm, Recalled
from memory.models import Membership
from memory.recall import engine
from memory.recall.request import ALL_ARMS, RecallRequest

PLAIN = "bm25"  # in memory, beside the product
DEPTH = 50  # places that the measures look at
# Hits that are asked for: several facts may stand for one turn, several sections for one document.
_HITS = 2 * DEPTH
_WIDTH = 200  # candidates of each arm


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What one query found, best first, by names of what can be asked for.

    ``ranked`` is the whole; ``arms`` each arm alone, and plain BM25 by its name.
    """

    query: Query
    ranked: tuple[str, ...]
    arms: dict[str, tuple[str, ...]]
    milliseconds: float
    is_degraded: bool


def run(wanted: RetrievalSet, writer: Membership, *, report: Progress) -> list[Found]:
    found: list[Found] = []
    total = sum(len(bank.queries) for bank in wanted.banks)
    for bank in wanted.banks:
        for one in _asked(bank, fill(writer, bank, report=report), writer):
            found.append(one)
            if len(found) % 100 == 0:
                report(f"{wanted.name}: {len(found)} of {total} queries")
    return found


def _asked(wanted: WantedBank, filled: FilledBank, reader: Membership) -> Iterator[Found]:
    plain = PlainBm25(wanted.texts())
    for query in wanted.queries:
        encoded = engine.encode(query.text)
        with tenancy.scope(reader.tenant_id):
            started = time.perf_counter()
            whole = _recall(query, filled, encoded, arms=ALL_ARMS)
            elapsed = (time.perf_counter() - started) * 1000
            arms = {
                arm.value: _names(
                    _recall(query, filled, encoded, arms=frozenset({arm}), rerank=False), filled
                )
                for arm in filled.arms
            }
        arms[PLAIN] = tuple(plain.search(query.text, limit=DEPTH))
        yield Found(
            query=query,
            ranked=_names(whole, filled),
            arms=arms,
            milliseconds=elapsed,
            is_degraded=bool(whole.degraded),
        )


def _recall(
    query: Query,
    filled: FilledBank,
    encoded: engine.Encoded,
    *,
    arms: frozenset[Arm],
    rerank: bool = True,
) -> Recalled:
    request = RecallRequest(
        bank_id=filled.bank_id,
        query=query.text,
        levels=filled.levels,
        width=_WIDTH,
        k=_HITS,
        asked_at=query.asked_at,
        arms=arms,
        rerank=rerank,
    )
    return engine.recall(request, encoded=encoded)


def _names(recalled: Recalled, filled: FilledBank) -> tuple[str, ...]:
    """Each name once, where it comes first."""
    names: Sequence[str | None] = [filled.name_of(hit) for hit in recalled.hits]
    return tuple(dict.fromkeys(name for name in names if name is not None))[:DEPTH]
