"""A small feed-forward net, evaluated in numpy. Its weights are a JSON file with their provenance."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

WEIGHTS = Path(__file__).parents[1] / "data"
# The weights for pages without vectors, or with vectors of a recipe that none were trained for.
LEXICAL = "lexical"


@dataclass(frozen=True, slots=True)
class Net:
    """Standardised features through layers of tanh to one number per row."""

    features: tuple[str, ...]
    mean: np.ndarray
    scale: np.ndarray
    layers: tuple[tuple[np.ndarray, np.ndarray], ...]

    def __call__(self, rows: np.ndarray, names: Sequence[str]) -> np.ndarray:
        """One number per row; ``names`` are those of the columns, more than needed or as needed."""
        columns = [names.index(name) for name in self.features]
        return self.of_columns(np.asarray(rows)[:, columns])

    def of_columns(self, rows: np.ndarray) -> np.ndarray:
        """The same for rows that hold this net's features alone, in its order."""
        x = np.clip((np.asarray(rows, np.float32) - self.mean) / self.scale, -5, 5)
        for index, (weight, bias) in enumerate(self.layers):
            x = x @ weight + bias
            if index + 1 < len(self.layers):
                x = np.tanh(x)
        return x[:, 0]


def probability(logit: float) -> float:
    return float(1 / (1 + np.exp(-np.clip(logit, -30, 30))))


@cache
def _shipped(name: str, features: tuple[str, ...]) -> dict[str, Net]:
    return load(WEIGHTS / name, features=features)


def shipped(name: str, *, features: tuple[str, ...], recipe: str) -> Net:
    """The net of this package's weights file for vectors of ``recipe``, else the one by words."""
    nets = _shipped(name, features)
    return nets.get(recipe, nets[LEXICAL])


def load(path: Path, *, features: Sequence[str]) -> dict[str, Net]:
    """Nets by recipe name. Raises ``ValueError`` when a net was trained on other features."""
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    nets = {}
    for name, stored in document["nets"].items():
        wanted = tuple(stored["features"])
        if unknown := set(wanted) - set(features):
            raise ValueError(f"{path.name}: {name} wants unknown features {sorted(unknown)}")
        nets[name] = Net(
            features=wanted,
            mean=np.array(stored["mean"], np.float32),
            scale=np.array(stored["scale"], np.float32),
            layers=tuple(
                (np.array(weight, np.float32), np.array(bias, np.float32))
                for weight, bias in stored["layers"]
            ),
        )
    return nets
