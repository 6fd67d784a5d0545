"""The question answering sets as pages of passages, for training and measuring."""

from __future__ import annotations

import gzip
import json
import os
import random
import uuid
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from bench.bm25 import Index
from memory.language.sentences import split_sentences
from memory.reading.questions import analyse
from memory.types import Passage

# What may be learnt from. xquad and squad2 share pages and are for measuring only.
TRAINING = ("mlqa_mix", "clapnq", "covidqa", "chunkeval", "tatqa")
PASSAGE_CHARACTERS = 1400  # paragraphs are joined up to this, about what the chunker makes


@dataclass(frozen=True, slots=True)
class Page:
    """One document as a reader sees it. ``group`` keeps folds apart by article."""

    page_id: str
    group: str
    language: str
    title: str
    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class Gold:
    """Where an answer stands: passage number and offsets in its text."""

    passage: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Asked:
    """``golds`` are alternatives, or parts; empty when the page does not answer."""

    qid: str
    question: str
    language: str
    page: Page
    golds: tuple[Gold, ...]


def folder(given: str | None) -> Path:
    """``--data`` or FOOTNOTE_DATA. Exits with 2 and a sentence when neither names a folder."""
    path = Path(given or os.environ.get("FOOTNOTE_DATA", ""))
    if not (given or os.environ.get("FOOTNOTE_DATA")) or not path.is_dir():
        raise SystemExit("Say where the data is: --data DIR, or FOOTNOTE_DATA.")
    return path


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """JSON lines of ``path``, or of ``path`` with ``.gz``."""
    if not path.exists():
        path = path.with_name(path.name + ".gz")
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def load(data: Path, name: str, *, joined: bool = True) -> list[Asked]:
    """The questions of one set with their pages. ``joined``: all paragraphs of an article are one
    page, where the set knows articles."""
    documents: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for document in rows(data / name / "docs.jsonl"):
        page = document.get("page_id") if joined else None
        documents[page or document["doc_id"]].append(document)
    pages: dict[str, Page] = {}
    bases: dict[str, int] = {}
    for page_id, members in documents.items():
        pages[page_id] = _page(page_id, members, bases, title=members[0]["title"])
    of = {d["doc_id"]: page_id for page_id, members in documents.items() for d in members}
    asked = []
    for question in rows(data / name / "questions.jsonl"):
        page = pages[of[question["doc_id"]]]
        base = bases[question["doc_id"]]
        golds: list[Gold] = []
        for answer in question["answers"]:
            golds += _place(page, base + answer["char_start"], base + answer["char_end"])
        asked.append(
            Asked(
                question["qid"],
                question["question"],
                question.get("lang", page.language),
                page,
                tuple(golds) if question["answerable"] else (),
            )
        )
    return asked


def _page(
    page_id: str,
    members: Sequence[dict[str, Any]],
    bases: dict[str, int],
    *,
    title: str,
) -> Page:
    """Paragraphs joined by line ends and cut as the chunker would; ``bases`` gets where each
    document begins in the page."""
    title = title.replace("_", " ")
    doc_id, language = uuid.uuid5(uuid.NAMESPACE_URL, page_id), members[0].get("lang", "")
    text = ""
    for member in members:
        bases[member["doc_id"]] = len(text)
        text += _rows_by_tabs(member["text"]) + "\n"
    passages = tuple(
        Passage(
            number, doc_id, title, 1, uuid.uuid5(doc_id, str(number)), text[start:end], start,
            language=language[:2],
        )
        for number, (start, end) in enumerate(_pieces(text), 1)
    )  # fmt: skip
    return Page(page_id, title.casefold() or page_id, language, title, passages)


def _rows_by_tabs(text: str) -> str:
    """Rows of a Markdown table as the product renders them, at unchanged offsets."""
    return "\n".join(
        line.replace("|", "\t") if line.startswith("|") else line for line in text.split("\n")
    )


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    start = at = 0
    for line in text.splitlines(keepends=True):
        if at > start and at + len(line) - start > PASSAGE_CHARACTERS:
            yield start, at
            start = at
        at += len(line)
    if text[start:].strip():
        yield start, len(text)


def _place(page: Page, start: int, end: int) -> Iterator[Gold]:
    for passage in page.passages:
        low, high = passage.char_start, passage.char_start + len(passage.text)
        if low <= start < high:
            yield Gold(passage.number, start - low, min(end, high) - low)


# -- made questions --------------------------------------------------------------------------


def elsewhere(asked: Sequence[Asked], *, seed: int) -> list[Asked]:
    """Each question put to the page of another article in the same language and set."""
    random.seed(seed)
    by_language: dict[str, dict[str, Page]] = defaultdict(dict)
    for one in asked:
        by_language[one.page.language][one.page.page_id] = one.page
    made = []
    for one in asked:
        others = [p for p in by_language[one.page.language].values() if p.group != one.page.group]
        if others:
            made.append(
                replace(one, qid=f"{one.qid}/elsewhere", page=random.choice(others), golds=())
            )
    return made


def nearby(asked: Sequence[Asked]) -> list[Asked]:
    """Each question put to the page of another article that shares most of its words, and does not
    hold the answer's words."""
    by_language: dict[str, dict[str, Page]] = defaultdict(dict)
    for one in asked:
        by_language[one.page.language][one.page.page_id] = one.page
    made = []
    for language, named in by_language.items():
        pages = list(named.values())
        texts = [" ".join(p.text for p in page.passages) for page in pages]
        index = Index(texts, language[:2], grams=True)
        for one in (one for one in asked if one.page.language == language):
            answers = _words_of(one)
            for row in np.argsort(-index.scores(one.question), kind="stable"):
                page = pages[int(row)]
                if page.group != one.page.group and not any(a in texts[int(row)] for a in answers):
                    made.append(replace(one, qid=f"{one.qid}/near", page=page, golds=()))
                    break
    return made


def _words_of(one: Asked) -> list[str]:
    texts = {passage.number: passage.text for passage in one.page.passages}
    return [texts[gold.passage][gold.start : gold.end] for gold in one.golds]


def headed(asked: Sequence[Asked], *, seed: int) -> list[Asked]:
    """Each question put to its own page with a heading above every passage: words of the question
    where the answer stands, words of the passage elsewhere. Headings answer nothing."""
    random.seed(seed)
    made = []
    for one in asked:
        if not one.golds:
            continue
        right = {gold.passage for gold in one.golds}
        headings = {
            p.number: _heading(one.question if p.number in right else p.text, p.language)
            for p in one.page.passages
        }
        passages = tuple(
            replace(p, text=f"{headings[p.number]}\n{p.text}") for p in one.page.passages
        )
        golds = tuple(
            Gold(g.passage, g.start + shift, g.end + shift)
            for g in one.golds
            for shift in [len(headings[g.passage]) + 1]
        )
        page = replace(one.page, passages=passages)
        made.append(replace(one, qid=f"{one.qid}/headed", page=page, golds=golds))
    return made


def _heading(text: str, language: str) -> str:
    """One to three content words, as they stand."""
    found = [term for term in analyse(text[:400], language).terms if term.end - term.start > 2]
    if not found:
        return "…"
    at = random.randrange(len(found))
    words = [text[t.start : t.end] for t in found[at : at + random.randint(1, 3)]]
    joined = " ".join(dict.fromkeys(words))[:60]
    return joined[:1].upper() + joined[1:]


def without_answer(asked: Sequence[Asked]) -> list[Asked]:
    """Each question put to its own page without the sentences that hold the answer."""
    made = []
    for one in asked:
        if not one.golds:
            continue
        passages = []
        for passage in one.page.passages:
            spans = split_sentences(passage.text, passage.language)
            golds = [g for g in one.golds if g.passage == passage.number]
            kept = [
                passage.text[a:b]
                for a, b in spans
                if not any(a < g.end and g.start < b for g in golds)
            ]
            text = passage.text if len(kept) == len(spans) else " ".join(kept)
            passages.append(replace(passage, text=text))
        if any(p.text for p in passages):
            page = replace(one.page, passages=tuple(p for p in passages if p.text))
            made.append(replace(one, qid=f"{one.qid}/removed", page=page, golds=()))
    return made
