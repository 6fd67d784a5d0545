"""An answer without a language model: sentences of memories, word for word, or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from django.utils import timezone

from memory import gate, judging
from memory.backends import registry
from memory.backends.generators.extractive import ExtractiveGenerator
from memory.gate import GateInput
from memory.hits import Hit
from memory.judging import Judged
from memory.reading import reader
from memory.reading.questions import parts
from memory.reading.reader import Reading
from memory.recall.encoding import encode
from memory.reflecting import covering
from memory.reflecting.currency import without_outdated
from memory.reflecting.looking import Looked
from memory.reflecting.messages import no_answer
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
    passages = [passage_of(number, hit) for number, hit in enumerate(hits, start=1)]
    read = _read(looked, passages)
    draft = _draft(request.query, passages, read, dict(enumerate(hits, start=1)))
    claims = verify.verify(draft, passages, judge_says=judging.says)
    judged = _judge(request.query, claims, read)
    verdict = gate.decide(GateInput(claims=claims, judge=judged.probability, missing=draft.missing))
    if verdict.is_decline:
        return declined(looked, _REASONS.get(verdict.reason or Reason.FAULT, NoAnswer.FAULT))
    if set(draft.missing) & set(read.question.names):
        return declined(looked, NoAnswer.NOT_COVERED)
    cited = {citation.chunk_id for claim in claims for citation in claim.citations}
    return Reflection(
        text=" ".join(dict.fromkeys(_spoken(claim, passages) for claim in claims)),
        memories=tuple(hit for hit in hits if hit.id in cited),
        waiting_rules=len(looked.rules),
        confidence=None if verdict.confidence is None else float(verdict.confidence),
        missing=draft.missing,
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
    if len(asked) == 1:
        about = without_outdated(about, read, hits)
        return ExtractiveGenerator().draft(query, passages, replace(read, sentences=about))
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
    return replace(draft, claims=tuple(kept), missing=tuple(dict.fromkeys((*draft.missing, *lost))))


def _spoken(claim: CheckedClaim, passages: Sequence[Passage]) -> str:
    """Who says it stands before what somebody says of themselves."""
    cited = {citation.chunk_id for citation in claim.citations}
    speakers = {passage.speaker for passage in passages if passage.chunk_id in cited}
    if len(speakers) != 1 or not is_first_person(claim.text):
        return claim.text
    (speaker,) = speakers
    return f"{speaker}: {claim.text}" if speaker else claim.text


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


def _read(looked: Looked, passages: Sequence[Passage]) -> Reading:
    encoded = encode(looked.request.query)
    return reader.read(
        looked.request.query,
        passages,
        None if encoded.vector is None else registry.encoder(),
        query_vector=encoded.vector,
        scope=str(looked.tenant_id),
        cache=CachedVectors(),
        today=(looked.request.asked_at or timezone.now()).date(),
    )


def _judge(query: str, claims: Sequence[CheckedClaim], read: Reading) -> Judged:
    if not claims or not all(claim.supported for claim in claims):
        return Judged(None)
    quotes = [citation.quote for claim in claims for citation in claim.citations]
    return judging.answers(query, " ".join(claim.text for claim in claims), quotes, read)
