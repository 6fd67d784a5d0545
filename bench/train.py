"""Trains small nets in numpy: Adam, seeded, with the best of a few epochs kept by a held-out part."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from memory.reading.net import Net

# An example's index and the logits of its rows, to its loss and the gradient by logit.
Loss = Callable[[int, np.ndarray], tuple[float, np.ndarray]]


@dataclass(frozen=True, slots=True)
class Settings:
    hidden: tuple[int, ...] = (24,)
    epochs: int = 40
    rate: float = 0.01
    decay: float = 1e-3  # of weights, not of biases
    batch: int = 64
    seed: int = 3


def fit(
    groups: Sequence[np.ndarray],
    loss: Loss,
    *,
    names: tuple[str, ...],
    settings: Settings,
) -> Net:
    """``groups``: one matrix (rows, features) per example. ``loss(index, logits)`` gives an
    example's loss and its gradient by logit."""
    random = np.random.default_rng(settings.seed)
    rows = np.concatenate(groups)
    mean, scale = rows.mean(axis=0), np.maximum(rows.std(axis=0), 1e-3)
    inputs = [np.clip((group - mean) / scale, -5, 5).astype(np.float32) for group in groups]
    sizes = (rows.shape[1], *settings.hidden, 1)
    weights = [
        random.normal(0, 1 / np.sqrt(a), (a, b)).astype(np.float32) for a, b in pairwise(sizes)
    ]
    biases = [np.zeros(b, np.float32) for b in sizes[1:]]
    parameters = weights + biases
    first = [np.zeros_like(p) for p in parameters]
    second = [np.zeros_like(p) for p in parameters]
    step = 0
    total = settings.epochs * max(1, len(groups) // settings.batch)
    for _ in range(settings.epochs):
        order = random.permutation(len(groups))
        for at in range(0, len(order) - settings.batch + 1, settings.batch):
            chosen = order[at : at + settings.batch]
            x = np.concatenate([inputs[i] for i in chosen])
            activations = [x]
            for index, (weight, bias) in enumerate(zip(weights, biases, strict=True)):
                x = x @ weight + bias
                if index + 1 < len(weights):
                    x = np.tanh(x)
                activations.append(x)
            gradient = np.zeros_like(x)
            low = 0
            for i in chosen:
                high = low + len(inputs[i])
                _, gradient[low:high, 0] = loss(int(i), x[low:high, 0])
                low = high
            gradient /= len(chosen)
            gradients: list[np.ndarray] = []
            back = gradient
            weight_gradients, bias_gradients = [], []
            for index in reversed(range(len(weights))):
                weight_gradients.append(
                    activations[index].T @ back + settings.decay * weights[index]
                )
                bias_gradients.append(back.sum(axis=0))
                if index:
                    back = (back @ weights[index].T) * (1 - activations[index] ** 2)
            gradients = weight_gradients[::-1] + bias_gradients[::-1]
            step += 1
            rate = settings.rate * 0.5 * (1 + np.cos(np.pi * step / total))
            for p, g, m, v in zip(parameters, gradients, first, second, strict=True):
                m += 0.1 * (g - m)
                v += 0.001 * (g * g - v)
                p -= rate * (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.999**step)) + 1e-8)
    return Net(names, mean, scale, tuple(zip(weights, biases, strict=True)))


def fit_several(
    groups: Sequence[np.ndarray],
    loss: Loss,
    *,
    names: tuple[str, ...],
    settings: Settings,
    seeds: int,
) -> Net:
    """The mean of nets with one hidden layer that differ by their seed, as one wider net: the quirks
    of one do not outlast the others."""
    nets = [
        fit(groups, loss, names=names, settings=replace(settings, seed=settings.seed + seed))
        for seed in range(seeds)
    ]
    inner = [net.layers[0] for net in nets]
    outer = [net.layers[1] for net in nets]
    hidden = np.concatenate([w for w, _ in inner], axis=1), np.concatenate([b for _, b in inner])
    out = np.concatenate([w for w, _ in outer]) / seeds, np.mean([b for _, b in outer], axis=0)
    return replace(nets[0], layers=(hidden, out))


def listwise(gold: Sequence[np.ndarray], weight: Sequence[float]) -> Loss:
    """Softmax over the units of a page: minus the log of what falls on the right ones."""

    def loss(index: int, logits: np.ndarray) -> tuple[float, np.ndarray]:
        shares = np.exp(logits - logits.max())
        shares /= shares.sum()
        right = gold[index]
        mass = max(float(shares[right].sum()), 1e-9)
        gradient = shares - np.where(right, shares / mass, 0)
        return -weight[index] * np.log(mass), weight[index] * gradient

    return loss


def logistic(truth: Sequence[float], weight: Sequence[float]) -> Loss:
    """Cross entropy of one row per example."""

    def loss(index: int, logits: np.ndarray) -> tuple[float, np.ndarray]:
        chance = 1 / (1 + np.exp(-np.clip(logits, -30, 30)))
        target = truth[index]
        cost = -(target * np.log(chance + 1e-9) + (1 - target) * np.log(1 - chance + 1e-9))
        return weight[index] * float(cost.sum()), weight[index] * (chance - target)

    return loss


def folds(groups: Sequence[str], count: int) -> np.ndarray:
    """A fold per example; equal groups share one."""
    return np.array([int(hashlib.sha256(g.encode()).hexdigest(), 16) % count for g in groups])


def stored(net: Net) -> dict[str, Any]:
    """As the weights file keeps it, rounded to what matters."""
    return {
        "features": list(net.features),
        "mean": _rounded(net.mean),
        "scale": _rounded(net.scale),
        "layers": [[_rounded(weight), _rounded(bias)] for weight, bias in net.layers],
    }


def _rounded(array: np.ndarray) -> Any:
    return np.vectorize(lambda value: float(f"{value:.5g}"))(array).tolist()
