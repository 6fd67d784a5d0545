"""A recall's trace for people: who found how much, what fusion made of it, how it was scored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from memory.hits import Recalled
from memory.mem.people import plain, table
from memory.recall.phases import Phase

_PHASES: Final = {
    Phase.ENCODE: "encode",
    Phase.RETRIEVE: "search",
    Phase.FUSE: "fuse",
    Phase.PREFILTER: "read candidates",
    Phase.RERANK: "rerank",
    Phase.SCORE: "score",
    Phase.PREFER: "prefer observations",
    Phase.CHUNKS: "read passages",
    Phase.TOKENS: "fit the budget",
    Phase.SOURCES: "read sources",
    Phase.ENTITIES: "read entities",
}
_TOLD_FROM: Final = 0.0001  # seconds of a phase
_MOST_ROWS: Final = 10
_MOST_OF_TEXT: Final = 60  # code points


def lines(recalled: Recalled) -> Iterator[str]:
    """Three tables. ``recalled`` comes with its trace."""
    trace: Mapping[str, Any] = recalled.trace or {}
    summary = trace["summary"]
    phases = ", ".join(
        f"{_PHASES[phase['phase_name']]} {_milliseconds(phase)}"
        for phase in summary["phase_metrics"]
        if phase["duration_seconds"] >= _TOLD_FROM
    )
    total = 1000 * summary["total_duration_seconds"]
    yield f"trace   {summary['total_nodes_visited']} looked at in {total:.1f} ms: {phases}"
    if window := trace["query"]["temporal_constraint"]:
        yield f"period  {window['start']} to {window['end']}"
    yield from _block("found", _found(trace["retrieval_results"]))
    yield from _block("fused", _fused(trace["rrf_merged"]))
    yield from _block("reranked", _reranked(trace["reranked"]))
    yield f"floor   {_floor(trace['floor'])}"


def _floor(floor: Mapping[str, Any]) -> str:
    reranker = plain(floor["reranker"])
    if floor["floor"] is None:
        return f"none: whatever relevance {reranker} gives is shown"
    return f"{floor['floor']:.4f} in relevance by {reranker}: {floor['cut']} below it left out"


def _found(entries: Sequence[Mapping[str, Any]]) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = [("arm", "level", "type", "found", "best", "time", "text")]
    for entry in entries:
        results = entry["results"]
        best = f"{results[0]['score']:.4f}" if results else "–"
        text = _cut(results[0]["text"]) if results else ""
        about = (_arm(entry["method_name"]), entry["level"], entry["fact_type"] or "")
        rows.append((*about, len(results), best, _milliseconds(entry), text))
    return rows


def _fused(entries: Sequence[Mapping[str, Any]]) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = [("rank", "level", "score", "ranks of the arms", "text")]
    for entry in entries:
        if entry["final_rrf_rank"] > _MOST_ROWS:
            continue
        ranks = ", ".join(
            f"{_arm(arm.removesuffix('_rank'))} {rank}"
            for arm, rank in entry["source_ranks"].items()
        )
        score = f"{entry['rrf_score']:.4f}"
        rows.append((entry["final_rrf_rank"], entry["level"], score, ranks, _cut(entry["text"])))
    return rows


def _reranked(entries: Sequence[Mapping[str, Any]]) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = [("rank", "level", "was", "relevance", "final", "text")]
    for entry in entries[:_MOST_ROWS]:
        relevance = entry["score_components"]["reranker"]
        rows.append(
            (
                entry["rerank_rank"],
                entry["level"],
                entry["rrf_rank"],
                "–" if relevance is None else f"{relevance:.4f}",
                f"{entry['rerank_score']:.4f}",
                _cut(entry["text"]),
            )
        )
    return rows


def _block(name: str, rows: Sequence[tuple[object, ...]]) -> Iterator[str]:
    yield name
    header, *found = rows
    yield from (f"   {line}" for line in table(found, [str(cell) for cell in header]) if found)


def _arm(method: str) -> str:
    """By the name that scores have."""
    return "keyword" if method == "bm25" else method


def _milliseconds(entry: Mapping[str, Any]) -> str:
    return f"{1000 * entry['duration_seconds']:.1f} ms"


def _cut(text: str) -> str:
    line = plain(" ".join(text.split()))
    return line if len(line) <= _MOST_OF_TEXT else f"{line[: _MOST_OF_TEXT - 1]}…"
