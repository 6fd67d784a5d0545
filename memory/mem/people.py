"""What ``mem`` prints for people: how lines are made, and what came of each action but ``query``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

import regex

from memory.bank_statistics import BankStatistics, BankSummary
from memory.corpora import Loaded
from memory.integrity import Verified
from memory.levels import FactType, Level
from memory.models import Access, Corpus
from memory.retain.items import Retained

# A memory's text may hold what a terminal would obey.
_CONTROLS = regex.compile(r"[\p{Cc}--[\n\t]]", regex.V1)
_ACCESS_NAMES = {Access.PRIVATE: "private", Access.TENANT: "shared"}


def plain(text: str) -> str:
    """One line that a terminal only prints."""
    return harmless(text.replace("\n", " "))


def harmless(text: str) -> str:
    """Lines that a terminal only prints."""
    return _CONTROLS.sub("\ufffd", text)


def counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def table(rows: Sequence[Sequence[object]], header: Sequence[str] = ()) -> Iterator[str]:
    """Columns as wide as they need, numbers to the right."""
    shown = [header, *rows] if header else rows
    cells = [[plain(str(cell)) for cell in row] for row in shown]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    columns = range(len(widths))
    numbers = {at for at in columns if all(isinstance(row[at], int) for row in rows)}
    for row in cells:
        yield "  ".join(
            row[at].rjust(widths[at]) if at in numbers else row[at].ljust(widths[at])
            for at in columns
        ).rstrip()


def retained(found: Retained, *, project: str) -> Iterator[str]:
    for document in found.documents:
        yield (
            f"{plain(document.name)} {document.change} in {plain(project)}:"
            f" {counted(len(document.passage_ids), 'passage')},"
            f" {counted(len(document.fact_ids), 'fact')}"
        )


def banks(found: Sequence[BankSummary]) -> Iterator[str]:
    header = ("project", "access", "memories", "passages", "references", "last write")
    yield from table(
        [
            (
                bank.name,
                _ACCESS_NAMES[Access(bank.access)],
                bank.memories,
                bank.passages,
                bank.references,
                _minute(bank.written_at),
            )
            for bank in found
        ],
        header,
    )


def same_names(found: Sequence[BankSummary]) -> list[str]:
    """What to know of projects that share a name."""
    names = [bank.name for bank in found]
    return [
        f"two projects are named {name}: your private one is opened, with --shared the other"
        for name in sorted({name for name in names if names.count(name) > 1})
    ]


def corpora(found: Sequence[Corpus]) -> Iterator[str]:
    yield from table(
        [
            (
                corpus.name,
                corpus.documents,
                corpus.sections,
                _minute(corpus.updated_at),
                corpus.path,
            )
            for corpus in found
        ],
        ("corpus", "pages", "sections", "loaded", "from"),
    )


def loaded(found: Loaded) -> Iterator[str]:
    corpus = found.corpus
    yield (
        f"{plain(corpus.name)}: {counted(corpus.documents, 'page')},"
        f" {counted(corpus.sections, 'section')};"
        f" {found.added:,} added, {found.kept:,} kept, {found.removed:,} removed"
    )
    if found.problems:
        yield f"left out: {counted(len(found.problems), 'file')}"


def removed(name: str, sections: int) -> str:
    return f"{plain(name)} is gone with {counted(sections, 'section')}"


def verified(results: Sequence[Verified]) -> Iterator[str]:
    for result in results:
        state = counted(result.found, "fault") if result.found else "sound"
        yield f"{result.check}: {state}, {counted(result.rows, 'row')}"
        yield from (f"   {plain(str(fault))}" for fault in result.faults)
        if result.found > len(result.faults):
            yield f"   and {result.found - len(result.faults)} more"


def statistics(found: BankStatistics) -> list[tuple[str, object]]:
    """Rows of a table. ``memories`` counts as ``banks`` does: facts and observations."""
    level = {each: found.nodes_by_level.get(each, 0) for each in Level}
    kinds = {kind: n for kind, n in found.facts_by_type.items() if kind != FactType.OBSERVATION}
    return [
        ("memories", level[Level.L1] + level[Level.L2]),
        ("  facts (L1)", level[Level.L1]),
        *((f"    {kind}", number) for kind, number in kinds.items()),
        ("  observations (L2)", level[Level.L2]),
        ("  superseded", found.superseded),
        ("passages (L0)", level[Level.L0]),
        ("documents", found.documents),
        ("references (R)", level[Level.R]),
        *((f"  {name}", number) for name, number in found.corpora.items()),
        ("entities", found.entities),
        ("edges", sum(found.edges_by_type.values())),
        *((f"  {kind}", number) for kind, number in found.edges_by_type.items()),
        ("vectors missing", found.vectors_missing),
        *((f"operations {state}", number) for state, number in found.operations_by_status.items()),
        ("consolidated", _minute(found.consolidated_at) if found.consolidated_at else "never"),
    ]


def _minute(at: datetime) -> str:
    return at.strftime("%Y-%m-%d %H:%M")


def plain_lines(text: str) -> str:
    return "\n".join(map(plain, text.split("\n")))
