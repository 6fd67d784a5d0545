"""How cases ended. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kb.evaluation.page_sets import Case

OTHER_LANGUAGES = "other_languages"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """How one case ended."""

    case: Case
    is_answered: bool
    hit_first: bool  # the first cited span holds an answer
    hit_any: bool  # one of at most two does
    confidence: float | None
    citations: int
    intact: int  # citations whose slice of the stored revision equals their quote
    milliseconds: float
    is_first_of_page: bool  # its sentences may not have been encoded before
    is_fault: bool  # something of ours broke
    is_degraded: bool  # something was missing: vectors, a judge


def by_language(asked: Sequence[Asked]) -> dict[str, list[Asked]]:
    """By code, and all but English together. Empty where there is only one language."""
    languages = sorted({one.case.language for one in asked})
    if len(languages) < 2:
        return {}
    groups = {code: [one for one in asked if one.case.language == code] for code in languages}
    if "en" in groups:
        groups[OTHER_LANGUAGES] = [one for one in asked if one.case.language != "en"]
    return groups
