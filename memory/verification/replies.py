"""Reads a model's reply into a draft. Pure.

A reply is exactly one JSON object ``{answer, confidence_score, citations: [{doc_id, chunk_id,
char_start, char_end, quote?}], missing?}``, with whatever a model likes to write around it. What
has two readings is not read: ``UnreadableReply``. Nothing read here is verified.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import regex

from memory.errors import InvalidRange, UnreadableReply
from memory.language.sentences import split_sentences
from memory.types import Draft, DraftClaim, DraftSpan, Passage
from memory.verification.evidence import content_words, cover, is_carried, is_related, stems
from memory.verification.markers import Marker, plain_text, take_markers
from memory.verification.spans import locate, snap

LONGEST_REPLY = 200_000  # characters
MOST_CITATIONS = 200
MOST_MISSING = 8
_THINKING = regex.compile(
    r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>", regex.DOTALL | regex.IGNORECASE
)
_FENCE = regex.compile(r"```.*?```", regex.DOTALL)
_DECLINES = frozenset({"", "decline", "declined", "insufficient evidence", "not enough evidence"})


class _Ambiguous(ValueError):
    """JSON that says two things, or a number that is none."""


def parse_reply(raw: str, passages: Sequence[Passage], *, question: str = "") -> Draft:
    """The draft that ``raw`` states. No claims where the model declines.

    Sentences take the passages of their ``[n]`` markers, else any cited span that carries them.
    A marker or an id of a passage that was not offered leaves its claim without a source.
    ``missing`` keeps what are the question's own words. Raises ``UnreadableReply``.
    """
    reply = _only_object(raw)
    answer = _answer(reply)
    missing = _missing(reply.get("missing"), question)
    if answer is None:
        return Draft(missing=missing)
    confidence = _confidence(reply.get("confidence_score"))
    cited = _citations(reply, passages)
    language = passages[0].language if passages else ""
    text, markers = take_markers(answer)
    claims = tuple(
        DraftClaim(claim, _spans_for(claim, numbers, cited, passages))
        for claim, numbers in _claims(text, markers, language)
    )
    return Draft(claims=claims, confidence=confidence, missing=missing)


def short_ids(passages: Sequence[Passage]) -> list[tuple[str, str]]:
    """(doc, chunk) ids as the prompt shows them: ``D1`` by first appearance, ``C4`` by number."""
    docs: dict[UUID, str] = {}
    for passage in passages:
        docs.setdefault(passage.doc_id, f"D{len(docs) + 1}")
    return [(docs[passage.doc_id], f"C{passage.number}") for passage in passages]


def _only_object(raw: str) -> dict[str, Any]:
    if len(raw) > LONGEST_REPLY:
        raise UnreadableReply(f"the reply has {len(raw)} characters")
    found: list[dict[str, Any]] = []
    try:
        for value in json_objects(_THINKING.sub("", raw)):
            is_reply = "answer" in value or "decline" in value
            if is_reply and value not in found:
                found.append(value)
    except _Ambiguous as error:
        raise UnreadableReply(str(error)) from None
    if len(found) != 1:
        raise UnreadableReply(f"the reply holds {len(found)} answers")
    return found[0]


def json_objects(text: str) -> Iterator[dict[str, Any]]:
    """Outermost JSON objects in prose, in order. Strings are read as strings, fences and all.

    Raises ``ValueError`` for an object with one key twice or a number such as NaN.
    """
    decoder = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant, strict=False)
    at = text.find("{")
    while at >= 0:
        try:
            value, at = decoder.raw_decode(text, at)
        except _Ambiguous:
            raise
        except (ValueError, RecursionError):
            at += 1
        else:
            yield value
        at = text.find("{", at)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found and found[key] != value:
            raise _Ambiguous(f"the reply states {key!r} twice")
        found[key] = value
    return found


def _no_constant(name: str) -> None:
    raise _Ambiguous(f"{name} is no number")


def _answer(reply: Mapping[str, Any]) -> str | None:
    """None where the model declines."""
    answer = reply.get("answer")
    if reply.get("decline") or answer is None:
        return None
    if not isinstance(answer, str):
        raise UnreadableReply("the answer is no text")
    return None if answer.strip().rstrip(".").casefold() in _DECLINES else answer


def _confidence(stated: object) -> float:
    if isinstance(stated, bool) or not isinstance(stated, int | float):
        raise UnreadableReply("the confidence is no number")
    if not 0 <= stated <= 1:  # false for NaN too
        raise UnreadableReply("the confidence is not between 0 and 1")
    return float(stated)


def _missing(stated: object, question: str) -> tuple[str, ...]:
    words = [stated] if isinstance(stated, str) else stated if isinstance(stated, list) else []
    asked = stems(question)
    kept: dict[str, None] = {}
    for word in words:
        if isinstance(word, str) and (plain := " ".join(plain_text(word).split())):
            parts = content_words(plain)
            if parts and all(is_carried(stem, asked) for stem in parts):
                kept.setdefault(plain)
    return tuple(kept)[:MOST_MISSING]


@dataclass(frozen=True, slots=True)
class _Cited:
    """A citation of the reply. ``words``, with the names of their columns, are "" where the quote
    is not there, None where the range is none."""

    span: DraftSpan
    words: str | None


def _citations(reply: Mapping[str, Any], passages: Sequence[Passage]) -> list[_Cited]:
    by_id = _passages_by_id(passages)
    cited: dict[DraftSpan, _Cited] = {}
    for entry in _entries(reply.get("citations")):
        passage = _passage_of(entry, by_id)
        if passage is None:
            continue
        quote = entry.get("quote")
        span = DraftSpan(
            passage=passage.number,
            char_start=_offset(entry.get("char_start")),
            char_end=_offset(entry.get("char_end")),
            quote=quote if isinstance(quote, str) and quote.strip() else None,
        )
        cited.setdefault(span, _Cited(span, _words(span, passage)))
    return list(cited.values())


def _entries(stated: object) -> list[dict[str, Any]]:
    """A list, or the same list as JSON text or with its places as keys."""
    if isinstance(stated, str):
        try:
            stated = json.loads(stated, object_pairs_hook=_unique, parse_constant=_no_constant)
        except (ValueError, RecursionError):
            raise UnreadableReply("the citations are text that is no list") from None
    if isinstance(stated, dict):
        stated = [stated] if "chunk_id" in stated else list(stated.values())
    if not isinstance(stated, list) or not all(isinstance(entry, dict) for entry in stated):
        raise UnreadableReply("the citations are no list of objects")
    if len(stated) > MOST_CITATIONS:
        raise UnreadableReply(f"the reply has {len(stated)} citations")
    return stated


def _passages_by_id(passages: Sequence[Passage]) -> dict[str, tuple[Passage, frozenset[str]]]:
    """Each name of a chunk → its passage, with the names of its document."""
    found: dict[str, tuple[Passage, frozenset[str]]] = {}
    for passage, (doc, chunk) in zip(passages, short_ids(passages), strict=True):
        docs = frozenset({doc.casefold(), str(passage.doc_id)})
        for name in (chunk.casefold(), str(passage.number), str(passage.chunk_id)):
            found[name] = (passage, docs)
    return found


def _passage_of(
    entry: Mapping[str, Any], by_id: Mapping[str, tuple[Passage, frozenset[str]]]
) -> Passage | None:
    passage, docs = by_id.get(_name(entry.get("chunk_id")), (None, frozenset()))
    doc = _name(entry.get("doc_id"))
    return passage if not doc or doc in docs else None


def _name(stated: object) -> str:
    is_name = isinstance(stated, str | int) and not isinstance(stated, bool)
    return str(stated).strip(" []#").casefold() if is_name else ""


def _offset(stated: object) -> int:
    """-1 where nothing usable is stated."""
    if isinstance(stated, bool):
        return -1
    if isinstance(stated, str) and stated.strip().isascii() and stated.strip().isdigit():
        return int(stated) if len(stated) < 10 else -1
    if isinstance(stated, float) and stated.is_integer():
        return int(stated)
    return stated if isinstance(stated, int) and stated >= 0 else -1


def _words(span: DraftSpan, passage: Passage) -> str | None:
    try:
        if span.quote is None:
            start, end = snap(passage.text, span.char_start, span.char_end)
            return _read(passage, start, end)
        hint = (span.char_start, span.char_end) if 0 <= span.char_start < span.char_end else None
        found = locate(span.quote, passage.text, hint=hint)
    except InvalidRange:
        return None
    return _read(passage, *found) if found else ""


def _read(passage: Passage, start: int, end: int) -> str:
    quote = passage.text[start:end]
    return f"{passage.header}\n{quote}" if passage.header else quote


def _claims(
    text: str, markers: Sequence[Marker], language: str
) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Sentences with the numbers of their markers. A marker belongs to the words before it."""
    spans = _claim_spans(text, language)
    numbers: list[dict[int, None]] = [{} for _ in spans]
    starts = [start for start, _ in spans]
    for marker in markers:
        if spans:
            owner = max(0, bisect_left(starts, marker.at) - 1)
            numbers[owner].update(dict.fromkeys(marker.numbers))
    for (start, end), named in zip(spans, numbers, strict=True):
        yield text[start:end], tuple(named)


def _claim_spans(text: str, language: str) -> list[tuple[int, int]]:
    """Sentences; a fenced block is one, and a line that opens a list goes with the next."""
    fences = [match.span() for match in _FENCE.finditer(text)]
    merged: list[tuple[int, int]] = []
    for start, end in split_sentences(text, language):
        if merged:
            last_start, last_end = merged[-1]
            same_fence = any(a < last_end and start < b for a, b in fences if last_start < b)
            is_opening = text[last_start:last_end].rstrip().endswith((":", "："))
            is_wordless = not any(character.isalnum() for character in text[start:end])
            if same_fence or is_opening or is_wordless:
                merged[-1] = (last_start, end)
                continue
        merged.append((start, end))
    return [span for span in merged if any(map(str.isalnum, text[slice(*span)]))]


def _spans_for(
    claim: str, numbers: Sequence[int], cited: Sequence[_Cited], passages: Sequence[Passage]
) -> tuple[DraftSpan, ...]:
    if numbers:
        return tuple(source.span for source in cited if source.span.passage in numbers)
    if any(source.words is None for source in cited):
        return tuple(source.span for source in cited)  # a bad range rejects the whole answer
    languages = {passage.number: passage.language for passage in passages}
    fitting = [
        source
        for source in cited
        if source.words and is_related(claim, source.words, languages[source.span.passage])
    ]
    language = languages[fitting[0].span.passage] if fitting else ""
    chosen = cover(claim, [source.words or "" for source in fitting], language)
    return tuple(fitting[at].span for at in chosen) or tuple(source.span for source in fitting[:1])
