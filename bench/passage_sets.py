"""Labelled queries over collections of passages, to learn from. None of them is one whose figures are
aims, and none may only be measured (see the data's own README)."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import regex

from bench.data import rows

NAMES = (
    "mlqa_mix", "clapnq", "covidqa", "chunkeval", "mtrag", "quotesum", "wice", "kb_18f_handbook",
    "mlqa_mix.sentences", "clapnq.sentences",
)  # fmt: skip
PASSAGE_CHARACTERS = 900
SENTENCE_CHARACTERS = 25  # a shorter one is no sentence and goes with the next
_MOST_IN_SENTENCES = 60  # documents of each language
_SENTENCE = regex.compile(r"[^.!?。！？؟\n]*[.!?。！？؟\n]+\s*|[^.!?。！？؟\n]+$")
_HEADING = regex.compile(r"^#{1,4} (.*)$", regex.M)
_FRONT_MATTER = regex.compile(r"^---.*?---\s", regex.S)
_TEMPLATE = regex.compile(r"\{%.*?%\}|\{\{.*?\}\}")
_SHORTEST_SECTION = 120
_HEADINGS_ASKED = 0.35  # the share of headings that are asked for
_MOST_PASSAGES = 26  # of one cited page: some are whole sites
_WORDS_OF_A_QUESTION = 7  # a shorter later turn leans on the turns before it


@dataclass(frozen=True, slots=True)
class Asked:
    """``relevant`` are rows of the collection."""

    text: str
    relevant: frozenset[int]


@dataclass(frozen=True, slots=True)
class Collection:
    """Passages of one language and what is asked of them. ``articles``: where each comes from."""

    name: str
    language: str
    passages: tuple[str, ...]
    articles: tuple[str, ...]
    asked: tuple[Asked, ...]


class _Builder:
    def __init__(self, name: str, language: str = "en") -> None:
        self.name, self.language = name, language
        self._rows: dict[str, int] = {}
        self._texts: list[str] = []
        self._articles: list[str] = []
        self._asked: list[Asked] = []

    def add(self, key: str, text: str, article: str) -> None:
        self._rows[key] = len(self._texts)
        self._texts.append(text)
        self._articles.append(article)

    def ask(self, text: str, keys: Sequence[str]) -> None:
        self._asked.append(Asked(text, frozenset(self._rows[key] for key in keys)))

    def done(self) -> Collection:
        return Collection(
            self.name,
            self.language,
            tuple(self._texts),
            tuple(self._articles),
            tuple(self._asked),
        )


def load(folder: Path) -> list[Collection]:
    return [
        *_paragraphs(folder / "mlqa_mix"),
        *_paragraphs(folder / "clapnq"),
        _cut(folder / "covidqa"),
        _cut(folder / "chunkeval"),
        _turns(folder / "mtrag"),
        _sources(folder / "quotesum"),
        _claims(folder / "wice"),
        _headings(folder / "kb_18f_handbook"),
        *_sentences(folder / "mlqa_mix"),
        *_sentences(folder / "clapnq"),
    ]


def _paragraphs(folder: Path) -> list[Collection]:
    """A question asks for its own paragraph."""
    built: dict[str, _Builder] = {}
    language_of: dict[str, str] = {}
    for row in rows(folder / "docs.jsonl"):
        language = language_of[row["doc_id"]] = row.get("lang", "en")
        builder = built.setdefault(language, _Builder(folder.name, language))
        builder.add(row["doc_id"], row["text"], row.get("page_id", row["doc_id"]))
    for row in rows(folder / "questions.jsonl"):
        if row["answerable"]:
            built[language_of[row["doc_id"]]].ask(row["question"], [row["doc_id"]])
    return [builder.done() for builder in built.values()]


def _cut(folder: Path) -> Collection:
    """Long documents in pieces; a question asks for those that hold its answers."""
    return _in_pieces(
        _Builder(folder.name),
        list(rows(folder / "docs.jsonl")),
        list(rows(folder / "questions.jsonl")),
        size=PASSAGE_CHARACTERS,
    )


def _sentences(folder: Path) -> list[Collection]:
    """Single sentences, which is what facts are; a question asks for those that hold its answers."""
    questions = [row for row in rows(folder / "questions.jsonl") if row["answerable"]]
    asked_of = {row["doc_id"] for row in questions}
    documents: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows(folder / "docs.jsonl"):
        if row["doc_id"] in asked_of:
            documents[row.get("lang", "en")].append(row)
    return [
        _in_pieces(
            _Builder(f"{folder.name}.sentences", language),
            random.Random(language).sample(those, min(len(those), _MOST_IN_SENTENCES)),
            questions,
            size=SENTENCE_CHARACTERS,
        )
        for language, those in documents.items()
    ]


def _in_pieces(
    builder: _Builder,
    documents: Sequence[Mapping[str, Any]],
    questions: Sequence[Mapping[str, Any]],
    *,
    size: int,
) -> Collection:
    """Questions of other documents are left out."""
    places: dict[str, list[tuple[int, int, str]]] = {}
    for row in documents:
        places[row["doc_id"]] = [
            (start, end, f"{row['doc_id']}#{start}") for start, end in pieces(row["text"], size)
        ]
        for start, end, key in places[row["doc_id"]]:
            text = row["text"][start:end].strip()
            builder.add(key, text, row.get("page_id", row["doc_id"]))
    for row in questions:
        keys = [
            key
            for answer in row["answers"]
            for start, end, key in places.get(row["doc_id"], ())
            if start < answer["char_end"] and answer["char_start"] < end
        ]
        if row["answerable"] and keys:
            builder.ask(row["question"], keys)
    return builder.done()


def _turns(folder: Path) -> Collection:
    """Last turns that stand alone ask for the passages that people found relevant."""
    builder = _Builder(folder.name)
    for row in rows(folder / "docs.jsonl"):
        text = "\n".join(part for part in (row.get("title", ""), row["text"]) if part)
        builder.add(row["doc_id"], text, row["doc_id"])
    for row in rows(folder / "tasks.jsonl"):
        last = row["turns"][-1]["text"]
        users = sum(turn["speaker"] == "user" for turn in row["turns"])
        stands_alone = users == 1 or len(last.split()) >= _WORDS_OF_A_QUESTION
        if (
            stands_alone
            and row["answerability"] in ("ANSWERABLE", "PARTIAL")
            and row["context_ids"]
        ):
            builder.ask(last, row["context_ids"])
    return builder.done()


def _sources(folder: Path) -> Collection:
    """A question asks for the sources that its answers quote."""
    builder = _Builder(folder.name)
    sources: dict[str, str] = {}
    quoted: dict[str, dict[str, None]] = defaultdict(dict)
    for row in rows(folder / "samples.jsonl"):
        numbers = {quote["source"] for quote in row["quotes"]}
        for source in row["sources"]:
            sources[source["text"]] = source["title"]
            if source["source"] in numbers:
                quoted[row["question"]][source["text"]] = None
    for text, title in sources.items():
        builder.add(text, f"{title}\n{text}", title)
    for question, texts in quoted.items():
        builder.ask(question, list(texts))
    return builder.done()


def _claims(folder: Path) -> Collection:
    """A claim asks for the pieces of its cited page that support it."""
    builder = _Builder(folder.name)
    known: dict[str, list[tuple[int, int, str]]] = {}
    for row in rows(folder / "claims.jsonl"):
        text, spans = row["text"], row["sentence_spans"]
        if text not in known:
            article = f"page {len(known)}"
            known[text] = [(first, last, f"{article}#{first}") for first, last in _runs(spans)][
                :_MOST_PASSAGES
            ]
            for first, last, key in known[text]:
                builder.add(key, text[spans[first][0] : spans[last][1]], article)
        keys = [
            key
            for sentences in row["supporting_sentence_sets"]
            for sentence in sentences
            for first, last, key in known[text]
            if first <= sentence <= last
        ]
        if row["label"] != "not_supported" and keys:
            builder.ask(row["claim"], keys)
    return builder.done()


def _runs(spans: Sequence[Sequence[int]]) -> Iterator[tuple[int, int]]:
    """First and last sentence of each piece."""
    first = 0
    for at, (_, end) in enumerate(spans):
        if at > first and end - spans[first][0] > PASSAGE_CHARACTERS:
            yield first, at - 1
            first = at
    if spans:
        yield first, len(spans) - 1


def _headings(folder: Path) -> Collection:
    """A heading, half of the time with its page's title, asks for the section below it, which is
    shown without it."""
    builder = _Builder(folder.name)
    wanted: list[tuple[str, str]] = []
    for page in rows(folder / "pages.jsonl"):
        for heading, body in _sections(page):
            for number, (start, end) in enumerate(pieces(body, PASSAGE_CHARACTERS)):
                key = f"{page['page_id']}#{len(wanted)}#{heading}#{start}"
                builder.add(key, f"{page['title']}\n{body[start:end]}", page["page_id"])
                chance = random.Random(key)
                if not number and " " in heading and chance.random() < _HEADINGS_ASKED:
                    title = f" {page['title']}" if chance.random() < 0.5 else ""
                    wanted.append((heading + title, key))
    for text, key in wanted:
        builder.ask(text, [key])
    return builder.done()


def _sections(page: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    parts = _HEADING.split(_FRONT_MATTER.sub("", page["raw"], count=1))
    for heading, body in zip(["", *parts[1::2]], parts[::2], strict=True):
        text = _TEMPLATE.sub("", body).strip()
        if len(text) >= _SHORTEST_SECTION:
            yield heading.strip(), text


def pieces(text: str, size: int) -> Iterator[tuple[int, int]]:
    """Whole sentences, as many as fit ``size`` characters."""
    start = at = 0
    for match in _SENTENCE.finditer(text):
        if at > start and match.end() - start > size:
            yield start, at
            start = at
        at = match.end()
    if text[start:].strip():
        yield start, len(text)
