"""Sets that ask for documents instead of answers, as plain records. Pure.

collection    corpus.jsonl, queries.jsonl, qrels.tsv: one bank, a section per document
paragraphs    docs.jsonl, questions.jsonl: one bank per language, a section per paragraph; a
              question asks for its own paragraph
conversation  turns.jsonl, questions.jsonl: one bank per conversation, a document per session, which
              is retained as anyone's; a question asks for the turns that are its evidence
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

import regex

from kb.evaluation import datasets
from kb.evaluation.datasets import DataMissing

_EVIDENCE = regex.compile(r"D\d+:\d+")
# Adversarial questions (5) have no evidence that answers them.
_CATEGORIES = {1: "multi_hop", 2: "temporal", 3: "open_domain", 4: "single_hop"}


class Shape(StrEnum):
    """What the files of a set are called, and with that how it is read."""

    COLLECTION = "collection"
    PARAGRAPHS = "paragraphs"
    CONVERSATION = "conversation"


@dataclass(frozen=True, slots=True)
class Section:
    """One document of a collection, one paragraph of a language."""

    name: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Turn:
    """``text`` is what was said, with the caption of a picture that was shown."""

    name: str
    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Session:
    """Turns of one day, in their order."""

    name: str
    at: datetime
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Query:
    """``relevant``: grade by name of a section or turn of the same bank. ``group`` is a language or
    a category, and empty where the set has one kind of query."""

    qid: str
    text: str
    relevant: Mapping[str, float]
    group: str = ""


@dataclass(frozen=True, slots=True)
class WantedBank:
    """What one bank holds, and what is asked of it."""

    name: str
    language: str
    queries: tuple[Query, ...]
    sections: tuple[Section, ...] = ()
    sessions: tuple[Session, ...] = ()

    def texts(self) -> dict[str, str]:
        """The text of everything that can be asked for, by name."""
        found = {one.name: f"{one.title}\n{one.text}".strip() for one in self.sections}
        turns = (turn for session in self.sessions for turn in session.turns)
        return found | {turn.name: f"{turn.speaker}: {turn.text}" for turn in turns}


@dataclass(frozen=True, slots=True)
class RetrievalSet:
    name: str
    shape: Shape
    banks: tuple[WantedBank, ...]


def known_sets(folder: Path) -> list[str]:
    """The sets that ask for documents alone."""
    return sorted(
        path.name
        for path in folder.iterdir()
        if shape_of(folder, path.name) in (Shape.COLLECTION, Shape.CONVERSATION)
    )


def shape_of(folder: Path, name: str) -> Shape | None:
    """None where the folder holds no set of these."""
    files = {
        Shape.COLLECTION: ("corpus.jsonl", "queries.jsonl", "qrels.tsv"),
        Shape.CONVERSATION: ("turns.jsonl", "questions.jsonl"),
        Shape.PARAGRAPHS: ("docs.jsonl", "questions.jsonl"),
    }
    for shape, wanted in files.items():
        if all(datasets.file_of(folder / name / one) for one in wanted):
            return shape
    return None


def load(folder: Path, name: str, *, per_group: int | None) -> RetrievalSet:
    """One set with at most ``per_group`` queries of each language (of the whole set where it has one
    language), the same ones every time. Raises ``DataMissing``."""
    shape = shape_of(folder, name)
    if shape is None:
        raise DataMissing(f"There is no set {name} in {folder}.")
    read = {
        Shape.COLLECTION: _collection,
        Shape.PARAGRAPHS: _paragraphs,
        Shape.CONVERSATION: _conversations,
    }[shape]
    return RetrievalSet(name, shape, tuple(read(folder / name, per_group)))


def _collection(folder: Path, per_group: int | None) -> list[WantedBank]:
    grades: dict[str, dict[str, float]] = defaultdict(dict)
    for line in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        query, document, grade = line.split("\t")
        if float(grade) > 0:
            grades[query][document] = float(grade)
    sections = tuple(
        Section(row["doc_id"], row.get("title", ""), row.get("text") or " ".join(row["sentences"]))
        for row in datasets.rows(folder / "corpus.jsonl")
    )
    queries = [
        Query(row["qid"], row["text"], grades[row["qid"]])
        for row in datasets.rows(folder / "queries.jsonl")
        if row["qid"] in grades
    ]
    return [
        WantedBank(
            folder.name, "en", tuple(datasets.drawn(queries, per_group, key=folder.name)), sections
        )
    ]


def _paragraphs(folder: Path, per_group: int | None) -> list[WantedBank]:
    """Paragraphs stand without their article's title, which would be half of many questions."""
    sections: dict[str, list[Section]] = defaultdict(list)
    queries: dict[str, list[Query]] = defaultdict(list)
    language_of: dict[str, str] = {}
    for row in datasets.rows(folder / "docs.jsonl"):
        language_of[row["doc_id"]] = row["lang"]
        sections[row["lang"]].append(Section(row["doc_id"], "", row["text"]))
    for row in datasets.rows(folder / "questions.jsonl"):
        if row["answerable"]:
            language = language_of[row["doc_id"]]
            query = Query(row["qid"], row["question"], {row["doc_id"]: 1.0}, language)
            queries[language].append(query)
    return [
        WantedBank(
            f"{folder.name}.{language}",
            language,
            tuple(datasets.drawn(queries[language], per_group, key=language)),
            tuple(sections[language]),
        )
        for language in sorted(sections)
    ]


def _conversations(folder: Path, per_group: int | None) -> list[WantedBank]:
    turns: dict[str, list[dict[str, Any]]] = defaultdict(list)
    asked: dict[str, list[Query]] = defaultdict(list)
    for row in datasets.rows(folder / "turns.jsonl"):
        turns[row["conv_id"]].append(row)
    sessions = {name: _sessions(rows) for name, rows in turns.items()}
    there = {
        name: {turn.name for session in those for turn in session.turns}
        for name, those in sessions.items()
    }
    for row in datasets.rows(folder / "questions.jsonl"):
        conversation = row["conv_id"]
        found = {name for item in row["evidence"] for name in _EVIDENCE.findall(item)}
        evidence = found & there[conversation]
        if row["category"] in _CATEGORIES and evidence:
            asked[conversation].append(
                Query(
                    row["qid"],
                    row["question"],
                    dict.fromkeys(sorted(evidence), 1.0),
                    _CATEGORIES[row["category"]],
                )
            )
    everything = [query for those in asked.values() for query in those]
    drawn = {query.qid for query in datasets.drawn(everything, per_group, key=folder.name)}
    return [
        WantedBank(
            f"{folder.name}.{name}",
            "en",
            tuple(query for query in asked[name] if query.qid in drawn),
            sessions=sessions[name],
        )
        for name in sorted(turns)
    ]


def _sessions(rows: Sequence[dict[str, Any]]) -> tuple[Session, ...]:
    by_number: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        by_number[row["session"]].append(row)
    return tuple(
        Session(
            f"session-{number}",
            datetime.fromisoformat(those[0]["session_datetime"]).replace(tzinfo=UTC),
            tuple(Turn(row["dia_id"], row["speaker"], _said(row)) for row in those),
        )
        for number, those in sorted(by_number.items())
    )


def _said(row: dict[str, Any]) -> str:
    caption = row.get("image_caption")
    said = " ".join(row["text"].split())
    return f"{said} [shares a picture: {' '.join(caption.split())}]" if caption else said
