"""Draws citations into a page's canonical HTML. Pure.

The canonical HTML is the sanitiser's own output, so its form is known: well formed, attribute
values quoted, no comments, no raw-text elements. Its text, as a browser reads it, is the
revision's text, which is what offsets count. Marks are added around runs of text only, never
across a tag, so the result is as well formed as what came in.

``static/js/marks.js`` does the same to the live document, and keeps to the same rules.
"""

from __future__ import annotations

import html as entities
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

TOKEN = re.compile(
    r"""(?P<tag></?(?P<name>[a-zA-Z][^\s/>]*)(?:[^"'>]|"[^"]*"|'[^']*')*>)|(?P<text>[^<]+|<)"""
)
UNIT = re.compile(r"&(?:#\d+|#[xX][0-9a-fA-F]+|[a-zA-Z][a-zA-Z0-9]*);|.", re.DOTALL)

BLOCKS = frozenset(
    "address article aside blockquote caption col colgroup dd details div dl dt figcaption figure"
    " footer h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table tbody td tfoot"
    " th thead tr ul".split()
)
# The span that a link into the page points to. Footnotes count from 1.
ARRIVAL = 0


@dataclass(frozen=True, slots=True)
class MarkedSpan:
    """Half-open range of code points, and the footnote that it carries."""

    start: int
    end: int
    number: int


def mark_spans(html: str, spans: Iterable[MarkedSpan]) -> str:
    """Return ``html`` with every span wrapped in ``<mark class="cite" data-n="1 2">`` pieces.

    The first piece of footnote *n* carries ``id="cite-n"`` (``cite`` for the
    arrival), the last ``data-ends="n"``. Where spans overlap, the shared words
    are one piece that names them all. White space between blocks stays bare: a mark there would be
    moved out of its table by the browser's parser.
    """
    wanted = sorted(
        (span for span in spans if 0 <= span.start < span.end),
        key=lambda span: (span.start, span.end, span.number),
    )
    if not wanted:
        return html
    marker = _Marker(wanted)
    tokens = list(TOKEN.finditer(html))
    out: list[str] = []
    for at, token in enumerate(tokens):
        if token["tag"]:
            out.append(token["tag"])
            continue
        before = tokens[at - 1] if at else None
        after = tokens[at + 1] if at + 1 < len(tokens) else None
        out.extend(marker.text(token["text"], before=before, after=after))
    return "".join(out)


class _Marker:
    """Walks the text of one page from its first code point to its last."""

    def __init__(self, spans: Sequence[MarkedSpan]) -> None:
        self.spans = spans
        self.position = 0
        self.placed: set[int] = set()

    def text(
        self, raw: str, *, before: re.Match[str] | None, after: re.Match[str] | None
    ) -> Iterator[str]:
        if before is not None and raw[0] == "\n" and _opens(before, "pre"):
            # A parser drops the line break that follows <pre>, so nobody sees or counts it.
            yield "\n"
            raw = raw[1:]
        start = self.position
        self.position = end = start + len(entities.unescape(raw))
        hit = [span for span in self.spans if span.start < end and span.end > start]
        if not hit or _between_blocks(raw, before, after):
            yield raw
            return
        cuts = {start, end}
        for span in hit:
            cuts.update(cut for cut in (span.start, span.end) if start < cut < end)
        edges = sorted(cuts)
        for piece, left, right in zip(_pieces(raw, start, edges), edges, edges[1:], strict=False):
            here = [span for span in hit if span.start <= left < span.end]
            yield self._wrap(piece, here, right) if here else piece

    def _wrap(self, piece: str, spans: list[MarkedSpan], right: int) -> str:
        numbers = sorted({span.number for span in spans})
        new = [number for number in numbers if number not in self.placed]
        self.placed.update(new)
        # One element has one id: further footnotes that begin here get an anchor without text.
        anchors = "".join(f'<span id="{mark_id(number)}"></span>' for number in new[1:])
        name = f' id="{mark_id(new[0])}"' if new else ""
        closing = {span.number for span in spans if span.end == right} - {ARRIVAL}
        ends = f' data-ends="{_listed(closing)}"' if closing else ""
        return f'{anchors}<mark class="cite"{name} data-n="{_listed(numbers)}"{ends}>{piece}</mark>'


def mark_id(number: int) -> str:
    """Where a link to a footnote's words leads."""
    return "cite" if number == ARRIVAL else f"cite-{number}"


def _listed(numbers: Iterable[int]) -> str:
    return " ".join(str(number) for number in sorted(numbers))


def _pieces(raw: str, start: int, edges: Sequence[int]) -> Iterator[str]:
    """Cut ``raw`` at ``edges`` (page offsets). A character reference is never cut."""
    position, piece, upcoming = start, [], 1
    for unit in UNIT.findall(raw):
        piece.append(unit)
        position += len(entities.unescape(unit))
        if position >= edges[upcoming]:
            yield "".join(piece)
            piece = []
            while upcoming < len(edges) - 1 and edges[upcoming] <= position:
                upcoming += 1
    if piece:
        yield "".join(piece)


def _between_blocks(raw: str, before: re.Match[str] | None, after: re.Match[str] | None) -> bool:
    return not raw.strip() and (_is_block_edge(before) or _is_block_edge(after))


def _is_block_edge(token: re.Match[str] | None) -> bool:
    """Whether this neighbour, a tag or the page's own end, is a block's."""
    return token is None or (token["name"] or "").lower() in BLOCKS


def _opens(token: re.Match[str], name: str) -> bool:
    return (token["name"] or "").lower() == name and not token.group().startswith("</")
