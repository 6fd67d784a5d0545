"""Checks every claim of a draft against the words that it cites. Pure.

A claim passes when its quote stands in the passage, and its figures, names and sense of *not* are
the quote's. A claim that only repeats whole sentences of the page passes as it is; any other is
also put to the judge. Nothing here is fuzzy, and nothing a model says counts as evidence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import regex

from memory.language.sentences import split_sentences
from memory.types import (
    Check,
    CheckedClaim,
    Citation,
    ClaimChecks,
    Draft,
    DraftClaim,
    DraftSpan,
    Passage,
)
from memory.verification.evidence import (
    Evidence,
    content_words,
    cover,
    is_carried,
    is_related,
    stems,
)
from memory.verification.figure_support import unsupported_figures
from memory.verification.names import unsupported_names
from memory.verification.polarity import agree, polarity
from memory.verification.spans import fold, locate, snap
from memory.verification.word_support import unsupported_words

Says = Callable[[str, Sequence[str]], float | None]

# A judge must find a claim likelier said than not.
SAYS_ABOVE = 0.5
# A clause of a sentence speaks for a claim alone only if it holds this share of the claim's words.
CLAUSE_SHARE = 0.6
_CONTRAST = regex.compile(
    r"[;；]|,?\s+(?:but|however|whereas|while|aber|jedoch|mais|pero|mas|ma|maar|но|однако|nhưng|men)\s+"
    r"|，?(?:但是|但|然而|可是)|ただし|しかし|لكن|ولكن|लेकिन",
    regex.IGNORECASE,
)
# Two sentences that share so many of their words are one sentence with a change.
CLOSE_SHARE = 0.7
_BULLET = regex.compile(r"(?:[-*•‣▪–—]|\(?\d{1,2}[.)]|\(?[a-z]\))\s+")
_STOPS = " \t\n.!?。！？।؟…"


@dataclass(frozen=True, slots=True)
class Place:
    """A span of a draft that was found, in offsets of its passage's text."""

    passage: Passage
    start: int
    end: int

    @property
    def quote(self) -> str:
        return self.passage.text[self.start : self.end]

    @property
    def read(self) -> str:
        """The quote with the names of its columns, as a model was shown it."""
        return f"{self.passage.header}\n{self.quote}" if self.passage.header else self.quote

    @property
    def citation(self) -> Citation:
        passage = self.passage
        return Citation(
            doc_id=passage.doc_id,
            revision=passage.revision,
            chunk_id=passage.chunk_id,
            char_start=passage.char_start + self.start,
            char_end=passage.char_start + self.end,
            quote=self.quote,
        )


def verify(
    draft: Draft, passages: Sequence[Passage], *, judge_says: Says | None = None
) -> tuple[CheckedClaim, ...]:
    """One checked claim per claim of the draft, in order.

    Raises ``InvalidRange`` where a span has neither a quote nor a range of its passage: such a
    draft is rejected whole.
    """
    by_number = {passage.number: passage for passage in passages}
    return tuple(_check(claim, by_number, judge_says) for claim in draft.claims)


def find_place(span: DraftSpan, passages: Mapping[int, Passage]) -> Place | None:
    """A quote's place in its passage, or the stated range widened to whole words.

    None where the passage was not offered or does not say the quote. Raises ``InvalidRange``.
    """
    passage = passages.get(span.passage)
    if passage is None:
        return None
    if span.quote is None:
        return Place(passage, *snap(passage.text, span.char_start, span.char_end))
    has_hint = 0 <= span.char_start < span.char_end
    hint = (span.char_start, span.char_end) if has_hint else None
    found = locate(span.quote, passage.text, hint=hint)
    return Place(passage, *found) if found else None


def _check(
    claim: DraftClaim, passages: Mapping[int, Passage], judge_says: Says | None
) -> CheckedClaim:
    places = _sources(claim, passages)
    if not places:
        unsupported = tuple(content_words(claim.text).values())
        return CheckedClaim(claim.text, (), ClaimChecks(quote=Check.FAILED), unsupported)
    citations = tuple(place.citation for place in places)
    if _is_verbatim(claim.text, places):
        ok = Check.OK
        return CheckedClaim(claim.text, citations, ClaimChecks(ok, ok, ok, ok, ok))
    evidence = _evidence(places)
    figures = unsupported_figures(claim.text, evidence)
    names = unsupported_names(claim.text, evidence)
    does_agree = _senses_agree(claim.text, evidence)
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
    for span in claim.spans:
        place = find_place(span, passages)
        if place and is_related(claim.text, place.read, place.passage.language):
            citation = place.citation
            found.setdefault((citation.doc_id, citation.char_start, citation.char_end), place)
    places = list(found.values())
    kept: list[Place] = []
    for number in dict.fromkeys(place.passage.number for place in places):
        same = [place for place in places if place.passage.number == number]
        if (
            len(same) > 1
        ):  # a marker names a passage; of its spans, those count that carry the claim
            chosen = cover(claim.text, [place.quote for place in same], same[0].passage.language)
            same = [same[at] for at in chosen] or same[:1]
        kept += same
    return kept


def _is_verbatim(claim: str, places: Sequence[Place]) -> bool:
    """Is the claim nothing but whole sentences, items or rows that its quotes hold?"""
    held = {unit for place in places for unit in _whole_units(place)}
    language = places[0].passage.language
    wanted = [claim[start:end] for start, end in split_sentences(claim, language)]
    return bool(wanted) and all(_flat(sentence) in held for sentence in wanted)


def _whole_units(place: Place) -> list[str]:
    """The sentences of the passage that lie in the quote from end to end, in one spelling."""
    text = place.passage.text
    return [
        _flat(text[start:end])
        for start, end in split_sentences(text, place.passage.language)
        if place.start <= start + _bullet(text, start) and end - _stops(text, end) <= place.end
    ]


def _flat(text: str) -> str:
    """As it reads: without the mark of a list, the stop, and what sets the cells of a row apart."""
    return fold(text[_bullet(text, 0) :].replace("·", " ")).text.strip(_STOPS)


def _bullet(text: str, start: int) -> int:
    match = _BULLET.match(text, start)
    return len(match.group()) if match else 0


def _stops(text: str, end: int) -> int:
    return end - len(text[:end].rstrip(_STOPS))


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


def _senses_agree(claim: str, evidence: Evidence) -> bool:
    """Each clause of the claim against the clauses of the evidence that speak of the same."""
    language = evidence.language
    for clause in _clauses(claim):
        sense = polarity(clause, language)
        rivals = _rivals(clause, evidence)
        if rivals and not any(
            agree(sense, polarity(rival, language), is_close=_is_close(clause, rival, language))
            for rival in rivals
        ):
            return False
    return True


def _is_close(left: str, right: str, language: str) -> bool:
    words, others = stems(left, language), stems(right, language)
    return len(words & others) >= CLOSE_SHARE * len(words | others)


def _rivals(clause: str, evidence: Evidence) -> list[str]:
    """The sentence that holds most of the clause, alone if it holds enough; else all that add to it."""
    language = evidence.language
    wanted = content_words(clause, language)
    held = [_held(wanted, sentence, language) for sentence in evidence.sentences]
    most = max(held, default=0)
    if most >= CLAUSE_SHARE * len(wanted):
        chosen = [at for at, share in enumerate(held) if share == most]
    else:
        chosen = cover(clause, evidence.sentences, language) or list(range(len(held)))
    return [_clause_for(wanted, evidence.sentences[at], language) for at in chosen]


def _clause_for(wanted: Mapping[str, str], sentence: str, language: str) -> str:
    parts = _clauses(sentence)
    best = max(parts, key=lambda part: _held(wanted, part, language))
    enough = _held(wanted, best, language) >= CLAUSE_SHARE * len(wanted)
    return best if enough else sentence


def _held(wanted: Mapping[str, str], text: str, language: str) -> int:
    held = stems(text, language)
    return sum(is_carried(stem, held) for stem in wanted)


def _clauses(text: str) -> list[str]:
    return [part for part in _CONTRAST.split(text) if part.strip()] or [text]


def _judged(claim: str, evidence: Evidence, judge_says: Says | None) -> Check:
    if judge_says is None:
        return Check.SKIPPED
    probability = judge_says(claim, evidence.quotes)
    if probability is None:
        return Check.SKIPPED
    return Check.OK if probability > SAYS_ABOVE else Check.FAILED
