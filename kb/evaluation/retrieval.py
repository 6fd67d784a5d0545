"""Asks every query of a retrieval set through the product's own recall, by each arm and as a whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from kb.evaluation.pages import Progress
from kb.evaluation.plain_bm25 import PlainBm25
from kb.evaluation.retrieval_banks import FilledBank, fill
from kb.evaluation.retrieval_sets import Query, RetrievalSet, WantedBank
from memory import tenancy
from memory.hits import Arm
from memory.models import Membership
from memory.recall import engine
from memory.recall.request import RecallRequest

PLAIN = "bm25"  # in memory, beside the product
DEPTH = 50  # places that the measures look at
# Hits that are asked for: several facts may stand for one turn, several sections for one document.
_HITS = 2 * DEPTH
_WIDTH = 200  # candidates of each arm
_ARMS = {arm.value: arm for arm in Arm} | {"bm25": Arm.KEYWORD}  # by the trace's names


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What one query found, best first, by names of what can be asked for.

    ``ranked`` is the whole; ``arms`` what each arm brought into it, in the arm's own order, and
    plain BM25 by its name.
    """

    query: Query
    ranked: tuple[str, ...]
    arms: dict[str, tuple[str, ...]]
    milliseconds: float  # without encoding the query
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
            recalled = engine.recall(_request(query, filled), encoded=encoded)
        trace = recalled.trace or {}
        arms: dict[str, tuple[str, ...]] = {arm.value: () for arm in filled.arms}
        arms |= _of_arms(trace, filled)
        yield Found(
            query=query,
            ranked=_names([hit.id for hit in recalled.hits], filled),
            arms={**arms, PLAIN: tuple(plain.search(query.text, limit=DEPTH))},
            milliseconds=trace["summary"]["total_duration_seconds"] * 1000,
            is_degraded=bool(recalled.degraded),
        )


def _request(query: Query, filled: FilledBank) -> RecallRequest:
    return RecallRequest(
        bank_id=filled.bank_id,
        query=query.text,
        levels=(filled.level,),
        width=_WIDTH,
        k=_HITS,
        trace=True,
    )


def _of_arms(trace: Mapping[str, Any], filled: FilledBank) -> dict[str, tuple[str, ...]]:
    return {
        _ARMS[entry["method_name"]].value: _names(
            [UUID(one["node_id"]) for one in entry["results"]], filled
        )
        for entry in trace["retrieval_results"]
        if _ARMS[entry["method_name"]] in filled.arms
    }


def _names(node_ids: Sequence[UUID], filled: FilledBank) -> tuple[str, ...]:
    """Each name once, where it comes first."""
    names = [filled.names[one] for one in node_ids if one in filled.names]
    return tuple(dict.fromkeys(names))[:DEPTH]
