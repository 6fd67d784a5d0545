"""Checks every claim of a draft against the words that it cites. Pure.

A claim passes when its quote stands in the passage, and its figures, names and sense of *not* are
the quote's. A claim that only repeats whole sentences of the page passes as it is; any other is
also put to the judge. Nothing here is fuzzy, and nothing a model says counts as evidence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from memory.language.sentences import split_sentences
from memory.types import Check, CheckedClaim, ClaimChecks, Draft, DraftClaim, Passage
from memory.verification.evidence import Evidence, content_words, cover, is_related
from memory.verification.figure_support import unsupported_figures
from memory.verification.names import unsupported_names
from memory.verification.places import Place, find_place
from memory.verification.senses import senses_agree
from memory.verification.verbatim import is_verbatim
from memory.verification.word_support import unsupported_words

Says = Callable[[str, Sequence[str]], float | None]

# A judge must find a claim likelier said than not.
SAYS_ABOVE = 0.5


def verify(
    draft: Draft, passages: Sequence[Passage], *, judge_says: Says | None = None
) -> tuple[CheckedClaim, ...]:
    """One checked claim per claim of the draft, in order.

    Raises ``InvalidRange`` where a span has neither a quote nor a range of its passage: such a
    draft is rejected whole.
    """
    by_number = {passage.number: passage for passage in passages}
    return tuple(_check(claim, by_number, judge_says) for claim in draft.claims)


def _check(
    claim: DraftClaim, passages: Mapping[int, Passage], judge_says: Says | None
) -> CheckedClaim:
    places = _sources(claim, passages)
    if not places:
        unsupported = tuple(content_words(claim.text).values())
        return CheckedClaim(claim.text, (), ClaimChecks(quote=Check.FAILED), unsupported)
    citations = tuple(place.citation for place in places)
    if is_verbatim(claim.text, places):
        ok = Check.OK
        return CheckedClaim(claim.text, citations, ClaimChecks(ok, ok, ok, ok, ok))
    evidence = _evidence(places)
    figures = unsupported_figures(claim.text, evidence)
    names = unsupported_names(claim.text, evidence)
    does_agree = senses_agree(claim.text, evidence)
    says = _judged(claim.text, evidence, judge_says)
    words = unsupported_words(claim.text, evidence)
    checks = ClaimChecks(
        quote=Check.OK,
        figures=Check.FAILED if figures else Check.OK,
        names=Check.FAILED if names else Check.OK,
        negation=Check.OK if does_agree else Check.FAILED,
        judge=says,
    )
    unsupported = tuple(dict.fromkeys((*figures, *names, *words)))
    return CheckedClaim(claim.text, citations, checks, unsupported)


def _sources(claim: DraftClaim, passages: Mapping[int, Passage]) -> list[Place]:
    """The found places that speak of the claim, each place of a page once."""
    found: dict[tuple[object, ...], Place] = {}
    for place in _places(claim, passages):
        citation = place.citation
        found.setdefault((citation.doc_id, citation.char_start, citation.char_end), place)
    by_passage: dict[int, list[Place]] = {}
    for place in found.values():
        by_passage.setdefault(place.passage.number, []).append(place)
    return [place for places in by_passage.values() for place in _carrying(claim.text, places)]


def _places(claim: DraftClaim, passages: Mapping[int, Passage]) -> Iterator[Place]:
    for span in claim.spans:
        passage = passages.get(span.passage)
        place = find_place(span, passage) if passage else None
        if place and is_related(claim.text, place.read, place.passage.language):
            yield place


def _carrying(claim: str, places: list[Place]) -> list[Place]:
    """A marker names a passage: of several spans in it, those count that carry the claim."""
    if len(places) == 1:
        return places
    chosen = cover(claim, [place.quote for place in places], places[0].passage.language)
    return [places[at] for at in chosen] or places[:1]


def _evidence(places: Sequence[Place]) -> Evidence:
    context: dict[str, None] = {}
    for place in places:
        passage = place.passage
        for line in (passage.doc_title, *passage.heading_path, passage.header):
            context.setdefault(line)
    return Evidence(
        quotes=tuple(place.quote for place in places),
        sentences=tuple(sentence for place in places for sentence in _sentences(place)),
        context=tuple(line for line in context if line),
        language=places[0].passage.language,
    )


def _sentences(place: Place) -> list[str]:
    """Whole sentences around a quote. An item of a list takes the line that opens the list along."""
    text = place.passage.text
    around = [
        text[start:end]
        for start, end in split_sentences(text, place.passage.language)
        if start < place.end and place.start < end
    ]
    opening = _opening_line(text, place.start)
    return [f"{opening} {sentence}" for sentence in around] if opening else around


def _opening_line(text: str, at: int) -> str:
    """ "The following are not allowed:" for a line below it that is no full sentence."""
    line_end = text.find("\n", at)
    line_start = text.rfind("\n", 0, at) + 1
    line = text[line_start : line_end if line_end >= 0 else len(text)].rstrip()
    if "\t" in line or line.endswith((".", "!", "?", "。", ":", "：")):
        return ""
    for above in reversed(text[:line_start].splitlines()):
        if above.rstrip().endswith((":", "：")):
            return above.strip()
        if above.rstrip().endswith((".", "!", "?", "。")) or not above.strip():
            return ""
    return ""


def _judged(claim: str, evidence: Evidence, judge_says: Says | None) -> Check:
    if judge_says is None:
        return Check.SKIPPED
    probability = judge_says(claim, evidence.quotes)
    if probability is None:
        return Check.SKIPPED
    return Check.OK if probability > SAYS_ABOVE else Check.FAILED
