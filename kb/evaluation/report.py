"""Figures as a table for people, and against those of an earlier run. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_COLUMNS = (
    "n", "span_hit@1", "span_hit@2", "answered", "right_when_answered", "false_answer_rate",
    "decline_recall", "balanced_accuracy", "auroc", "ece", "citation_integrity", "faults",
    "ndcg@10", "recall@10", "recall@50", "mrr",
)  # fmt: skip
_HEADS = {"right_when_answered": "right", "false_answer_rate": "false", "decline_recall": "declined",
          "balanced_accuracy": "balanced", "citation_integrity": "integrity"}  # fmt: skip
SAME = 0.00005  # differences below are those of rounding


def table(figures: Mapping[str, Any]) -> str:
    """A row per set, language and arm. A column that nothing is known of is left out."""
    groups = list(_groups(figures))
    columns = [name for name in _COLUMNS if any(name in values for _, values in groups)]
    rows = [["", *(_HEADS.get(name, name) for name in columns), "p50 ms", "p95 ms"]]
    for path, values in groups:
        latency = values.get("latency_ms") or values.get("recall_ms", {})
        rows.append(
            [
                path,
                *(_shown(values.get(name)) for name in columns),
                _shown(latency.get("p50")),
                _shown(latency.get("p95")),
            ]
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def differences(now: Mapping[str, Any], earlier: Mapping[str, Any]) -> str:
    """A line per figure that both runs have and that differs, and a sentence for what only one has."""
    new, old = dict(flat(now)), dict(flat(earlier))
    lines = [
        f"{name}  {old[name]:g} → {value:g}  ({value - old[name]:+.4g})"
        for name, value in new.items()
        if name in old and abs(value - old[name]) > SAME
    ]
    if unmatched := len(new.keys() ^ old.keys()):
        lines.append(f"{unmatched} figures are in one of the two runs only.")
    return "\n".join(lines) or "No figure differs."


def flat(figures: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, float]]:
    """``xquad.en.span_hit@1`` and its number; intervals are left out."""
    for name, value in figures.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{prefix}{name}.")
        elif isinstance(value, int | float):
            yield f"{prefix}{name}", float(value)


def _groups(
    figures: Mapping[str, Any], prefix: str = ""
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name, values in figures.items():
        if isinstance(values, Mapping) and ("n" in values or name == "arms"):
            if "n" in values:
                yield f"{prefix}{name}", values
            yield from _groups(values, f"{prefix}{name}.")


def _shown(value: float | None) -> str:
    if value is None:
        return "-"
    return (
        str(value) if isinstance(value, int) else f"{value:.3f}" if value <= 1 else f"{value:.0f}"
    )
