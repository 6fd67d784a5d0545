"""Whether two headings stand above notes of the same kind, taken on two days. Pure.

"Minutes 24 September" and "Minutes 1 October" are two occasions of one thing, "Room 1" and "Room 2"
are two things.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import regex

from memory.facts.values import weekdays
from memory.language.folding import fold
from memory.verification.dates import find_dates, find_times

# Notes that are taken again and again, of which the newer ones count.
_RECORDS = regex.compile(
    r"\b(?:minutes|standups?|stand-ups?|daily|meetings?|syncs?|notes?|logs?|journal|diary|updates?|status"
    r"|retros?|retrospective|calls?|jour fixe|check-?ins?|reviews?|reports?|handover|sprints?|weekly|week"
    r"|protokolle?|besprechung\w*|sitzung\w*|notizen|tagebuch|übergabe|bericht\w*|woche|kw"
    r"|compte[- ]rendu|réunion|procès-verbal|journal de bord|semaine|acta|actas|reunión|notas|semana"
    r"|verbale|riunione|appunti|settimana|ata|reunião|anotações|протокол\w*|собрание|заметки|неделя"
    r"|biên bản|cuộc họp|ghi chú|tuần)\b|纪要|会议|笔记|日志|議事録|会議|メモ|日報|회의록|회의",
    regex.IGNORECASE,
)
# "Meeting 3", "3rd meeting" is the third of its kind.
_COUNTED = regex.compile(
    rf"(?:{_RECORDS.pattern})\s*(?:#|no\.?|nr\.?|№)?\s*\d{{1,4}}(?![\p{{L}}\d])"
    rf"|(?<![\p{{L}}\d])\d{{1,4}}(?:st|nd|rd|th|[.ºª])\s*(?:{_RECORDS.pattern})",
    regex.IGNORECASE,
)
_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")


def may_contend(one: Sequence[str], other: Sequence[str], *, says_change: bool) -> bool:
    """Whether facts below these headings can be about one thing at two times.

    Headings that differ in a day do where they stand above notes, or where a fact says that
    something changed.
    """
    if list(one) == list(other):
        return True
    if len(one) != len(other):
        return False
    for mine, theirs in zip(one, other, strict=True):
        if mine == theirs:
            continue
        if _undated(mine) != _undated(theirs):
            return False
        if not (says_change or _is_record(mine)):
            return False
    return True


def _is_record(heading: str) -> bool:
    """A day alone, or the name of notes."""
    return not _undated(heading) or _is_note(heading)


@lru_cache(maxsize=4_096)
def _undated(heading: str) -> tuple[str, ...]:
    """Its words without days and times, and in the headings of notes without any number."""
    spans = [span for span, days in find_dates(heading) if _is_day(days) or _is_note(heading)]
    spans += [span for span, _ in find_times(heading)]
    spans += [(day.start, day.end) for day in weekdays(heading)]
    plain = list(heading)
    for start, end in spans:
        plain[start:end] = " " * (end - start)
    rest = _COUNTED.sub(" ", "".join(plain))
    return tuple(_WORD.findall(fold(rest)))


def _is_note(heading: str) -> bool:
    return _RECORDS.search(heading) is not None


def _is_day(days: frozenset[tuple[int, int, int]]) -> bool:
    return any(day for _, _, day in days)
