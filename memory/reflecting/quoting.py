"""An answer without a language model: sentences of memories, word for word, or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final
from uuid import UUID

from django.utils import timezone

from memory import dates, gate, judging
from memory.backends import registry
from memory.backends.generators.extractive import ExtractiveGenerator
from memory.gate import GateInput
from memory.hits import Hit
from memory.judging import Judged
from memory.reading import reader
from memory.reading.questions import parts
from memory.reading.records import Reading, Sentence
from memory.recall.encoding import encode
from memory.reflecting import covering, periods
from memory.reflecting.currency import without_outdated
from memory.reflecting.looking import Looked
from memory.reflecting.messages import former, no_answer
from memory.reflecting.records import NoAnswer, Reflection
from memory.speaking import is_first_person
from memory.types import CheckedClaim, Draft, Passage, Reason
from memory.vector_cache import CachedVectors
from memory.verification import verify

_REASONS: Final = {
    Reason.NOT_COVERED: NoAnswer.NOT_COVERED,
    Reason.UNVERIFIED: NoAnswer.UNVERIFIED,
    Reason.LOW_CONFIDENCE: NoAnswer.LOW_CONFIDENCE,
    Reason.PART_NOT_READ: NoAnswer.LOW_CONFIDENCE,
    Reason.FAULT: NoAnswer.FAULT,
}


def answer(looked: Looked) -> Reflection:
    """The judge decides whether the quoted sentences answer, as it does for pages."""
    request = looked.request
    hits = looked.recall(request.query)
    if not hits:
        return declined(looked, NoAnswer.NOTHING_FOUND)
    asked_at = request.asked_at or timezone.now()
    window = dates.parse_window(request.query, anchor=asked_at)
    period = periods.words_of_period(request.query, hits, window)
    question = periods.without(request.query, period)
    passages = [passage_of(number, hit) for number, hit in enumerate(hits, start=1)]
    read = _read(looked, question, passages, asked_at)
    draft = _draft(question, passages, read, dict(enumerate(hits, start=1)))
    claims = verify.verify(draft, passages, judge_says=judging.says)
    judged = _judge(question, claims, read)
    verdict = gate.decide(GateInput(claims=claims, judge=judged.probability, missing=draft.missing))
    if verdict.is_decline:
        return declined(looked, _REASONS.get(verdict.reason or Reason.FAULT, NoAnswer.FAULT))
    if set(draft.missing) & set(covering.named(question, read)):
        return declined(looked, NoAnswer.NOT_COVERED)
    cited = {hit.id: hit for hit in hits if hit.id in _cited(claims)}
    return Reflection(
        text=" ".join(dict.fromkeys(_told(claim, cited) for claim in claims)),
        memories=tuple(cited.values()),
        waiting_rules=len(looked.rules),
        confidence=None if verdict.confidence is None else float(verdict.confidence),
        missing=periods.still_missing((*draft.missing, *period), tuple(cited.values()), window),
        degraded=tuple(looked.degraded),
        tool_calls=tuple(looked.calls),
    )


def _draft(
    query: str, passages: Sequence[Passage], read: Reading, hits: Mapping[int, Hit]
) -> Draft:
    """Of sentences about what was asked alone. A part of the question that loses its own is missing."""
    asked = parts(query)
    about = covering.fitting(read, passages)
    if not about:
        return Draft()
    if len(asked) > 1:
        return _draft_of_parts(asked, query, passages, read, about)
    about = without_outdated(about, read, hits)
    draft = ExtractiveGenerator().draft(query, passages, replace(read, sentences=about))
    return _lacking(draft, covering.lacking(query, _quoted(draft, read.sentences), read))


def _draft_of_parts(
    asked: Sequence[str],
    query: str,
    passages: Sequence[Passage],
    read: Reading,
    about: Sequence[Sentence],
) -> Draft:
    draft = ExtractiveGenerator().draft(query, passages, read)
    at = {(sentence.passage, sentence.start): sentence for sentence in about}
    kept = {
        claim: sentence
        for claim in draft.claims
        if (sentence := at.get((claim.spans[0].passage, claim.spans[0].char_start))) is not None
    }
    by_number = {passage.number: passage for passage in passages}
    lost = [
        part.strip(" ?？؟")
        for part in asked
        if not any(
            covering.fits(part, sentence, read, by_number[sentence.passage])
            for sentence in kept.values()
        )
    ]
    return _lacking(replace(draft, claims=tuple(kept)), lost)


def _lacking(draft: Draft, words: Sequence[str]) -> Draft:
    return replace(draft, missing=tuple(dict.fromkeys((*draft.missing, *words))))


def _quoted(draft: Draft, sentences: Sequence[Sentence]) -> list[Sentence]:
    """The sentences that the draft rests on."""
    spans = [span for claim in draft.claims for span in claim.spans]
    return [
        one
        for one in sentences
        if any(
            span.passage == one.passage and span.char_start < one.end and one.start < span.char_end
            for span in spans
        )
    ]


def _told(claim: CheckedClaim, cited: Mapping[UUID, Hit]) -> str:
    """Who says it stands before what somebody says of themselves; until when it held behind what is no
    longer so."""
    hits = [cited[citation.chunk_id] for citation in claim.citations]
    text = claim.text
    speakers = {hit.speaker for hit in hits}
    if len(speakers) == 1 and any(speakers) and is_first_person(text):
        text = f"{speakers.pop()}: {text}"
    ends = [hit.superseded_at for hit in hits if hit.superseded_at is not None]
    return former(text, max(ends)) if len(ends) == len(hits) else text


def _cited(claims: Sequence[CheckedClaim]) -> set[UUID]:
    return {citation.chunk_id for claim in claims for citation in claim.citations}


def declined(looked: Looked, reason: NoAnswer) -> Reflection:
    return Reflection(
        text=no_answer(reason),
        reason=reason,
        waiting_rules=len(looked.rules),
        degraded=tuple(looked.degraded),
        tool_calls=tuple(looked.calls),
    )


def passage_of(number: int, hit: Hit) -> Passage:
    """A memory as something that can be read and cited. What is above it says who spoke."""
    above = (hit.speaker, *hit.heading_path) if hit.speaker else hit.heading_path
    return Passage(
        number=number,
        doc_id=hit.document_id or hit.id,
        doc_title=hit.document_name or "",
        revision=0,
        chunk_id=hit.id,
        text=hit.text,
        char_start=hit.char_start,
        heading_path=tuple(above),
        semantic=hit.scores.semantic,
        speaker=hit.speaker,
    )


def _read(
    looked: Looked, question: str, passages: Sequence[Passage], asked_at: datetime
) -> Reading:
    encoded = encode(question)
    return reader.read(
        question,
        passages,
        None if encoded.vector is None else registry.encoder(),
        query_vector=encoded.vector,
        scope=str(looked.tenant_id),
        cache=CachedVectors(),
        today=asked_at.date(),
    )


def _judge(query: str, claims: Sequence[CheckedClaim], read: Reading) -> Judged:
    if not claims or not all(claim.supported for claim in claims):
        return Judged(None)
    quotes = [citation.quote for claim in claims for citation in claim.citations]
    return judging.answers(query, " ".join(claim.text for claim in claims), quotes, read)
