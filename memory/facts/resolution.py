"""Whether two names are one entity. Pure.

    score = 0.5 likeness + 0.3 company + 0.2 recency      merged from 0.6 on

*likeness* is the share of common trigrams, *company* the share of a mention's other names that the
entity was seen with (rare partners weigh more), *recency* falls to 0 within a week. Names that carry
a digit and labels (``key:value``) are never merged by likeness: POL-0054 is not POL-0055. Neither are
two given names, however alike: Robert Smith is not Roberta Smith.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

import regex

from memory.facts.given_names import GIVEN_NAMES, SHORT_FORMS
from memory.facts.name_words import FORMS_OF_ADDRESS, TITLES
from memory.language.folding import fold
from memory.tags.fuzzy import trigrams

LIKE = 0.3  # trigrams in common, at least, for a candidate
MERGED = 0.6
MERGED_IN_BATCH = 0.5  # likeness alone, between two names that are new together
LONGEST = 300  # of a folded name
_SHORTEST = 4  # letters of a word that may be misspelt
_LONG = 8  # letters from which it may be misspelt twice
_ENDING = 2  # letters at the end that make another name: Jan, Jana; Niger, Nigeria
_WEEK = timedelta(days=7)
_LABEL = regex.compile(r"^[^\s:]+:\S")
_TITLE = regex.compile(rf"^{TITLES}\s+", regex.IGNORECASE)
_ORDINAL = regex.compile(r"\p{L}|[ivx]+")  # A, B; I, II
_GAPS = regex.compile(r"\s+")
_PLACES = 6  # decimals that a score is rounded to before it is compared


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entity that a name may mean. ``partners``: the folded names that it was seen with."""

    key: str  # folded name
    last_seen: datetime
    partners: frozenset[str] = frozenset()


def folded(name: str) -> str:
    """How names are compared. Never empty for a name with a letter or digit. A surname alone keeps its
    form of address: Mr Weber is not Mrs Weber."""
    plain = _GAPS.sub(" ", fold(name)).strip(" .,;:!?\"'“”„«»()[]")
    untitled = _TITLE.sub("", plain) or plain
    title = plain.split(" ")[0].rstrip(".")
    if " " not in untitled and title in FORMS_OF_ADDRESS and untitled != plain:
        untitled = f"{title} {untitled}"
    return untitled[:LONGEST]


def is_fuzzy(key: str) -> bool:
    """Whether a name may be merged with one that is written otherwise."""
    return not (_LABEL.match(key) or any(c.isdigit() for c in key) or any(c in "@/_#" for c in key))


def likeness(one: str, other: str) -> float:
    """1.0 for the same trigrams; 0.0 where no word of one can be a word of the other."""
    a, b = trigrams(one), trigrams(other)
    if not a or not b:
        return 1.0 if one == other else 0.0
    if a == b:
        return 1.0
    return len(a & b) / len(a | b) if _is_compatible(one, other) else 0.0


def score(
    name: str,
    candidate: Candidate,
    *,
    seen_at: datetime,
    company: Iterable[str] = (),
    degrees: Mapping[str, int] | None = None,
) -> float:
    """How sure it is that ``name``, seen together with ``company``, is the candidate. 0-1.

    ``degrees``: how many entities each partner was seen with; a name that goes with everything
    says little.
    """
    alike = likeness(name, candidate.key)
    if alike == 1.0:
        return 1.0
    if alike < LIKE:
        return 0.0
    weights = {
        partner: 1 / math.sqrt(max(1, (degrees or {}).get(partner, 1)))
        for partner in company
        if partner != name
    }
    shared = sum(weight for partner, weight in weights.items() if partner in candidate.partners)
    together = shared / sum(weights.values()) if weights else 0.0
    age = abs(seen_at - candidate.last_seen)
    recency = max(0.0, 1 - age / _WEEK)
    return round(0.5 * alike + 0.3 * together + 0.2 * recency, _PLACES)


def best(
    name: str,
    candidates: Iterable[Candidate],
    *,
    seen_at: datetime,
    company: Iterable[str] = (),
    degrees: Mapping[str, int] | None = None,
) -> Candidate | None:
    """The candidate that the name is taken for; the smaller key decides a tie."""
    if not is_fuzzy(name):
        return None
    together = tuple(company)
    scored = sorted(
        (
            (-score(name, one, seen_at=seen_at, company=together, degrees=degrees), one.key, one)
            for one in candidates
            if is_fuzzy(one.key)
        ),
        key=lambda entry: entry[:2],
    )
    return scored[0][2] if scored and -scored[0][0] >= MERGED else None


def merged(names: Iterable[str]) -> dict[str, str]:
    """New names of one batch, each to the one that stands for it: the longest of those alike."""
    keys = sorted(set(names), key=lambda key: (-len(key), key))
    chosen: dict[str, str] = {}
    by_trigram: dict[str, list[str]] = {}
    for key in keys:
        found = None
        if is_fuzzy(key):
            near = {other for gram in trigrams(key) for other in by_trigram.get(gram, ())}
            found = max(
                (other for other in near if likeness(key, other) >= MERGED_IN_BATCH),
                key=lambda other: (likeness(key, other), other),
                default=None,
            )
        chosen[key] = chosen[found] if found else key
        if found is None and is_fuzzy(key):
            for gram in trigrams(key):
                by_trigram.setdefault(gram, []).append(key)
    return chosen


def _is_compatible(one: str, other: str) -> bool:
    """Each word of the shorter name is one of the longer. A letter or a number behind the others tells
    two things apart: Building A, Henry V."""
    shorter, longer = sorted((_words(one), _words(other)), key=len)
    if len(longer) == 1:
        return _is_slip(shorter[0], longer[0])
    waiting = list(longer)
    for word in shorter:
        match = next((item for item in waiting if _is_same_word(word, item)), None)
        if match is None:
            return False
        waiting.remove(match)
    return not (waiting and waiting[-1] == longer[-1] and _ORDINAL.fullmatch(longer[-1]))


def _words(name: str) -> list[str]:
    return [word.strip(".") or word for word in name.split(" ")]


def _is_same_word(one: str, other: str) -> bool:
    """Written alike, or one is an initial or a short form of the other."""
    shorter, longer = sorted((one, other), key=len)
    if shorter == longer:
        return True
    if _ORDINAL.fullmatch(longer):
        return False
    if not longer.startswith(shorter):
        return _is_slip(one, other)
    if {one, other} <= GIVEN_NAMES:
        return shorter in SHORT_FORMS
    return len(shorter) == 1 or len(longer) - len(shorter) > _ENDING


def _is_slip(one: str, other: str) -> bool:
    """Whether two words are one name with a slip of the pen. Other names begin otherwise, or end so:
    Daniel and Daniela, Mario and Maria."""
    shortest = min(len(one), len(other))
    if shortest < _SHORTEST or {one, other} <= GIVEN_NAMES:
        return False
    ends_alike = one[-1] == other[-1] or one[-2:] == other[:-3:-1]
    if one[0] != other[0] or not ends_alike:
        return False
    return _distance(one, other) <= (1 if shortest < _LONG else 2)


def _distance(one: str, other: str) -> int:
    """Letters that are put in, left out, changed, or change places with the next one."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        last, before, row = before, row, [i]
        for j, b in enumerate(other, 1):
            least = min(before[j] + 1, row[-1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and b == one[i - 2]:
                least = min(least, last[j - 2] + 1)
            row.append(least)
    return row[-1]
