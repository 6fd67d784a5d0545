"""Trains the judge, which says whether an answer answers: memory/data/judge.json.

    python -m bench.train_judge --data DIR [--cache DIR]

One judge for all languages and sets. Right: the page's own question, answered by the sentence that the
reader puts first (where that is right) or by the right one. Wrong: a question to another page, to its
own page without the answer, one that people found unanswerable, or an answer resting on a wrong sentence.
The reader's scores are out of fold, so that the judge sees them as they will be on unknown pages.
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
from bench.foreign import as_foreign
from bench.train import Settings, fit_several, folds, logistic, stored
from bench.train_reader import FOLDS, out_of_fold, usable
from memory import metrics
from memory.backends.encoders.e5 import E5
from memory.backends.generators.extractive import NEARLY_AS_GOOD
from memory.reading import answer_features, features
from memory.reading.net import LEXICAL, WEIGHTS, Net
from memory.reading.records import Reading

SETTINGS = Settings(hidden=(16,), epochs=10, rate=0.01, decay=1e-2, batch=128)
SEEDS = 3
THRESHOLD = 0.70
# What each kind of example weighs as a whole. Together they are the mix of questions that the
# probability is calibrated for: fair questions and stray ones in equal parts, few traps.
SHARES = {
    "right": 1.0, "elsewhere": 0.7, "near": 0.5, "removed": 0.15, "human": 0.1, "wrong": 0.15,
}  # fmt: skip
# The gate's threshold is where this share of the questions to other pages (mlqa_mix, out of fold)
# would still pass: the logits are shifted so that it falls on THRESHOLD.
STRAY_RATE = 0.018
SET_SHARES = {
    "mlqa_mix": 1.0,
    "clapnq": 0.25,
    "covidqa": 0.15,
    "chunkeval": 0.1,
    "tatqa": 0.2,
    "foreign": 0.15,
}


@dataclass(frozen=True, slots=True)
class Example:
    row: np.ndarray
    truth: bool
    kind: str
    name: str
    language: str
    group: str
    top: bool  # the reader's own choice, as the product would answer


def chosen_by(ranks: np.ndarray) -> list[int]:
    order = np.argsort(-ranks, kind="stable")
    close = [int(i) for i in order[1:2] if ranks[order[0]] - ranks[i] < NEARLY_AS_GOOD]
    return [int(order[0]), *close]


def examples(
    reads: Sequence[Read], scores: Sequence[np.ndarray], *, seed: int = 5
) -> list[Example]:
    random = np.random.default_rng(seed)
    made = []
    for one, values in zip(reads, scores, strict=True):
        if not len(values):
            continue
        reading = replace(one.reading, scores=values)
        top = chosen_by(reading.ranks)
        if one.kind in ("elsewhere", "near", "removed"):
            made.append(_example(one, reading, top, False, one.kind, True))
            if random.random() < 0.2:
                stray = int(random.integers(len(values)))
                made.append(_example(one, reading, [stray], False, "wrong", False))
        elif not one.answerable:
            made.append(_example(one, reading, top, False, "human", True))
        elif one.gold.any():
            right = any(one.gold[i] for i in top)
            made.append(_example(one, reading, top, True, "right" if right else "missed", True))
            if not right:
                best = int(np.flatnonzero(one.gold)[values[one.gold].argmax()])
                made.append(_example(one, reading, [best], True, "right", False))
            wrong = np.flatnonzero(~one.gold)
            if len(wrong) > 3 and random.random() < 0.3:
                ranked = wrong[np.argsort(-values[wrong])]
                made.append(
                    _example(one, reading, [int(random.choice(ranked[2:]))], False, "wrong", False)
                )
    return made


def _example(
    one: Read, reading: Reading, chosen: list[int], truth: bool, kind: str, top: bool
) -> Example:
    row = reading.judge_row(chosen)
    return Example(row, truth, kind, one.name, one.language, one.group, top)


def foreign(reads: Sequence[Read]) -> list[Read]:
    """Own and other pages once more, as if asked in another language; a set of their own."""
    random = np.random.default_rng(SETTINGS.seed)
    return [
        replace(as_foreign(one, random), name="foreign")
        for one in reads
        if one.kind in ("own", "elsewhere") and one.name == "mlqa_mix" and random.random() < 0.5
    ]


def weights(made: Sequence[Example]) -> np.ndarray:
    counts: dict[tuple[str, str], int] = defaultdict(int)
    for one in made:
        counts[one.kind, one.name] += 1
    share = np.array(
        [SHARES.get(o.kind, 0.0) * SET_SHARES[o.name] / counts[o.kind, o.name] for o in made]
    )
    return share * len(made) / share.sum()


def train_judge(made: Sequence[Example], names: tuple[str, ...]) -> Net:
    columns = [answer_features.NAMES.index(name) for name in names]
    weight = weights(made)
    kept = [i for i, w in enumerate(weight) if w > 0]
    return fit_several(
        [made[i].row[None, columns] for i in kept],
        logistic([float(made[i].truth) for i in kept], weight[kept].tolist()),
        names=names,
        settings=SETTINGS,
        seeds=SEEDS,
    )


def probabilities(net: Net, made: Sequence[Example]) -> np.ndarray:
    logits = net(np.stack([one.row for one in made]), answer_features.NAMES)
    return 1 / (1 + np.exp(-logits))


def shift_to_threshold(made: Sequence[Example], chance: np.ndarray) -> float:
    stray = np.array([o.top and o.kind == "elsewhere" and o.name == "mlqa_mix" for o in made])
    return logit(THRESHOLD) - logit(float(np.quantile(chance[stray], 1 - STRAY_RATE)))


def shifted(chance: np.ndarray, shift: float) -> np.ndarray:
    odds = np.log(np.clip(chance, 1e-9, 1 - 1e-9)) - np.log(np.clip(1 - chance, 1e-9, 1))
    return 1 / (1 + np.exp(-(odds + shift)))


def logit(chance: float) -> float:
    return float(np.log(chance) - np.log1p(-chance))


def report(made: Sequence[Example], chance: np.ndarray) -> dict[str, float]:
    """Only what the product would have answered with: the reader's own choice."""
    figures: dict[str, float] = {}
    for name in sorted({one.name for one in made}):
        inside = np.array([one.name == name and one.top for one in made])
        for kind in ("right", "missed", "elsewhere", "near", "removed", "human"):
            those = chance[inside & np.array([one.kind == kind for one in made])]
            if len(those):
                figures[f"{name}.{kind}"] = float((those >= THRESHOLD).mean())
        own = chance[inside & np.array([one.kind in ("right", "missed") for one in made])]
        figures[f"{name}.answered"] = float((own >= THRESHOLD).mean())
    fair = np.array([o.top and o.kind in ("right", "missed", "elsewhere") for o in made])
    truth = np.array([one.kind in ("right", "missed") for one in made])
    figures["auroc"] = metrics.auroc(chance[fair], truth[fair])
    figures["ece"] = metrics.calibration_error(chance[fair], truth[fair])
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data")
    parser.add_argument(
        "--cache", type=Path, default=Path(tempfile.gettempdir()) / "footnote-readings"
    )
    parser.add_argument("--limit", type=int, default=250, help="questions per set and language")
    parser.add_argument("--out", type=Path, default=WEIGHTS / "judge.json")
    options = parser.parse_args()
    encoder = E5()
    reads = collect(
        data.folder(options.data), data.TRAINING, encoder, cache=options.cache, limit=options.limit
    )
    nets, figures = {}, {}
    lexical = tuple(n for n in answer_features.NAMES if "cosine" not in n)
    for recipe, reader_names, names in (
        (encoder.recipe.name, features.NAMES, answer_features.NAMES),
        (LEXICAL, features.LEXICAL, lexical),
    ):
        seen = [*reads, *foreign(reads)] if recipe != LEXICAL else reads
        made = examples(seen, out_of_fold(usable(reads), seen, reader_names))
        fold = folds([one.group for one in made], FOLDS)
        chance = np.zeros(len(made))
        for k in range(FOLDS):
            net = train_judge([o for o, f in zip(made, fold, strict=True) if f != k], names)
            held = np.flatnonzero(fold == k)
            chance[held] = probabilities(net, [made[i] for i in held])
        shift = shift_to_threshold(made, chance)
        figures[recipe] = report(made, shifted(chance, shift))
        net = train_judge(made, names)
        *inner, (weight, bias) = net.layers
        nets[recipe] = stored(replace(net, layers=(*inner, (weight, bias + np.float32(shift)))))
        print(recipe, json.dumps({k: round(v, 3) for k, v in figures[recipe].items()}, indent=0))
    provenance = {
        "script": "bench/train_judge.py",
        "sets": list(data.TRAINING),
        "readings": len(reads),
        "settings": repr(SETTINGS),
        "shares": SHARES,
        "stray_rate": STRAY_RATE,
        "out_of_fold": figures,
    }
    options.out.write_text(json.dumps({"provenance": provenance, "nets": nets}) + "\n")


if __name__ == "__main__":
    main()
