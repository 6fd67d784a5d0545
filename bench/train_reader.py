"""Trains the weights that order the sentences of a page: memory/data/reader.json.

    python -m bench.train_reader --data DIR [--cache DIR]

Learns from the sets of ``bench.data.TRAINING`` alone; folds keep articles apart. Prints how often the
best one and two sentences hold the answer, by set, out of fold.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bench import data
from bench.collect import Read, collect
from bench.foreign import as_foreign
from bench.train import Settings, fit_several, folds, listwise, stored
from memory.backends.encoders.e5 import E5
from memory.reading import features
from memory.reading.net import LEXICAL, WEIGHTS, Net

FOLDS = 4
# How much one set weighs as a whole; its questions share that.
SHARES = {"mlqa_mix": 1.0, "clapnq": 0.15, "covidqa": 0.2, "chunkeval": 0.1, "tatqa": 0.15}
# How many readings are seen a second time as if asked in another language than the page's.
FOREIGN = 0.15
SETTINGS = Settings(hidden=(24,), epochs=8, rate=0.01, decay=1e-2)
SEEDS = 4


def usable(reads: Sequence[Read]) -> list[Read]:
    return [
        one
        for one in reads
        if one.kind in ("own", "headed") and one.gold.any() and not one.gold.all()
    ]


def train(reads: Sequence[Read], names: tuple[str, ...], settings: Settings = SETTINGS) -> Net:
    """Some readings come once more as if asked in another language, where vectors can tell."""
    if set(names) != set(features.LEXICAL):
        random = np.random.default_rng(settings.seed)
        reads = [*reads, *(as_foreign(one, random) for one in reads if random.random() < FOREIGN)]
    columns = [features.NAMES.index(name) for name in names]
    counts: dict[str, int] = defaultdict(int)
    for one in reads:
        counts[one.name] += 1
    total = sum(SHARES[name] for name in counts)
    weight = [SHARES[one.name] / total / counts[one.name] * len(reads) for one in reads]
    return fit_several(
        [one.reading.features[:, columns] for one in reads],
        listwise([one.gold for one in reads], weight),
        names=names,
        settings=settings,
        seeds=SEEDS,
    )


def out_of_fold(
    reads: Sequence[Read], all_reads: Sequence[Read], names: tuple[str, ...]
) -> list[np.ndarray]:
    """Scores of ``all_reads`` by nets that saw none of their articles."""
    fold = folds([one.group for one in reads], FOLDS)
    nets = [
        train([r for r, f in zip(reads, fold, strict=True) if f != k], names) for k in range(FOLDS)
    ]
    of = folds([one.group for one in all_reads], FOLDS)
    return [
        nets[k](one.reading.features, features.NAMES) if len(one.gold) else np.zeros(0)
        for one, k in zip(all_reads, of, strict=True)
    ]


def report(reads: Sequence[Read], scores: Sequence[np.ndarray]) -> dict[str, dict[str, float]]:
    hits: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for one, values in zip(reads, scores, strict=True):
        order = np.argsort(-values)
        if one.kind == "headed":
            hits["headed"].append((float(one.gold[order[0]]), float(one.gold[order[:2]].any())))
            continue
        hit = float(one.gold[order[0]]), float(one.gold[order[:2]].any())
        hits[one.name].append(hit)
        if one.name in ("mlqa_mix", "xquad"):
            hits[f"{one.name}.{one.language}"].append(hit)
    return {
        name: {"n": len(those), "top1": float(np.mean([a for a, _ in those])),
               "top2": float(np.mean([b for _, b in those]))}
        for name, those in sorted(hits.items())
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data")
    parser.add_argument(
        "--cache", type=Path, default=Path(tempfile.gettempdir()) / "footnote-readings"
    )
    parser.add_argument("--limit", type=int, default=250, help="questions per set and language")
    parser.add_argument("--out", type=Path, default=WEIGHTS / "reader.json")
    options = parser.parse_args()
    encoder = E5()
    reads = usable(
        collect(
            data.folder(options.data),
            data.TRAINING,
            encoder,
            cache=options.cache,
            limit=options.limit,
        )
    )
    nets = {}
    figures = {}
    for recipe, names in ((encoder.recipe.name, features.NAMES), (LEXICAL, features.LEXICAL)):
        figures[recipe] = report(reads, out_of_fold(reads, reads, names))
        nets[recipe] = stored(train(reads, names))
        for name, row in figures[recipe].items():
            print(f"{recipe[:24]:24} {name:18} {row['n']:5} {row['top1']:.3f} {row['top2']:.3f}")
    provenance = {
        "script": "bench/train_reader.py",
        "sets": list(data.TRAINING),
        "questions": len(reads),
        "settings": repr(SETTINGS),
        "out_of_fold": figures,
    }
    options.out.write_text(json.dumps({"provenance": provenance, "nets": nets}) + "\n")


if __name__ == "__main__":
    main()
