"""Reads a model's reply into a draft. Pure.

A reply is exactly one JSON object ``{answer, confidence_score, citations: [{doc_id, chunk_id,
char_start, char_end, quote?}], missing?}``, with whatever a model likes to write around it. What
has two readings is not read: ``UnreadableReply``. Nothing read here is verified.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import regex

from memory.errors import UnreadableReply
from memory.language.sentences import split_sentences
from memory.types import Draft, DraftClaim, DraftSpan, Passage
from memory.verification.evidence import content_words, cover, is_carried, is_related, stems
from memory.verification.markers import Marker, plain_text, take_markers
from memory.verification.reply_citations import Cited, read_citations
from memory.verification.reply_json import Ambiguous, json_objects

LONGEST_REPLY = 200_000  # characters
MOST_MISSING = 8
_THINKING = regex.compile(
    r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>", regex.DOTALL | regex.IGNORECASE
)
_FENCE = regex.compile(r"```.*?```", regex.DOTALL)
_DECLINES = frozenset({"", "decline", "declined", "insufficient evidence", "not enough evidence"})


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
    cited = read_citations(reply.get("citations"), passages)
    language = passages[0].language if passages else ""
    text, markers = take_markers(answer)
    claims = tuple(
        DraftClaim(claim, _spans_for(claim, numbers, cited, passages))
        for claim, numbers in _claims(text, markers, language)
    )
    return Draft(claims=claims, confidence=confidence, missing=missing)


def _only_object(raw: str) -> dict[str, Any]:
    if len(raw) > LONGEST_REPLY:
        raise UnreadableReply(f"the reply has {len(raw)} characters")
    found: list[dict[str, Any]] = []
    try:
        for value in json_objects(_THINKING.sub("", raw)):
            is_reply = "answer" in value or "decline" in value
            if is_reply and value not in found:
                found.append(value)
    except Ambiguous as error:
        raise UnreadableReply(str(error)) from None
    if len(found) != 1:
        raise UnreadableReply(f"the reply holds {len(found)} answers")
    return found[0]


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
    claim: str, numbers: Sequence[int], cited: Sequence[Cited], passages: Sequence[Passage]
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
