"""Which figures of a claim its evidence does not hold. Pure."""

from __future__ import annotations

from collections.abc import Iterator

import regex

from memory.verification.dates import Day
from memory.verification.evidence import Evidence
from memory.verification.figures import Figure, FigureKind, figures

_LIST_MARKER = regex.compile(r"\s*\d{1,2}[.)]\s")


def unsupported_figures(claim: str, evidence: Evidence) -> tuple[str, ...]:
    """Figures of ``claim``, as written, that no quote holds with the same value and unit."""
    wanted = figures(claim, evidence.language)
    if wanted and wanted[0].kind is FigureKind.NUMBER and not wanted[0].unit:
        marker = _LIST_MARKER.match(claim)  # "1. Open the valve" counts steps
        if marker and wanted[0].end < marker.end():
            wanted = wanted[1:]
    missing = (figure for figure in wanted if not figure.is_loose and not holds(evidence, figure))
    return tuple(dict.fromkeys(figure.text for figure in missing))


def holds(evidence: Evidence, figure: Figure) -> bool:
    match figure.kind:
        case FigureKind.NUMBER:
            return _holds_number(evidence, figure)
        case FigureKind.DATE:
            return _holds_date(evidence, figure)
        case FigureKind.PERIOD:
            return figure.unit in evidence.units
        case FigureKind.TIME:
            return any(found.numbers & figure.numbers for found in _of(evidence, FigureKind.TIME))
        case FigureKind.CODE:
            return any(found.text == figure.text for found in _of(evidence, FigureKind.CODE))


def _of(evidence: Evidence, kind: FigureKind) -> Iterator[Figure]:
    return (found for found in evidence.figures if found.kind is kind)


def _holds_number(evidence: Evidence, figure: Figure) -> bool:
    for found in _of(evidence, FigureKind.NUMBER):
        if found.numbers & figure.numbers:
            if not figure.unit or found.unit == figure.unit:
                return True
            # "14" in a cell under "Pressure (bar)" is 14 bar.
            if not found.unit and figure.unit in evidence.units:
                return True
    if figure.unit:  # "in one week" for "per week"
        periods = {found.unit for found in _of(evidence, FigureKind.PERIOD)}
        return figure.numbers == {1} and figure.unit in periods
    return (
        any(number in day for day in _days(evidence) for number in figure.numbers if number)
        or any(number * 60 in time.numbers for time in _of(evidence, FigureKind.TIME)
               for number in figure.numbers)
        or _is_named_in_context(evidence, figure)
    )  # fmt: skip


def _is_named_in_context(evidence: Evidence, figure: Figure) -> bool:
    """ "Decree 145" and a bare year are names, and headings carry names."""
    for found in evidence.context_figures:
        if found.kind is FigureKind.NUMBER and found.numbers & figure.numbers:
            if figure.is_year and found.is_year:
                return True
            if figure.named_by and figure.named_by == found.named_by:
                return True
    return False


def _holds_date(evidence: Evidence, figure: Figure) -> bool:
    years = {
        number
        for found in (*evidence.figures, *evidence.context_figures)
        if found.is_year
        for number in found.numbers
    }

    def says(held: Day, wanted: Day) -> bool:
        """Every part of ``wanted`` that is stated is stated alike; a year may stand apart."""
        year_is_held = not wanted[0] or held[0] == wanted[0] or (not held[0] and wanted[0] in years)
        rest = zip(held[1:], wanted[1:], strict=True)
        return year_is_held and all(not part or part == own for own, part in rest)

    return any(says(held, wanted) for held in _days(evidence) for wanted in figure.days)


def _days(evidence: Evidence) -> Iterator[Day]:
    return (day for found in _of(evidence, FigureKind.DATE) for day in found.days)
