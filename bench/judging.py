"""Measures reader and judge on xquad pages, and writes docs/judging.md with its chart.

    python -m bench.judging --data DIR [--cache DIR] [--limit N] [--out docs/judging.md]

Nothing here is trained on. Own: a question to the page of its article. Elsewhere: to another article's
page in the same language.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from bench import data
from bench.collect import Read, collect
from bench.train_judge import THRESHOLD, chosen_by
from memory import metrics
from memory.backends.encoders.e5 import E5
from memory.reading import features
from memory.reading.net import WEIGHTS, shipped

WIDTH, HEIGHT, MARGIN = 460, 300, 44


@dataclass(frozen=True, slots=True)
class Result:
    language: str
    own: bool
    chance: float
    hit1: bool
    hit2: bool
    cited: bool  # one of the sentences that the product would quote holds the answer
    near: bool = False

    @property
    def answered(self) -> bool:
        return self.chance >= THRESHOLD


def results(reads: Sequence[Read], recipe: str) -> list[Result]:
    net = shipped("reader.json", features=features.NAMES, recipe=recipe)
    found = []
    for one in reads:
        if not len(one.gold):
            continue
        scores = net(one.reading.features, features.NAMES)
        reading = replace(one.reading, scores=scores, recipe=recipe)
        order = np.argsort(-reading.ranks, kind="stable")
        chosen = chosen_by(reading.ranks)
        found.append(
            Result(
                one.language,
                one.kind == "own",
                reading.answer_probability(chosen),
                bool(one.gold[order[0]]),
                bool(one.gold[order[:2]].any()),
                any(one.gold[row] for row in chosen),
                one.kind == "near",
            )
        )
    return found


def figures(found: Sequence[Result]) -> dict[str, float]:
    own = [one for one in found if one.own]
    other = [one for one in found if not one.own and not one.near]
    near = [one for one in found if one.near]
    fair = [*own, *other]
    answered = [one for one in own if one.answered]
    return {
        "n": len(own),
        "top1": float(np.mean([one.hit1 for one in own])),
        "top2": float(np.mean([one.hit2 for one in own])),
        "answered": len(answered) / max(len(own), 1),
        "declined": float(np.mean([not one.answered for one in other])),
        "near": float(np.mean([not one.answered for one in near])) if near else float("nan"),
        "cited": float(np.mean([one.cited for one in answered])) if answered else 0.0,
        "hit1_of_answered": float(np.mean([one.hit1 for one in answered])) if answered else 0.0,
        "hit2_of_answered": float(np.mean([one.hit2 for one in answered])) if answered else 0.0,
        "auroc": metrics.auroc([one.chance for one in fair], [one.own for one in fair]),
        "ece": metrics.calibration_error([one.chance for one in fair], [one.own for one in fair]),
    }


COLUMNS = (
    ("n", "questions"), ("top1", "best holds answer"), ("top2", "best two hold answer"),
    ("answered", "own page answered"), ("declined", "other page declined"),
    ("near", "nearest other page declined"), ("cited", "cited holds answer, of answered"),
    ("hit1_of_answered", "right, first, of answered"),
    ("hit2_of_answered", "right, two, of answered"), ("auroc", "AUROC"), ("ece", "ECE"),
)  # fmt: skip


def table(by_language: dict[str, list[Result]]) -> list[str]:
    lines = ["| language | " + " | ".join(title for _, title in COLUMNS) + " |"]
    lines.append("|---" * (len(COLUMNS) + 1) + "|")
    rows = {language: figures(those) for language, those in sorted(by_language.items())}
    others = [row for language, row in rows.items() if language != "en"]
    if others:
        rows["mean but en"] = {
            key: float(np.mean([row[key] for row in others])) for key, _ in COLUMNS
        }
    for language, row in rows.items():
        cells = (f"{row[key]:.0f}" if key == "n" else f"{row[key]:.3f}" for key, _ in COLUMNS)
        lines.append(f"| {language} | " + " | ".join(cells) + " |")
    return lines


def chart(found: Sequence[Result]) -> str:
    """Answered on the own page against declined on another, as the threshold moves."""
    own = np.array([one.chance for one in found if one.own])
    other = np.array([one.chance for one in found if not one.own and not one.near])
    steps = np.linspace(0.02, 0.98, 97)
    points = [(float((other < t).mean()), float((own >= t).mean())) for t in steps]

    def place(declined: float, answered: float) -> str:
        x = MARGIN + (declined - 0.8) / 0.2 * (WIDTH - 2 * MARGIN)
        y = HEIGHT - MARGIN - (answered - 0.8) / 0.2 * (HEIGHT - 2 * MARGIN)
        return f"{x:.1f},{y:.1f}"

    line = " ".join(place(*point) for point in points if min(point) >= 0.8)
    at = place(
        max(0.8, float((other < THRESHOLD).mean())), max(0.8, float((own >= THRESHOLD).mean()))
    )
    x, y = at.split(",")
    ticks = "".join(
        f'<text x="{place(v, 0.8).split(",")[0]}" y="{HEIGHT - MARGIN + 16}"'
        f' text-anchor="middle">{v:.2f}</text>'
        f'<text x="{MARGIN - 6}" y="{place(0.8, v).split(",")[1]}" text-anchor="end">{v:.2f}</text>'
        for v in (0.8, 0.85, 0.9, 0.95, 1.0)
    )
    frame = f'x="{MARGIN}" y="{MARGIN}" width="{WIDTH - 2 * MARGIN}" height="{HEIGHT - 2 * MARGIN}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif"'
        f' font-size="11"><rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/><rect {frame} fill="none"'
        f' stroke="#999"/><polyline points="{line}" fill="none" stroke="#0b6" stroke-width="2"/>'
        f'<circle cx="{x}" cy="{y}" r="4" fill="#c30"/><text x="{float(x) - 8}" y="{float(y) + 18}"'
        f' text-anchor="end">threshold {THRESHOLD:.2f}</text>{ticks}'
        f'<text x="{WIDTH / 2}" y="{HEIGHT - 8}" text-anchor="middle">other page: declined</text>'
        f'<text x="14" y="{HEIGHT / 2}" text-anchor="middle" transform="rotate(-90 14 {HEIGHT / 2})">'
        "own page: answered</text></svg>\n"
    )


def page(found: Sequence[Result], lexical: Sequence[Result]) -> str:
    def by_language(those: Sequence[Result]) -> dict[str, list[Result]]:
        split: dict[str, list[Result]] = defaultdict(list)
        for one in those:
            split[one.language].append(one)
        return split

    reader = json.loads((WEIGHTS / "reader.json").read_text())["provenance"]
    judge = json.loads((WEIGHTS / "judge.json").read_text())["provenance"]
    lines = [
        "# Reader and judge",
        "",
        "Generated by `python -m bench.judging`; do not edit. xquad: all paragraphs of an article are one"
        " page. Nothing was trained on xquad or squad2. The gate answers from"
        f" {THRESHOLD:.2f}. *Right* means that the cited sentence holds the gold answer at its place.",
        "",
        "![Answered on the own page against declined on another page](judging.svg)",
        "",
        *table(by_language(found)),
        "",
        "## Without vectors, by words alone",
        "",
        *table(by_language(lexical)),
        "",
        "## On the training sets, out of fold",
        "",
        f"Reader, {reader.get('questions', 0)} questions: the best sentence, the best two hold the answer.",
        "",
        "| set | n | best | best two |",
        "|---|---|---|---|",
    ]
    recipe = next(iter(reader.get("out_of_fold", {"": {}})))
    for name, row in reader.get("out_of_fold", {}).get(recipe, {}).items():
        lines.append(f"| {name} | {row['n']} | {row['top1']:.3f} | {row['top2']:.3f} |")
    lines += [
        "",
        "Judge: share that passes the threshold.",
        "",
        "| set and kind | passes |",
        "|---|---|",
    ]
    for name, value in judge.get("out_of_fold", {}).get(recipe, {}).items():
        lines.append(f"| {name} | {value:.3f} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data")
    parser.add_argument(
        "--cache", type=Path, default=Path(tempfile.gettempdir()) / "footnote-readings"
    )
    parser.add_argument("--limit", type=int, default=0, help="questions per language; 0 is all")
    parser.add_argument("--out", type=Path, default=Path("docs/judging.md"))
    options = parser.parse_args()
    encoder = E5()
    reads = [
        one
        for one in collect(
            data.folder(options.data), ["xquad"], encoder, cache=options.cache, limit=options.limit,
            kinds=("own", "elsewhere", "near"),
        )
    ]  # fmt: skip
    found = results(reads, encoder.recipe.name)
    lexical = results(reads, "lexical")
    options.out.write_text(page(found, lexical))
    options.out.with_suffix(".svg").write_text(chart(found))
    print("\n".join(table({"all": found, "by words": lexical})))


if __name__ == "__main__":
    main()
