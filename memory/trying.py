"""What retain would take from a content, without storing anything."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils import timezone

from memory.backends import registry
from memory.facts.records import Fact
from memory.language.tokens import count_tokens
from memory.retain import passages, wanted
from memory.retain.items import RetainItem
from memory.types import Usage


@dataclass(frozen=True, slots=True)
class Tried:
    """``facts`` with the index of their passage in ``passages``."""

    facts: tuple[tuple[int, Fact], ...]
    passages: tuple[str, ...]
    usage: Usage


def try_extraction(item: RetainItem) -> Tried:
    """Needs no scope. Raises ``InvalidMemory`` and ``ExtractionFailed``."""
    [document] = wanted.read([item], now=timezone.now())
    extractor = registry.extractor()
    text, facts, usage = document.text, list[tuple[int, Fact]](), Usage()
    cut: list[str] = []
    for offset, part in document.offsets():
        for piece in passages.cut(part, count_tokens):
            excerpt = passages.excerpt(part, piece, document=text, offset=offset)
            extracted = extractor.extract(excerpt)
            facts += [(len(cut), fact) for fact in extracted.facts]
            cut.append(excerpt.text)
            usage += extracted.usage
    return Tried(tuple(facts), tuple(cut), usage)
