"""A graph in columns, its links running between neighbouring ones.

┌─────┐          ┌─────┐
│     │──label──▶│     │
└─────┘    ╲     └─────┘
           ╲     ┌─────┐
            ╰───▶│     │
                 └─────┘
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memory.drawing import lettering
from memory.drawing.numbers import text

WIDTH: Final = 230.0  # of a box
_GAP, _ROW, _HEAD, _EDGE = 120.0, 14.0, 26.0, 2.0
_PADDING, _TITLE, _LINE = 11.0, 16.0, 16.0
_LETTER: Final = 12.0  # the size of a letter, in the drawing's units
_LINES: Final = 3
_ARROW: Final = 7.0  # the length of an arrow's head, which ends at the box
_LABEL_LINE: Final = 13.0
_BESIDE: Final = 12.0  # between two links of the same two
_LABEL_AT: Final = 0.62  # of the way from the fan's handle to its end, where curves lie apart


@dataclass(frozen=True, slots=True, kw_only=True)
class Vertex:
    """``kind`` is a word for the style sheet."""

    key: str
    title: str
    text: str = ""
    kind: str = ""
    url: str = ""
    is_faded: bool = False
    is_centre: bool = False


@dataclass(frozen=True, slots=True)
class Column:
    heading: str
    vertices: Sequence[Vertex]


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """An arrow between vertices of neighbouring columns, in either direction. ``label`` is its
    lines; ``is_mutual``: it has no head."""

    source: str
    target: str
    label: Sequence[str]
    kind: str = ""
    is_mutual: bool = False


@dataclass(frozen=True, slots=True)
class Words:
    x: str
    y: str
    text: str


@dataclass(frozen=True, slots=True)
class Box:
    vertex: Vertex
    x: str
    y: str
    width: str
    height: str
    title: Words
    lines: Sequence[Words]
    is_right_to_left: bool


@dataclass(frozen=True, slots=True)
class Curve:
    """``path`` is SVG's ``d``."""

    path: str
    kind: str
    label: Sequence[Words]
    has_head: bool


@dataclass(frozen=True, slots=True)
class Graph:
    width: str
    height: str
    headings: Sequence[Words]
    boxes: Sequence[Box]
    curves: Sequence[Curve]


@dataclass(frozen=True, slots=True)
class _Place:
    column: int
    x: float
    y: float
    height: float

    @property
    def middle(self) -> float:
        return self.y + self.height / 2


def layered(columns: Sequence[Column], links: Sequence[Link]) -> Graph:
    """Columns from left to right, each in the middle of the height. Empty ones are left out.

    Links to what is not drawn are left out as well.
    """
    shown = _ordered([column for column in columns if column.vertices], links)
    height = max((_height_of(column) for column in shown), default=0.0)
    places: dict[str, _Place] = {}
    for number, column in enumerate(shown):
        y = _HEAD + (height - _height_of(column)) / 2
        for vertex in column.vertices:
            own = _height(vertex)
            places[vertex.key] = _Place(number, _EDGE + number * (WIDTH + _GAP), y, own)
            y += own + _ROW
    return Graph(
        width=text(max(len(shown) * (WIDTH + _GAP) - _GAP, 0.0) + 2 * _EDGE),
        height=text(_HEAD + height + _EDGE),
        headings=[
            Words(text(_EDGE + number * (WIDTH + _GAP)), text(_TITLE - 3), column.heading)
            for number, column in enumerate(shown)
        ],
        boxes=[_box(vertex, places[vertex.key]) for column in shown for vertex in column.vertices],
        curves=_curves(links, places),
    )


def _ordered(columns: Sequence[Column], links: Sequence[Link]) -> list[Column]:
    """From the left, each vertex near the middle of those that it is linked with: fewer crossings."""
    near: dict[str, set[str]] = {}
    for link in links:
        near.setdefault(link.source, set()).add(link.target)
        near.setdefault(link.target, set()).add(link.source)
    ordered: list[Column] = []
    for column in columns:
        before = {
            vertex.key: place
            for place, vertex in enumerate(ordered[-1].vertices if ordered else ())
        }
        ordered.append(
            Column(
                column.heading,
                sorted(column.vertices, key=lambda one: _mean(before, near.get(one.key, ()))),
            )
        )
    return ordered


def _mean(places: Mapping[str, int], keys: Sequence[str] | set[str]) -> float:
    found = [places[key] for key in keys if key in places]
    return sum(found) / len(found) if found else 0.0


def _height_of(column: Column) -> float:
    return sum(map(_height, column.vertices)) + _ROW * (len(column.vertices) - 1)


def _height(vertex: Vertex) -> float:
    return 2 * _PADDING + _TITLE + _LINE * len(_lines(vertex)) - 4


def _lines(vertex: Vertex) -> tuple[str, ...]:
    return lettering.wrap(vertex.text, ems=(WIDTH - 2 * _PADDING) / _LETTER, most=_LINES)


def _box(vertex: Vertex, place: _Place) -> Box:
    backwards = lettering.is_right_to_left(vertex.text)
    left = place.x + _PADDING
    start = place.x + WIDTH - _PADDING if backwards else left
    top = place.y + _PADDING + 9
    title = lettering.shorten(vertex.title, ems=(WIDTH - 2 * _PADDING) / (_LETTER - 1))
    return Box(
        vertex=vertex,
        x=text(place.x),
        y=text(place.y),
        width=text(WIDTH),
        height=text(place.height),
        title=Words(text(left), text(top), title),
        lines=[
            Words(text(start), text(top + _TITLE + 1 + number * _LINE), line)
            for number, line in enumerate(_lines(vertex))
        ],
        is_right_to_left=backwards,
    )


def _curves(links: Sequence[Link], places: Mapping[str, _Place]) -> list[Curve]:
    drawn = [link for link in links if link.source in places and link.target in places]
    fans = Counter(key for link in drawn for key in (link.source, link.target))
    beside: Counter[frozenset[str]] = Counter()
    curves = []
    for link in drawn:
        pair = frozenset((link.source, link.target))
        at = _LABEL_AT if fans[link.source] >= fans[link.target] else 1 - _LABEL_AT
        ends = places[link.source], places[link.target]
        curves.append(_curve(link, *ends, at=at, lower=_BESIDE * beside[pair]))
        beside[pair] += 1
    return curves


def _curve(link: Link, source: _Place, target: _Place, *, at: float, lower: float) -> Curve:
    """``at``: how far along its label stands. ``lower``: how far below another of the same two."""
    is_forward = source.column < target.column
    head = 0.0 if link.is_mutual else _ARROW
    start = source.x + (WIDTH if is_forward else 0.0)
    end = target.x + (-head if is_forward else WIDTH + head)
    bend = (end - start) / 2
    y1, y2 = source.middle + lower, target.middle + lower
    path = (
        f"M{text(start)},{text(y1)} C{text(start + bend)},{text(y1)} "
        f"{text(end - bend)},{text(y2)} {text(end)},{text(y2)}"
    )
    x, y = _on_curve(start, y1, end, y2, at)
    top = y - _LABEL_LINE * (len(link.label) - 1) / 2 + 3.5
    label = [
        Words(text(x), text(top + number * _LABEL_LINE), line)
        for number, line in enumerate(link.label)
    ]
    return Curve(path, link.kind, label, not link.is_mutual)


def _on_curve(x1: float, y1: float, x2: float, y2: float, at: float) -> tuple[float, float]:
    """On the cubic whose handles lie half way."""
    bend, back = (x2 - x1) / 2, 1 - at
    x = back**3 * x1 + 3 * back**2 * at * (x1 + bend) + 3 * back * at**2 * (x2 - bend) + at**3 * x2
    y = back**2 * (back + 3 * at) * y1 + at**2 * (at + 3 * back) * y2
    return x, y
