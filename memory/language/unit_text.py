"""The units of a passage and what stands above each: headings and column names. Pure.

A passage is plain text. A heading in it is a short line without a stop, before something longer; the
first row of a table names its columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import regex

from memory.language.sentences import split_sentences
from memory.language.tables import cells, is_row
from memory.types import Passage

LABEL_CHARACTERS = 80
_STOPPED = regex.compile(r"""[.!?…。！？।॥؟۔։።;,]["'”’»›)\]」』]*$""")
_CODE = regex.compile(r"[{}<>=;$\\`]|\w\(|(?:^|\s)--?\w|\w/\w|^\p{Ll}+ [\w\-]+ \S*[/._]")


@dataclass(frozen=True, slots=True)
class Unit:
    """Offsets are relative to the passage's text."""

    passage: int  # index of the passage in what is read
    start: int
    end: int
    text: str
    context: str  # title, headings and column names: what a reader sees above it
    spoken: str  # how it reads on its own: under its heading, cells with their columns
    is_label: bool  # a heading or a header row: it says what follows, it answers nothing
    label: str = ""  # the heading in the passage's own text that it stands under
    columns: tuple[str, ...] = ()  # of a row: the names of its columns


def page_units(passage: Passage, index: int) -> Iterator[Unit]:
    text = passage.text
    spans = split_sentences(text, passage.language)
    above = " · ".join(part for part in (passage.doc_title, *passage.heading_path) if part)
    label, header, in_table = "", passage.header, False
    for at, (start, end) in enumerate(spans):
        own = text[start:end]
        is_label = False
        spoken = f"{label}: {own}" if label else own
        if is_row(own):
            # The header that a passage is given is that of the table which it begins within.
            if not in_table and (at > 0 or own == passage.header or not passage.header):
                header, is_label = own, True
            else:
                spoken = _row(own, header)
            in_table = True
        else:
            in_table = False
            following = spans[at + 1] if at + 1 < len(spans) else None
            if _is_label(text, spans, at, following):
                label, is_label, spoken = own, True, own
        context = " · ".join(part for part in (above, "" if is_label else label) if part)
        columns: tuple[str, ...] = ()
        if is_row(own) and not is_label:
            context = f"{context} · {header}"
            columns = _names(header) if header != passage.header else tuple(cells(header))
        yield Unit(index, start, end, own, context, spoken, is_label, label, columns)


def _is_label(
    text: str,
    spans: list[tuple[int, int]],
    at: int,
    following: tuple[int, int] | None,
) -> bool:
    """A short line of its own, before a line that is longer, stopped, code, or a row."""
    start, end = spans[at]
    if following is None or end - start > LABEL_CHARACTERS:
        return False
    alone = (start == 0 or "\n" in text[spans[at - 1][1] : start] or at == 0) and (
        "\n" in text[end : following[0]]
    )
    own, after = text[start:end], text[following[0] : following[1]]
    if not alone or _STOPPED.search(own) or _CODE.search(own):
        return False
    return bool(
        _STOPPED.search(after)
        or is_row(after)
        or _CODE.search(after)
        or len(after) > 2 * len(own)
        or (at + 2 < len(spans) and _is_label(text, spans, at + 1, spans[at + 2]))
    )


def _names(first_row: str) -> tuple[str, ...]:
    """Column names; figures tell that the first row is one like the others, or one of years."""
    is_header = any(map(str.isalpha, first_row)) and not any(map(str.isdigit, first_row))
    return tuple(cells(first_row)) if is_header else ()


def _row(row: str, header: str) -> str:
    """``V-097, Line: L6, Max pressure: 14 bar``: the cells with the names of their columns."""
    own, names = cells(row), cells(header)
    if len(names) != len(own):
        return ", ".join(cell for cell in own if cell)
    pairs = [
        f"{name}: {cell}" if name else cell for name, cell in zip(names, own, strict=True) if cell
    ]
    return ", ".join(pairs)
