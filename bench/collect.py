"""Reads every question of the sets once, and keeps the readings on disk between runs."""

from __future__ import annotations

import hashlib
import os
import pickle
import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench import data
from memory.reading import answer_features, features
from memory.reading.reader import read
from memory.reading.records import Reading
from memory.seams import Encoder

SEED = 11
# Sets of bare paragraphs, which get headings; the others have some of their own.
BARE = ("mlqa_mix", "clapnq")
KINDS = ("own", "headed", "elsewhere", "near", "removed")


@dataclass(frozen=True, slots=True)
class Read:
    """One reading with its truth. ``gold``: per row of the reading, does the unit hold an answer?"""

    name: str  # of the set
    kind: str  # of KINDS
    group: str
    language: str
    answerable: bool
    qid: str
    question: str
    reading: Reading
    gold: np.ndarray


class Memory(dict[str, bytes]):
    """A vector cache that forgets nothing, and is kept between runs."""

    path: Path

    @classmethod
    def of(cls, path: Path) -> Memory:
        memory = cls(pickle.loads(path.read_bytes()) if path.exists() else {})
        memory.path = path
        return memory

    def keep(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.path.with_suffix(f".{os.getpid()}")
        fresh.write_bytes(pickle.dumps(dict(self)))
        fresh.replace(self.path)  # another run may be reading it

    def get_many(self, keys: Sequence[str]) -> Mapping[str, bytes]:
        return {key: self[key] for key in keys if key in self}

    def set_many(self, values: Mapping[str, bytes]) -> None:
        self.update(values)


def collect(
    folder: Path,
    names: Sequence[str],
    encoder: Encoder | None,
    *,
    cache: Path,
    limit: int = 0,
    kinds: Sequence[str] = KINDS,
) -> list[Read]:
    """Every question of the sets on the pages that ``kinds`` name; ``limit`` per set and language."""
    return [
        one
        for name in names
        for kind in kinds
        if kind != "headed" or name in BARE
        for one in _kept(folder, name, kind, encoder, cache=cache, limit=limit)
    ]


def _kept(
    folder: Path, name: str, kind: str, encoder: Encoder | None, *, cache: Path, limit: int
) -> list[Read]:
    recipe = encoder.recipe.name if encoder else "lexical"
    key = hashlib.sha256(f"{recipe} {limit} {_code_version()}".encode()).hexdigest()[:12]
    path = cache / f"{name}-{kind}-{key}.pickle"
    if path.exists():
        with path.open("rb") as file:
            return pickle.load(file)
    asked = sample(data.load(folder, name), limit)
    if kind == "elsewhere":
        asked = data.elsewhere(asked, seed=SEED)
    elif kind == "near":
        asked = data.nearby(asked)
    elif kind == "headed":
        asked = data.headed(asked[::3], seed=SEED)
    elif kind == "removed":
        asked = data.without_answer(asked)
    print(f"reading {name} {kind}: {len(asked)} questions", file=sys.stderr)
    vectors = Memory.of(
        cache / f"vectors-{hashlib.sha256(recipe.encode()).hexdigest()[:12]}.pickle"
    )
    found = [_read(name, kind, one, encoder, vectors) for one in asked]
    vectors.keep()
    with path.open("wb") as file:
        pickle.dump(found, file)
    return found


def sample(asked: list[data.Asked], limit: int) -> list[data.Asked]:
    if not limit:
        return asked
    random.seed(SEED)
    languages = sorted({one.language for one in asked})
    return [
        one
        for language in languages
        for those in [[one for one in asked if one.language == language]]
        for one in random.sample(those, min(limit, len(those)))
    ]


def _read(name: str, kind: str, one: data.Asked, encoder: Encoder | None, vectors: Memory) -> Read:
    reading = read(one.question, one.page.passages, encoder, cache=vectors)
    gold = np.zeros(len(reading.sentences), bool)
    for sentence in reading.sentences:
        gold[sentence.row] = any(holds(sentence, answer) for answer in one.golds)
    return Read(
        name,
        kind,
        one.page.group,
        one.language,
        bool(one.golds),
        one.qid,
        one.question,
        reading,
        gold,
    )


def holds(sentence: object, gold: data.Gold) -> bool:
    """The sentence holds the answer, or the larger part of it."""
    passage, start, end = sentence.passage, sentence.start, sentence.end  # type: ignore[attr-defined]
    if passage != gold.passage:
        return False
    shared = min(end, gold.end) - max(start, gold.start)
    return shared > 0 and (shared * 2 > gold.end - gold.start or shared * 2 > end - start)


def _code_version() -> str:
    """Changes with anything that decides what a reading holds, but not with weights."""
    root = Path(features.__file__).parent.parent
    parts = [
        part for name in ("reading", "language") for part in sorted((root / name).glob("*.py"))
    ]
    text = b"".join(part.read_bytes() for part in parts)
    return hashlib.sha256(text + repr(answer_features.NAMES).encode()).hexdigest()
