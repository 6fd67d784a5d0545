"""Labelled questions from a folder of data, as plain records. Pure.

A question answering set is a folder with ``docs.jsonl`` and ``questions.jsonl``, gzipped or not.
"""

from __future__ import annotations

import gzip
import json
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import regex

from memory.language.text import normalise_source

SEED = 7
Item = TypeVar("Item")
_PIPES = regex.compile(r"\s*\|\s*")


class DataMissing(Exception):
    """There is no such folder or set. The message is a sentence for people."""


@dataclass(frozen=True, slots=True)
class Document:
    """One paragraph, or one whole page where the set knows no articles.

    ``table`` are rows of cells that stand after the text; the first row names the columns.
    """

    doc_id: str
    page_id: str
    title: str
    language: str
    text: str
    table: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """``golds`` are the answers that may be cited, folded; none where the document has no answer."""

    qid: str
    doc_id: str
    text: str
    language: str
    golds: tuple[str, ...]

    @property
    def is_answerable(self) -> bool:
        return bool(self.golds)


@dataclass(frozen=True, slots=True)
class Dataset:
    name: str
    documents: tuple[Document, ...]
    questions: tuple[Question, ...]

    def by_page(self) -> dict[str, list[Document]]:
        """The documents of each page, in their order."""
        pages: dict[str, list[Document]] = defaultdict(list)
        for document in self.documents:
            pages[document.page_id].append(document)
        return dict(pages)


def data_folder(named: str | None) -> Path:
    """Raises ``DataMissing`` where no folder is named or where it is not there."""
    if not named:
        raise DataMissing("Say where the data is: --data DIR, or the variable FOOTNOTE_DATA.")
    folder = Path(named)
    if not folder.is_dir():
        raise DataMissing(f"There is no folder {folder}: name one with --data or FOOTNOTE_DATA.")
    return folder


def known_sets(folder: Path) -> list[str]:
    """The question answering sets that the folder holds."""
    return sorted(
        path.name
        for path in folder.iterdir()
        if path.is_dir() and file_of(path / "docs.jsonl") and file_of(path / "questions.jsonl")
    )


def load(folder: Path, name: str) -> Dataset:
    """One set. Raises ``DataMissing``."""
    if name not in known_sets(folder):
        raise DataMissing(f"There is no set {name} in {folder}.")
    documents = tuple(_document(row) for row in rows(folder / name / "docs.jsonl"))
    questions = tuple(_question(row) for row in rows(folder / name / "questions.jsonl"))
    return Dataset(name, documents, questions)


def sample(questions: Sequence[Question], per_language: int | None) -> list[Question]:
    """At most ``per_language`` of each language, the same ones every time. None takes all."""
    if per_language is None:
        return list(questions)
    by_language: dict[str, list[Question]] = defaultdict(list)
    for question in questions:
        by_language[question.language].append(question)
    return [
        question
        for language, those in sorted(by_language.items())
        for question in random.Random(f"{SEED}/{language}").sample(
            those, min(per_language, len(those))
        )
    ]


def drawn(items: Sequence[Item], count: int | None, *, key: str) -> list[Item]:
    """At most ``count`` items in their order, the same ones every time for one ``key``."""
    if count is None or count >= len(items):
        return list(items)
    chosen = sorted(random.Random(f"{SEED}/{key}").sample(range(len(items)), count))
    return [items[at] for at in chosen]


def folded(text: str) -> str:
    """As quotes and answers are compared: white space of any kind is one space."""
    return " ".join(normalise_source(text).split())


def _document(row: dict[str, Any]) -> Document:
    table = tuple(tuple(map(str, cells)) for cells in row.get("table", ()))
    text = row["text"][: row["table_char_start"]] if table else row["text"]
    title = row.get("title", "").replace("_", " ") or row["doc_id"]
    page_id = row.get("page_id", row["doc_id"])
    return Document(row["doc_id"], page_id, title, row.get("lang", ""), text, table)


def _question(row: dict[str, Any]) -> Question:
    # Answers inside a table are given with the bars of its Markdown; a page has none.
    answers = (folded(_PIPES.sub(" ", answer["text"])) for answer in row["answers"])
    golds = tuple(dict.fromkeys(answer for answer in answers if answer))
    return Question(
        row["qid"],
        row["doc_id"],
        row["question"],
        row.get("lang", ""),
        golds if row["answerable"] else (),
    )


def file_of(path: Path) -> Path | None:
    """``path`` or its gzipped form, whichever is there."""
    zipped = path.with_name(f"{path.name}.gz")
    return next((one for one in (path, zipped) if one.is_file()), None)


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """JSON lines of ``path``, gzipped or not. Raises ``DataMissing``."""
    found = file_of(path)
    if found is None:
        raise DataMissing(f"There is no file {path}.")
    opened = gzip.open if found.suffix == ".gz" else open
    with opened(found, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)
