"""What ``mem`` prints for people.

A memory shows what it rests on, a reference where it comes from, so that nobody has to guess from
the wording which of them said it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from uuid import UUID

import regex

from memory.bank_statistics import BankStatistics
from memory.corpora import Loaded
from memory.hits import Ancestor, Hit, Recalled
from memory.integrity import Verified
from memory.levels import Level
from memory.retain.items import Retained

SHORT_SHA = 12
_MOST_OF_PARENT = 200  # code points of a parent's text
# A memory's text may hold what a terminal would obey.
_CONTROLS = regex.compile(r"[\p{Cc}--[\n\t]]", regex.V1)


def hits(recalled: Recalled) -> Iterator[str]:
    """Lines, a block for each hit."""
    for hit in recalled.hits:
        yield f"{hit.rank:<3}{hit.level:<3} {hit.sha[:SHORT_SHA]}  {hit.scores.final:.2f}"
        yield from _quoted(hit.text)
        yield f"   scores  {_scores(hit)}"
        if hit.level is Level.R:
            yield from _source(hit)
        else:
            yield from _provenance(hit, (recalled.provenance or {}).get(hit.id, ()))
        yield ""


def _source(hit: Hit) -> Iterator[str]:
    yield f"   source  {plain(hit.source_uri)}"
    yield f"   under   {plain(' › '.join(hit.heading_path))}"


def _provenance(hit: Hit, ancestors: Sequence[Ancestor]) -> Iterator[str]:
    if not ancestors:
        place = _place(hit.document_name, hit.char_start, hit.char_end)
        yield f"   from    {place}" if place else "   from    nothing that is kept"
        return
    yield from _parents(hit.id, ancestors, "   from    ")


def _parents(
    of: UUID, ancestors: Sequence[Ancestor], lead: str, *, depth: int = 1
) -> Iterator[str]:
    indent = " " * len(lead)
    for parent in ancestors:
        if parent.via != of or parent.depth != depth:
            continue
        place = _place(parent.document_name, parent.char_start, parent.char_end)
        yield f"{lead}{parent.level} {parent.sha[:SHORT_SHA]}  {place}".rstrip()
        yield f"{indent}   “{_cut(parent.text)}”"
        yield from _parents(parent.id, ancestors, indent + "   ", depth=depth + 1)
        lead = indent


def _place(document: str | None, start: int, end: int) -> str:
    if document is None:
        return ""
    return f"{plain(document)}, characters {start}-{end}" if end else plain(document)


def _scores(hit: Hit) -> str:
    named = {
        "reranker": hit.scores.reranker,
        "semantic": hit.scores.semantic,
        "keyword": hit.scores.keyword,
    }
    return " · ".join(
        f"{name} {value:.4f}" if value is not None else f"{name} –" for name, value in named.items()
    )


def _cut(text: str) -> str:
    line = plain(" ".join(text.split()))
    return line if len(line) <= _MOST_OF_PARENT else f"{line[: _MOST_OF_PARENT - 1]}…"


def _quoted(text: str) -> Iterator[str]:
    """Behind a bar, so that no text can pass for the lines that are ours."""
    for line in _CONTROLS.sub("\ufffd", text).split("\n"):
        yield f"   │ {line}".rstrip()


def plain(text: str) -> str:
    """One line that a terminal only prints."""
    return _CONTROLS.sub("\ufffd", text.replace("\n", " "))


def removed(name: str, sections: int) -> str:
    return f"{plain(name)} is gone with {_counted(sections, 'section')}"


def plain_lines(text: str) -> str:
    return "\n".join(map(plain, text.split("\n")))


def retained(found: Retained, *, project: str) -> Iterator[str]:
    for document in found.documents:
        yield (
            f"{plain(document.name)} {document.change} in {plain(project)}:"
            f" {_counted(len(document.passage_ids), 'passage')},"
            f" {_counted(len(document.fact_ids), 'fact')}"
        )


def loaded(found: Loaded) -> Iterator[str]:
    corpus = found.corpus
    yield (
        f"{plain(corpus.name)}: {_counted(corpus.documents, 'page')},"
        f" {_counted(corpus.sections, 'section')};"
        f" {found.added:,} added, {found.kept:,} kept, {found.removed:,} removed"
    )
    if found.problems:
        yield f"left out: {_counted(len(found.problems), 'file')}"


def verified(results: Sequence[Verified]) -> Iterator[str]:
    for result in results:
        state = _counted(result.found, "fault") if result.found else "sound"
        yield f"{result.check}: {state}, {_counted(result.rows, 'row')}"
        yield from (f"   {plain(str(fault))}" for fault in result.faults)
        if result.found > len(result.faults):
            yield f"   and {result.found - len(result.faults)} more"


def statistics(found: BankStatistics) -> list[tuple[str, object]]:
    at = found.consolidated_at
    return [
        ("memories", found.nodes),
        *((f"  {level}", number) for level, number in found.nodes_by_level.items()),
        *((f"  {kind}", number) for kind, number in found.facts_by_type.items()),
        ("  superseded", found.superseded),
        ("edges", sum(found.edges_by_type.values())),
        *((f"  {kind}", number) for kind, number in found.edges_by_type.items()),
        ("entities", found.entities),
        ("documents", found.documents),
        ("corpora", len(found.corpora)),
        *((f"  {name}, sections", number) for name, number in found.corpora.items()),
        ("vectors missing", found.vectors_missing),
        *((f"operations {state}", number) for state, number in found.operations_by_status.items()),
        ("consolidated", at.isoformat(timespec="seconds") if at else "never"),
    ]


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def trace(recalled: Recalled) -> str:
    return plain(json.dumps(recalled.trace, ensure_ascii=False, default=str))


def table(rows: Sequence[Sequence[object]]) -> Iterator[str]:
    """Columns as wide as they need, numbers to the right."""
    cells = [[plain(str(cell)) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row, shown in zip(rows, cells, strict=True):
        yield "  ".join(
            text.rjust(width) if isinstance(cell, int) else text.ljust(width)
            for cell, text, width in zip(row, shown, widths, strict=True)
        ).rstrip()
