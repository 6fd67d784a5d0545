"""The part of docs/benchmarks.md that is about recall, and its drawing. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from bench.recall_corpus import VOCABULARY

DRAWING = "recall-speed.svg"
WIDTH, HEIGHT, MARGIN, LABELS = 640, 260, 46, 150
_COLOURS = ("#2a6f97", "#e07a1f", "#7a5195")
_COLUMNS = (
    "facts",
    "references",
    "levels",
    "clients",
    "p50",
    "p95",
    "encoder p50 / p95",
    "SQL p50 / p95",
    "own code over both",
    "statements",
)

Row = dict[str, Any]


def section(recall: dict[str, Any], candidates: dict[str, Any]) -> str:
    rows: list[Row] = recall["rows"]
    nearest, keyword = recall["nearest"], recall["keyword_ms"]
    built = recall["index_seconds"].get("all")
    return f"""## A recall

Generated memories: words as language has them (Zipf over {VOCABULARY:,} words), topics, names, times,
tags, vectors in clusters. {recall["questions"]} questions, four arms, 300 candidates an arm, the embedded
reranker, ten hits. *References*: sections of level R in the same bank. Milliseconds.

{_header(_COLUMNS)}
{chr(10).join(map(_row, rows))}

![Median and 95th percentile of a recall by the number of facts]({DRAWING})

{_ratios(rows)}

Vectors: the ten nearest through the index are {nearest["recall"]:.1%} of the ten that are exactly nearest
(p50 / p95 {nearest["index_p50_ms"]:.1f} / {nearest["index_p95_ms"]:.1f} ms, exactly \
{nearest["exact_p50_ms"]:.1f} / {nearest["exact_p95_ms"]:.1f} ms) at {_largest(rows):,} facts.
{_built(built)}

The keyword arm alone at {_largest(rows):,} facts: p50 / p95 {keyword["keyword_p50_ms"]:.1f} / \
{keyword["keyword_p95_ms"]:.1f} ms for 300 candidates.

## Ways to keep a keyword index

The same memories in tables of their own, under row security, the best {candidates["limit"]} by BM25.
*Same*: the share of these that is found. What is used is the last ([why](adr/0012-keyword-index.md)).
Milliseconds.

{_header(("way", "memories", "p50", "p95", "MB", "same"))}
{_ways(candidates["sizes"])}
"""


def _header(columns: Sequence[str]) -> str:
    return f"| {' | '.join(columns)} |\n{'|---' * len(columns)}|"


def _row(row: Row) -> str:
    def pair(name: str) -> str:
        if f"{name}_p50_ms" not in row:
            return ""
        return f"{row[f'{name}_p50_ms']:.0f} / {row[f'{name}_p95_ms']:.0f}"

    cells = (
        f"{row['facts']:,}",
        f"{row['references']:,}" if row["references"] else "none",
        " ".join(row["levels"]),
        str(row["clients"]),
        f"{row['whole_p50_ms']:.0f}",
        f"{row['whole_p95_ms']:.0f}",
        pair("encoder"),
        pair("sql"),
        f"{row['overhead']:.0%}" if "overhead" in row else "",
        f"{row['statements']:.0f}" if "statements" in row else "",
    )
    return f"| {' | '.join(cells)} |"


def _plain(rows: Sequence[Row], clients: int) -> list[Row]:
    """Banks without references, by size."""
    found = [row for row in rows if not row["references"] and row["clients"] == clients]
    return sorted(found, key=lambda row: int(row["facts"]))


def _largest(rows: Sequence[Row]) -> int:
    return int(max(row["facts"] for row in rows))


def _ratios(rows: Sequence[Row]) -> str:
    """Of neighbouring sizes, and of a bank with references to one without, in the same run."""
    alone = _plain(rows, 1)
    lines = [
        f"{large['facts']:,} against {small['facts']:,} facts, one client: p50"
        f" {large['whole_p50_ms'] / small['whole_p50_ms']:.2f} times, p95"
        f" {large['whole_p95_ms'] / small['whole_p95_ms']:.2f} times."
        for small, large in pairwise(alone)
    ]
    for row in rows:
        same = [one for one in alone if one["facts"] == row["facts"]]
        if row["references"] and row["clients"] == 1 and "R" not in row["levels"] and same:
            lines.append(
                f"{row['facts']:,} facts beside {row['references']:,} references against the same without:"
                f" p50 {row['whole_p50_ms'] / same[0]['whole_p50_ms']:.2f} times."
            )
    return "\n".join(f"- {line}" for line in lines)


def _built(seconds: float | None) -> str:
    return (
        f"The vector indexes of all banks together were built in {seconds:.0f} s."
        if seconds
        else ""
    )


def _ways(sizes: dict[str, dict[str, dict[str, float]]]) -> str:
    return "\n".join(
        f"| {way} | {int(size):,} | {found['p50_ms']:.1f} | {found['p95_ms']:.1f}"
        f" | {found['mb']:.0f} | {found['same']:.1%} |"
        for way in next(iter(sizes.values()))
        for size, ways in sizes.items()
        for found in (ways[way],)
    )


def drawing(recall: dict[str, Any]) -> str:
    """Bars of the median with a line up to the 95th percentile; sizes beside each other."""
    groups = [
        (f"{clients} client" + "s" * (clients > 1), _plain(recall["rows"], clients))
        for clients in (1, 4)
    ]
    groups = [(name, rows) for name, rows in groups if rows]
    top = max((row["whole_p95_ms"] for _, rows in groups for row in rows), default=1.0)
    inner = WIDTH - 2 * MARGIN - LABELS
    step = inner / max(len(groups), 1)
    parts = []
    for group, (name, rows) in enumerate(groups):
        left, bar = MARGIN + group * step, step * 0.8 / max(len(rows), 1)
        for place, row in enumerate(rows):
            x, low = left + place * bar, HEIGHT - MARGIN
            middle, high = (_up(row[f"whole_{p}_ms"], top) for p in ("p50", "p95"))
            centre = x + bar * 0.4
            parts.append(
                f'<rect x="{x:.1f}" y="{low - middle:.1f}" width="{bar * 0.8:.1f}"'
                f' height="{middle:.1f}"'
                f' fill="{_COLOURS[place % len(_COLOURS)]}"/>'
                f'<path d="M{centre:.1f} {low - middle:.1f}V{low - high:.1f}m-5 0h10" stroke="#333"'
                ' fill="none"/>'
                f'<text x="{centre:.1f}" y="{low - high - 5:.1f}" text-anchor="middle">'
                f"{row['whole_p95_ms']:.0f}</text>"
            )
        parts.append(
            f'<text x="{left + step * 0.4:.1f}" y="{HEIGHT - MARGIN + 18}"'
            f' text-anchor="middle">{name}</text>'
        )
    for place, row in enumerate(groups[0][1] if groups else []):
        y = MARGIN + 20 * place
        parts.append(
            f'<rect x="{WIDTH - LABELS}" y="{y}" width="12" height="12"'
            f' fill="{_COLOURS[place % len(_COLOURS)]}"/>'
            f'<text x="{WIDTH - LABELS + 18}" y="{y + 10}">{row["facts"]:,} facts</text>'
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif"'
        f' font-size="11"><rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>'
        f'<path d="M{MARGIN} {HEIGHT - MARGIN}H{WIDTH - MARGIN - LABELS}" stroke="#999"/>'
        f'<text x="{MARGIN}" y="20">milliseconds: bar = p50, line = p95</text>{"".join(parts)}</svg>\n'
    )


def _up(milliseconds: float, top: float) -> float:
    return milliseconds / top * (HEIGHT - 2 * MARGIN - 10)
