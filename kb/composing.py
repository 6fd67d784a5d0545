"""Puts an outcome into words and numbers: footnotes by first use, or a decline that helps."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from django.utils.translation import gettext

from kb.context import Context
from kb.outcome import Outcome, ShownCitation
from kb.selectors import Place
from memory.declines import Read, decline_text, partial_text
from memory.gate import Verdict
from memory.judging import Judged
from memory.language.tables import is_row
from memory.reading.answer_features import MET
from memory.reading.records import Reading
from memory.types import CheckedClaim, Citation, Draft, Passage
from memory.verification.footnotes import Footnote, number_footnotes

_CONTEXT_LENGTH = 120  # code points shown before and after a quote
# Part of a word at an edge. More signs in a row are a script without spaces, or no word.
_PART_AT_START = re.compile(r"^\S{1,24}\s")
_PART_AT_END = re.compile(r"\s\S{1,24}$")


def answered(
    verdict: Verdict,
    *,
    context: Context,
    draft: Draft,
    claims: Sequence[CheckedClaim],
    places: Mapping[Citation, Place],
) -> Outcome:
    """The claims in order, each followed by its footnotes. ``places``: where each citation stands."""
    answer = number_footnotes(claims)
    passages = {passage.chunk_id: passage for passage in context.passages}
    text = answer.text
    if draft.missing:
        text = f"{text} {partial_text(draft.missing, translate=gettext)}"
    return Outcome(
        kind=verdict.kind,
        answer_text=text,
        confidence=_as_float(verdict),
        claims=answer.claims,
        citations=tuple(
            _shown(note, passages[note.citation.chunk_id], places[note.citation])
            for note in answer.footnotes
        ),
        missing=tuple(draft.missing),
    )


def declined(verdict: Verdict, read: Read | None = None) -> Outcome:
    """No text of a model, no sources: the reason, what was read, and what to try next."""
    assert verdict.reason is not None
    return Outcome(
        kind=verdict.kind,
        reason=verdict.reason,
        answer_text=decline_text(verdict.reason, read or Read(), translate=gettext),
        confidence=_as_float(verdict),
    )


def what_was_read(context: Context, reading: Reading) -> Read:
    """For the sentence of a decline. Counts pages that this reader may read, and no others."""
    return Read(
        title=context.title,
        linked=len(context.linked_revisions),
        missing=_unseen(reading),
    )


def with_context(
    outcome: Outcome,
    context: Context,
    *,
    reading: Reading | None,
    draft: Draft | None,
    judged: Judged | None,
    degraded: Sequence[str],
    model: str,
    timings_ms: Mapping[str, float],
) -> Outcome:
    """The same outcome with what a replay needs."""
    return replace(
        outcome,
        unseen=_unseen(reading) if reading is not None else (),
        stale=context.is_stale_for(shown.citation.doc_id for shown in outcome.citations),
        degraded=tuple(dict.fromkeys(degraded)),
        doc_revision=context.doc_revision,
        model=model,
        usage=draft.usage if draft is not None else outcome.usage,
        context={
            "passages": [str(passage.chunk_id) for passage in context.passages],
            "linked_revisions": [
                [str(doc_id), number] for doc_id, number in context.linked_revisions
            ],
            "left_out": context.left_out,
            "judge": judged.judge if judged is not None else "",
            "reader": reading.recipe if reading is not None else "",
        },
        timings_ms=dict(timings_ms),
    )


def _unseen(reading: Reading) -> tuple[str, ...]:
    """Words of the question that stand nowhere in what was read."""
    asked = reading.question
    held = (
        reading.context.max(axis=0, initial=0.0) if reading.sentences else [0.0] * len(asked.terms)
    )
    return tuple(
        dict.fromkeys(
            asked.text[term.start : term.end]
            for term, strength in zip(asked.terms, held, strict=True)
            if strength < MET
        )
    )


def _shown(note: Footnote, passage: Passage, place: Place) -> ShownCitation:
    start = note.citation.char_start - passage.char_start
    end = note.citation.char_end - passage.char_start
    before, after = _around(passage.text, start, end)
    return ShownCitation(
        n=note.n,
        citation=note.citation,
        doc_title=passage.doc_title,
        heading_path=place.headings,
        row=place.row,
        columns=place.columns,
        before=before,
        after=after,
    )


def _around(text: str, start: int, end: int) -> tuple[str, str]:
    """The context of ``text[start:end]``, cut between words where there are spaces; that of a row
    between rows."""
    first, last = max(0, start - _CONTEXT_LENGTH), end + _CONTEXT_LENGTH
    before, after = text[first:start], text[end:last]
    if is_row(text[start:end]):
        if first > 0 and text[first - 1] != "\n":
            before = before.partition("\n")[2]
        if last < len(text) and text[last] != "\n":
            after = after.rpartition("\n")[0]
        return before, after
    if first > 0 and not text[first - 1].isspace():
        before = _PART_AT_START.sub("", before)
    if last < len(text) and not text[last].isspace():
        after = _PART_AT_END.sub("", after)
    return before, after


def _as_float(verdict: Verdict) -> float | None:
    return None if verdict.confidence is None else float(verdict.confidence)
