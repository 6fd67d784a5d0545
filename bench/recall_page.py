"""The page on recall's scale and floor: docs/recall.md and its drawing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

WIDTH, HEIGHT, MARGIN = 560, 340, 46
BEGIN, END = "<!-- begin: python -m bench.train_reranker -->", "<!-- end -->"
_LINES = (("right answers kept", "#0b6"), ("answer taken out: abstains", "#c60"),
          ("another topic: abstains", "#36c"))  # fmt: skip


def write(page: Path, measured: Mapping[str, Mapping[str, Any]]) -> None:
    """Renews the generated part of the page, and ``recall.svg`` beside it, for the first recipe."""
    first = next(iter(measured.values()))
    page.with_name("recall.svg").write_text(chart(first["curve"], first["floor"]), encoding="utf-8")
    before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    page.write_text(f"{before}{BEGIN}\n{section(measured)}{END}{after}", encoding="utf-8")


def section(measured: Mapping[str, Mapping[str, Any]]) -> str:
    lines = [
        "",
        "| weights for | floor | right answers kept | abstains: answer taken out | another topic |",
        "|---|---|---|---|---|",
    ]
    for recipe, found in measured.items():
        away = found["abstains"]
        lines.append(
            f"| {recipe} | {found['floor']:.3f} | {found['kept_mean']:.3f}"
            f" | {away['removed']:.3f} | {away['elsewhere']:.3f} |"
        )
    first = next(iter(measured.values()))
    lines += [
        "",
        "Right answers kept at the floor, by set (first row): "
        + ", ".join(f"{name} {share:.3f}" for name, share in first["kept"].items())
        + ".",
        "",
        "![Right answers kept and abstentions, as the floor rises](recall.svg)",
        "",
    ]
    return "\n".join(lines)


def chart(curve: Sequence[Sequence[float]], floor: float) -> str:
    """Each share against the floor."""

    def x(value: float) -> float:
        return MARGIN + value * (WIDTH - 2 * MARGIN)

    def y(value: float) -> float:
        return HEIGHT - MARGIN - value * (HEIGHT - 2 * MARGIN)

    drawn = []
    for column, (title, colour) in enumerate(_LINES, start=1):
        points = " ".join(f"{x(row[0]):.1f},{y(row[column]):.1f}" for row in curve)
        drawn.append(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>'
        )
        drawn.append(
            f'<text x="{WIDTH - MARGIN - 6}" y="{HEIGHT / 2 + 16 * column}" text-anchor="end"'
            f' fill="{colour}">{title}</text>'
        )
    ticks = "".join(
        f'<text x="{x(v):.1f}" y="{HEIGHT - MARGIN + 16}" text-anchor="middle">{v:.1f}</text>'
        f'<text x="{MARGIN - 6}" y="{y(v) + 4:.1f}" text-anchor="end">{v:.1f}</text>'
        for v in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
    )
    frame = f'x="{MARGIN}" y="{MARGIN}" width="{WIDTH - 2 * MARGIN}" height="{HEIGHT - 2 * MARGIN}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif"'
        f' font-size="11"><rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/><rect {frame} fill="none"'
        f' stroke="#999"/><line x1="{x(floor):.1f}" x2="{x(floor):.1f}" y1="{MARGIN}"'
        f' y2="{HEIGHT - MARGIN}" stroke="#c30" stroke-dasharray="4 3"/><text x="{x(floor) + 5:.1f}"'
        f' y="{MARGIN - 6}" fill="#c30">floor {floor:.3f}</text>{"".join(drawn)}{ticks}'
        f'<text x="{WIDTH / 2}" y="{HEIGHT - 8}" text-anchor="middle">relevance</text></svg>\n'
    )
