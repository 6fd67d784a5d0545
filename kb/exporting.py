"""The history as a file: what a member may see of it today, newest first, a batch at a time.

    csv, json   streamed: no more than one batch is held
    xlsx        written to a file on disk, row by row, then sent

Every batch is read in a short scope of its own, so that a slow reader holds no transaction. What is
shown of a question is decided by ``kb.history``, as on a screen.
"""

from __future__ import annotations

import csv
import io
import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

import xlsxwriter
from django.db.models import Q
from django.utils import timezone

from kb import audit_kinds, feedback, history
from kb.errors import ExportTooLong
from kb.history import HistoryFilter
from kb.models import AskedQuestion
from memory import audit, tenancy
from memory.models import Membership

BATCH = 200
MAX_XLSX_ROWS = 1_000_000  # a sheet ends at 1,048,576
_MAX_XLSX_CELL = 32_767  # UTF-16 units
_PIECE = 64 * 1024

COLUMNS = (
    "created_at",
    "asked_by",
    "page",
    "question",
    "outcome",
    "reason",
    "answer",
    "confidence",
    "footnotes",
    "missing",
    "votes",
    "comments",
    "question_id",
    "trace_id",
    "model",
)

# What makes a spreadsheet take a cell for a formula, in half and full width. White space before it
# does not help, and neither does a quotation mark around the cell.
_FORMULA_STARTS = tuple("=+-@＝＋－＠")
_FIRST_OF_ALL = ("\t", "\r", "\n")


class ExportFormat(StrEnum):
    CSV = "csv"
    XLSX = "xlsx"
    JSON = "json"


MEDIA_TYPES = {
    ExportFormat.CSV: "text/csv; charset=utf-8",
    ExportFormat.XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ExportFormat.JSON: "application/json",
}


@dataclass(frozen=True, slots=True)
class Export:
    """``content`` is read once, outside of any scope; it opens its own."""

    filename: str
    media_type: str
    content: Iterator[bytes]


def export(member: Membership, wanted: HistoryFilter, file_format: ExportFormat) -> Export:
    """Prepare a file and write down that it was taken. Call it outside of any scope.

    Raises ``ExportTooLong`` where a workbook cannot hold the rows.
    """
    with tenancy.scope(member.tenant_id):
        is_bounded = file_format is ExportFormat.XLSX
        if is_bounded and history.questions_for(member, wanted).count() > MAX_XLSX_ROWS:
            raise ExportTooLong(MAX_XLSX_ROWS)
        audit.append(
            audit_kinds.HISTORY_EXPORTED,
            {
                "actor": member.user_id,
                "format": file_format.value,
                # Names alone: what was searched for may be the text of a question.
                "filters": sorted(name for name, value in asdict(wanted).items() if value),
            },
        )
    rows = _rows(member, wanted)
    match file_format:
        case ExportFormat.CSV:
            content = csv_pieces(map(_cells, rows))
        case ExportFormat.JSON:
            content = json_pieces(row for row, _ in rows)
        case ExportFormat.XLSX:
            content = xlsx_pieces(map(_cells, rows))
    return Export(
        filename=f"footnote-questions-{timezone.now():%Y-%m-%d}.{file_format}",
        media_type=MEDIA_TYPES[file_format],
        content=content,
    )


_Row = tuple[Mapping[str, Any], Sequence[Any]]  # a record of the history, and the votes on it


def _rows(member: Membership, wanted: HistoryFilter) -> Iterator[_Row]:
    """Questions that were there when the export began, each once, whatever is asked meanwhile."""
    place = Q(created_at__lte=timezone.now())
    while True:
        with tenancy.scope(member.tenant_id):
            batch: list[AskedQuestion] = list(
                history.questions_for(member, wanted).filter(place)[:BATCH]
            )
            shown = history.present(member, batch)
            votes = feedback.votes_on([question.question_id for question in batch])
        by_id = {str(question_id): given for question_id, given in votes.items()}
        for row in shown:
            given = by_id.get(row["question_id"], [])
            own = member.user.username
            yield row, given if member.is_admin else [v for v in given if v.user.username == own]
        if len(batch) < BATCH:
            return
        last = batch[-1]
        place = Q(created_at__lt=last.created_at) | Q(
            created_at=last.created_at, question_id__gt=last.question_id
        )


def _cells(row: _Row) -> list[str]:
    """A record as one line of a table, in the order of ``COLUMNS``."""
    record, votes = row
    score = record["confidence_score"]
    return [
        record["created_at"],
        record["asked_by"],
        record["doc_title"] or "",
        record["question_text"],
        record["answer_kind"],
        record["reason"] or "",
        record["answer_text"],
        "" if score is None else f"{score:.2f}",
        "\n".join(_footnote(citation) for citation in record["citations"]),
        ", ".join(record["missing"]),
        ", ".join(f"{vote.user.username}: {vote.vote}" for vote in votes),
        "\n".join(f"{vote.user.username}: {vote.comment}" for vote in votes if vote.comment),
        record["question_id"],
        record["trace_id"],
        record["model"],
    ]


def _footnote(citation: Mapping[str, Any]) -> str:
    if "quote" not in citation:
        return f"[{citation['n']}] ({citation['state']})"
    where = " › ".join((citation["doc_title"], *citation["heading_path"]))
    return (
        f"[{citation['n']}] “{citation['quote']}” {where}, revision {citation['revision']},"
        f" {citation['char_start']}-{citation['char_end']} ({citation['state']})"
    )


def as_text(cell: str) -> str:
    """A cell that a spreadsheet opens as text: an apostrophe before what it would calculate."""
    if cell.startswith(_FIRST_OF_ALL) or cell.lstrip().startswith(_FORMULA_STARTS):
        return f"'{cell}"
    return cell


def csv_pieces(rows: Iterable[Sequence[str]]) -> Iterator[bytes]:
    """UTF-8 with the mark that Excel wants, every cell quoted, so that line breaks stay inside."""
    buffer = io.StringIO()
    buffer.write("\ufeff")
    writer = csv.writer(buffer, quoting=csv.QUOTE_ALL)
    writer.writerow(COLUMNS)
    for row in rows:
        writer.writerow([as_text(cell) for cell in row])
        if buffer.tell() > _PIECE:
            yield buffer.getvalue().encode()
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue().encode()


def json_pieces(records: Iterable[Mapping[str, Any]]) -> Iterator[bytes]:
    """A list of the history's records, one a line, each text as it is stored."""
    opening = b"["
    for record in records:
        yield opening + b"\n" + json.dumps(record, ensure_ascii=False).encode()
        opening = b","
    yield b"[]\n" if opening == b"[" else b"\n]\n"


def xlsx_pieces(rows: Iterable[Sequence[str]]) -> Iterator[bytes]:
    """A workbook of text cells. Written when it is first read, to a file that is gone afterwards."""
    with tempfile.TemporaryFile() as file:
        with xlsxwriter.Workbook(file, {"constant_memory": True}) as workbook:
            text = workbook.add_format({"num_format": "@", "text_wrap": True, "valign": "top"})
            heading = workbook.add_format({"num_format": "@", "bold": True})
            sheet = workbook.add_worksheet("Questions")
            sheet.freeze_panes(1, 0)
            sheet.set_column(0, len(COLUMNS) - 1, 24)
            for column, name in enumerate(COLUMNS):
                sheet.write_string(0, column, name, heading)
            for number, row in enumerate(rows, start=1):
                for column, cell in enumerate(row):
                    sheet.write_string(number, column, _cut(cell), text)
        file.seek(0)
        yield from iter(lambda: file.read(_PIECE), b"")


def _cut(cell: str) -> str:
    if len(cell) <= _MAX_XLSX_CELL // 2:
        return cell
    return cell.encode("utf-16-le")[: 2 * _MAX_XLSX_CELL].decode("utf-16-le", "ignore")
