"""A query's hits for people.

A memory shows who said it, when, and what it rests on, a reference where it comes from, so that
nobody has to guess from the wording which of them said it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, time
from typing import Final, Protocol
from uuid import UUID

from memory.attribution import said
from memory.hits import Ancestor, Hit, Recalled
from memory.levels import Level
from memory.mem.people import harmless, plain
from memory.mem.terminal import Terminal

SHORT_SHA: Final = 12
_MOST_OF_PARENT: Final = 200  # code points of a parent's text
_AROUND: Final = 80  # code points of a passage that are shown on each side of what came from it
_LAST_MOMENT: Final = time(23, 59, 59)
_BAR: Final = "   │ "
_NONE: Final = Terminal()


class _Child(Protocol):
    @property
    def text(self) -> str: ...
    @property
    def char_start(self) -> int: ...
    @property
    def char_end(self) -> int: ...
    @property
    def document_id(self) -> UUID | None: ...


def hits(
    recalled: Recalled, *, with_final: bool = False, terminal: Terminal = _NONE
) -> Iterator[str]:
    """Lines, a block for each hit. ``with_final``: also the score that the order goes by."""
    for hit in recalled.hits:
        yield terminal.strong(
            f"{hit.rank:<3}{hit.level:<3} {hit.sha[:SHORT_SHA]}  {_relevance(hit)}"
        )
        yield from _quoted(said(hit.speaker, hit.text), terminal)
        yield from map(terminal.faint, _about(hit, recalled, with_final=with_final))
        yield ""


def _about(hit: Hit, recalled: Recalled, *, with_final: bool) -> Iterator[str]:
    if dates := " · ".join(_dates(hit)):
        yield f"   dates   {dates}"
    yield f"   scores  {_scores(hit, with_final=with_final)}"
    if hit.level is Level.R:
        yield from _source(hit)
    else:
        yield from _provenance(hit, (recalled.provenance or {}).get(hit.id, ()))


def _relevance(hit: Hit) -> str:
    """The score that the floor is compared with."""
    score = hit.scores.reranker
    return "relevance –" if score is None else f"relevance {score:.2f}"


def _quoted(text: str, terminal: Terminal) -> Iterator[str]:
    """Behind a bar, so that no text can pass for the lines that are ours."""
    for line in harmless(text).split("\n"):
        for part in terminal.wrapped(line, lead=len(_BAR)):
            yield f"{_BAR}{part}".rstrip()


def _dates(hit: Hit) -> Iterator[str]:
    if hit.occurred_start:
        yield f"happened {_period(hit.occurred_start, hit.occurred_end or hit.occurred_start)}"
    if hit.mentioned_at:
        yield f"said {_moment(hit.mentioned_at)}"
    if hit.superseded_at:
        yield f"held until {_moment(hit.superseded_at)}"


def _period(start: datetime, end: datetime) -> str:
    """Whole days without their hours."""
    if start.time() == time.min and end.time().replace(microsecond=0) in (time.min, _LAST_MOMENT):
        first, last = start.date().isoformat(), end.date().isoformat()
    else:
        first, last = _moment(start), _moment(end)
    return first if first == last else f"{first} to {last}"


def _moment(at: datetime) -> str:
    return at.strftime("%Y-%m-%d" if at.time() == time.min else "%Y-%m-%d %H:%M")


def _scores(hit: Hit, *, with_final: bool) -> str:
    named: dict[str, float | None] = {
        "reranker": hit.scores.reranker,
        "semantic": hit.scores.semantic,
        "keyword": hit.scores.keyword,
    }
    if with_final:
        named = {"final": hit.scores.final, **named}
    return " · ".join(
        f"{name} {value:.4f}" if value is not None else f"{name} –" for name, value in named.items()
    )


def _source(hit: Hit) -> Iterator[str]:
    yield f"   source  {plain(hit.source_uri)}"
    yield f"   under   {plain(' › '.join(hit.heading_path))}"


# -- what it rests on -----------------------------------------------------------------------------


def _provenance(hit: Hit, ancestors: Sequence[Ancestor]) -> Iterator[str]:
    if not ancestors:
        place = _place(hit.document_name, hit.char_start, hit.char_end)
        yield f"   from    {place}" if place else "   from    nothing that is kept"
        return
    yield from _Walk(ancestors).parents(hit.id, hit, "   from    ")


@dataclass(frozen=True, slots=True)
class _Walk:
    ancestors: Sequence[Ancestor]

    def parents(self, of: UUID, child: _Child, lead: str, *, depth: int = 1) -> Iterator[str]:
        indent = " " * len(lead)
        for parent in self.ancestors:
            if parent.via != of or parent.depth != depth:
                continue
            place = _place(parent.document_name, parent.char_start, parent.char_end)
            around = _around(child, parent) if parent.level is Level.L0 else None
            if around is not None:
                place += f", this is {child.char_start}-{child.char_end}"
            yield f"{lead}{parent.level} {parent.sha[:SHORT_SHA]}  {place}".rstrip()
            shown = around or _cut(said(parent.speaker, parent.text))
            if parent.text.strip() != child.text.strip():
                yield f"{indent}   “{shown}”" if around is None else f"{indent}   {shown}"
            yield from self.parents(parent.id, parent, indent + "   ", depth=depth + 1)
            lead = indent


def _place(document: str | None, start: int, end: int) -> str:
    if document is None:
        return ""
    return f"{plain(document)}, characters {start}-{end}" if end else plain(document)


def _around(child: _Child, passage: Ancestor) -> str | None:
    """The words of a passage around what was taken from it, which is shown already; None where its
    place is not known, or it is the whole."""
    if child.document_id is None or child.document_id != passage.document_id:
        return None
    start, end = child.char_start - passage.char_start, child.char_end - passage.char_start
    if not 0 <= start < end <= len(passage.text):
        return None
    before, after = _line(passage.text[:start]), _line(passage.text[end:])
    if not before and not after:
        return None
    if len(before) > _AROUND:
        before = f"…{before[-_AROUND:].partition(' ')[2]}"
    if len(after) > _AROUND:
        after = f"{after[:_AROUND].rpartition(' ')[0]}…"
    return f"“{' '.join(filter(None, (before, '[…]', after)))}”"


def _line(text: str) -> str:
    return plain(" ".join(text.split()))


def _cut(text: str) -> str:
    line = _line(text)
    return line if len(line) <= _MOST_OF_PARENT else f"{line[: _MOST_OF_PARENT - 1]}…"
