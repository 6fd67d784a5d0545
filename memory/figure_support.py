"""Which figures of a claim its evidence does not hold. Pure."""

from __future__ import annotations

import regex

from memory.evidence import Evidence
from memory.figures import Day, Figure, FigureKind, figures

_LIST_MARKER = regex.compile(r"\s*\d{1,2}[.)]\s")


def unsupported_figures(claim: str, evidence: Evidence) -> tuple[str, ...]:
    """Figures of ``claim``, as written, that no quote holds with the same value and unit."""
    wanted = figures(claim, evidence.language)
    if wanted and wanted[0].kind is FigureKind.NUMBER and not wanted[0].unit:
        marker = _LIST_MARKER.match(claim)  # "1. Open the valve" counts steps
        if marker and wanted[0].end < marker.end():
            wanted = wanted[1:]
    return tuple(
        dict.fromkeys(
            figure.text for figure in wanted if not figure.is_loose and not holds(evidence, figure)
        )
    )


def holds(evidence: Evidence, figure: Figure) -> bool:
    match figure.kind:
        case FigureKind.NUMBER:
            return _holds_number(evidence, figure)
        case FigureKind.DATE:
            return _holds_date(evidence, figure)
        case FigureKind.PERIOD:
            return figure.unit in evidence.units
        case FigureKind.TIME | FigureKind.CODE:
            return any(
                found.kind is figure.kind and found.values & figure.values
                for found in evidence.figures
            )


def _holds_number(evidence: Evidence, figure: Figure) -> bool:
    for found in evidence.figures:
        if found.kind is FigureKind.NUMBER and found.values & figure.values:
            if found.unit == figure.unit or not figure.unit:
                return True
            # "14" in a cell under "Pressure (bar)" is 14 bar.
            if not found.unit and figure.unit in evidence.units:
                return True
        if not figure.unit and found.kind is FigureKind.DATE and _is_part_of(figure, found):
            return True
        if not figure.unit and found.kind is FigureKind.TIME and _is_hour_of(figure, found):
            return True
    if figure.unit and figure.values == {1}:  # "in one week" for "per week"
        return any(
            found.kind is FigureKind.PERIOD and found.unit == figure.unit
            for found in evidence.figures
        )
    return _is_named_in_context(evidence, figure)


def _is_part_of(number: Figure, date: Figure) -> bool:
    """2024 of "13 July 2024"."""
    return any(value in day for day in _days(date) for value in number.values if value)


def _is_hour_of(number: Figure, time: Figure) -> bool:
    return any(
        value * 60 in time.values for value in number.values if not isinstance(value, tuple | str)
    )


def _is_named_in_context(evidence: Evidence, figure: Figure) -> bool:
    """ "Decree 145" and a bare year are names, and headings carry names."""
    for found in evidence.context_figures:
        if not found.values & figure.values or found.kind is not FigureKind.NUMBER:
            continue
        if figure.is_year and found.is_year:
            return True
        if figure.named_by and figure.named_by == found.named_by:
            return True
    return False


def _holds_date(evidence: Evidence, figure: Figure) -> bool:
    years = {
        value
        for found in (*evidence.figures, *evidence.context_figures)
        if found.is_year
        for value in found.values
    }
    for found in evidence.figures:
        if found.kind is FigureKind.DATE:
            for day in _days(found):
                if any(_says(day, wanted, years) for wanted in _days(figure)):
                    return True
    return False


def _says(day: Day, wanted: Day, years: set[object]) -> bool:
    """Every part of ``wanted`` that is stated must be stated alike; a year may stand in a heading."""
    for at, (held, part) in enumerate(zip(day, wanted, strict=True)):
        if part and held != part and not (at == 0 and not held and part in years):
            return False
    return True


def _days(figure: Figure) -> list[Day]:
    return [value for value in figure.values if isinstance(value, tuple)]
