"""The citations of a model's reply: which passage each means, and what stands there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from memory.errors import InvalidRange, UnreadableReply
from memory.types import DraftSpan, Passage
from memory.verification.places import find_place
from memory.verification.reply_json import json_value

MOST_CITATIONS = 200


@dataclass(frozen=True, slots=True)
class Cited:
    """A citation of the reply. ``words``, with the names of their columns, are "" where the quote
    is not there, None where the range is none."""

    span: DraftSpan
    words: str | None


def short_ids(passages: Sequence[Passage]) -> list[tuple[str, str]]:
    """(doc, chunk) ids as the prompt shows them: ``D1`` by first appearance, ``C4`` by number."""
    docs: dict[UUID, str] = {}
    for passage in passages:
        docs.setdefault(passage.doc_id, f"D{len(docs) + 1}")
    return [(docs[passage.doc_id], f"C{passage.number}") for passage in passages]


def read_citations(stated: object, passages: Sequence[Passage]) -> list[Cited]:
    """Each once, in order. One of a passage that was not offered is left out."""
    by_id = _passages_by_id(passages)
    cited: dict[DraftSpan, Cited] = {}
    for entry in _entries(stated):
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
        cited.setdefault(span, Cited(span, _words(span, passage)))
    return list(cited.values())


def _entries(stated: object) -> list[dict[str, Any]]:
    """A list, or the same list as JSON text or with its places as keys."""
    if isinstance(stated, str):
        try:
            stated = json_value(stated)
        except ValueError:
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
        place = find_place(span, passage)
    except InvalidRange:
        return None
    return place.read if place else ""
