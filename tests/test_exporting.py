"""The history as CSV, XLSX and JSON: everything once, as text, and no more than a screen would show."""

from __future__ import annotations

import csv
import io
import json
import re
import xml.etree.ElementTree as ET
import zipfile
from typing import Any
from unittest.mock import patch

import pytest
from django.test import Client
from rest_framework.test import APIClient

from kb import exporting, feedback
from kb.exporting import COLUMNS, as_text, csv_pieces, json_pieces, xlsx_pieces
from kb.models import QaQuestion
from memory import audit, tenancy
from memory.models import AuditEntry, Membership
from memory.people import keys
from tests.asks import ask_page, models, reply
from tests.asks import past_question as record
from tests.factories import Org, edit_page, make_org, make_page

CAP = "Overtime shall not exceed 12 hours per week."
FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1+1", "\r=1+1", 'a,"b"\nc', "-5 degrees?"]
EXPORT = "/v1/kb/qa/export"


def client_of(member: Membership, **key: Any) -> APIClient:
    with tenancy.scope(member.tenant_id):
        token = keys.create_key(member, **key)
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
    return client


def content(response: Any) -> bytes:
    assert response.status_code == 200, response.content
    return b"".join(response.streaming_content)


def as_csv(raw: bytes) -> list[dict[str, str]]:
    assert raw.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(io.StringIO(raw.decode("utf-8-sig"), newline="")))


def as_sheet(raw: bytes) -> tuple[list[list[str]], str]:
    """The cells of the first sheet as a spreadsheet reads them, and its XML."""
    space = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
    with zipfile.ZipFile(io.BytesIO(raw)) as book:
        sheet = book.read("xl/worksheets/sheet1.xml").decode()
    root = ET.fromstring(sheet)
    rows = [
        ["".join(text.text or "" for text in cell.iter(f"{space}t")) for cell in row]
        for row in root.iter(f"{space}row")
    ]

    def unescape(cell: str) -> str:
        return re.sub("_x([0-9A-F]{4})_", lambda found: chr(int(found[1], 16)), cell)

    return [[unescape(cell) for cell in row] for row in rows], sheet


def line(first: str) -> list[str]:
    return [first] + [""] * (len(COLUMNS) - 1)


@pytest.mark.parametrize("cell", FORMULAS)
def test_fc_70_cell_opens_as_text_in_csv_and_its_content_is_kept(cell: str) -> None:
    raw = b"".join(csv_pieces([line(cell)]))
    heading, *rows = csv.reader(io.StringIO(raw.decode("utf-8-sig"), newline=""))
    assert heading == list(COLUMNS)
    [[shown, *_]] = rows
    assert shown.removeprefix("'") == cell
    assert shown[0] not in "=+-@\t\r"


@pytest.mark.parametrize(
    "cell", [*FORMULAS, "_x0041_", "tab\tin the middle", "\U0001f600", "a\x07b"]
)
def test_fc_70_cell_opens_as_text_in_xlsx_and_its_content_is_kept(cell: str) -> None:
    rows, sheet = as_sheet(b"".join(xlsx_pieces([line(cell)])))
    assert rows[0] == list(COLUMNS)
    assert len(rows) == 2
    assert rows[1][0] == cell
    assert "<f>" not in sheet
    assert "<v>" not in sheet  # no number, no formula's result: text alone


@pytest.mark.parametrize("cell", FORMULAS)
def test_fc_70_json_is_exact(cell: str) -> None:
    raw = b"".join(json_pieces([{"question_text": cell}]))
    assert json.loads(raw) == [{"question_text": cell}]


@pytest.mark.parametrize("cell", ["  =1+1", "\u00a0@x", "＝1+1", "\n=1"])
def test_formula_behind_white_space_or_in_full_width_is_text_too(cell: str) -> None:
    assert as_text(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", ["", "What is 1+1?", "a=b", "'quoted'", "Überstunden?", "1e5"])
def test_ordinary_cell_is_left_as_it_is(cell: str) -> None:
    assert as_text(cell) == cell


def test_nothing_to_export_is_still_a_file() -> None:
    assert b"".join(json_pieces([])) == b"[]\n"
    assert as_csv(b"".join(csv_pieces([]))) == []
    assert as_sheet(b"".join(xlsx_pieces([])))[0] == [list(COLUMNS)]


def test_cell_longer_than_a_spreadsheet_allows_is_cut_between_characters() -> None:
    rows, _ = as_sheet(b"".join(xlsx_pieces([line("\U0001f600" * 20_000)])))
    assert rows[1][0] == "\U0001f600" * 16_383


@pytest.fixture
def org(db: None) -> Org:
    return make_org()


@pytest.mark.parametrize("question", ["=1+1", "+1", "-1", "@SUM(A1)", 'a,"b"\nc', "-5 degrees?"])
def test_fc_70_asked_question_is_exported_in_every_format(org: Org, question: str) -> None:
    record(org.reader, make_page(org, CAP, title="=Decree"), question)
    client = client_of(org.reader)
    [row] = as_csv(content(client.get(EXPORT)))
    assert row["question"].removeprefix("'") == question
    assert row["question"][0] not in "=+-@"
    assert row["page"] == "'=Decree"
    rows, _ = as_sheet(content(client.get(EXPORT, {"format": "xlsx"})))
    assert rows[1][COLUMNS.index("question")] == question
    [only] = json.loads(content(client.get(EXPORT, {"format": "json"})))
    assert only["question_text"] == question


def test_export_is_the_history_and_tells_what_people_thought(org: Org) -> None:
    doc = make_page(org, CAP, title="Decree")
    with models(lambda p: reply(p, CAP, CAP)):
        question_id = ask_page(org.reader, doc, "How much?").question_id
    with tenancy.scope(org.tenant.pk):
        feedback.give(org.reader, question_id, "up")
        feedback.give(org.admin, question_id, "down", "It is 10.")
    admin = client_of(org.admin)
    [row] = as_csv(content(admin.get(EXPORT)))
    assert row["answer"] == f"{CAP} [1]"
    assert row["footnotes"] == f"[1] “{CAP}” Decree, revision 1, 0-{len(CAP)} (current)"
    assert (row["asked_by"], row["page"]) == (org.reader.user.username, "Decree")
    assert sorted(row["votes"].split(", ")) == [
        f"{org.admin.user.username}: down",
        f"{org.reader.user.username}: up",
    ]
    assert row["comments"] == f"{org.admin.user.username}: It is 10."
    [own] = as_csv(content(client_of(org.reader).get(EXPORT)))
    assert (own["votes"], own["comments"]) == (f"{org.reader.user.username}: up", "")
    exported = json.loads(content(admin.get(EXPORT, {"format": "json"})))
    assert exported == admin.get("/v1/kb/qa/history").json()["results"]


def test_fc_34_export_hides_what_the_screen_hides(org: Org) -> None:
    words = "The bonus pool is 90000 euros."
    doc = make_page(org, words, title="Bonus")
    with models(lambda p: reply(p, words, words)):
        ask_page(org.reader, doc, "How big is it?")
    edit_page(org, doc, visibility="role_restricted", allowed_groups=["hr"])
    client = client_of(org.reader)
    for file_format in ("csv", "json"):
        raw = content(client.get(EXPORT, {"format": file_format})).decode()
        assert "90000 euros" not in raw
        assert "Bonus" not in raw
    rows, _ = as_sheet(content(client.get(EXPORT, {"format": "xlsx"})))
    assert "90000" not in str(rows)


def test_everybody_exports_their_own_and_admins_everything(org: Org) -> None:
    doc = make_page(org, CAP)
    record(org.reader, doc, "Mine?")
    record(org.editor, doc, "Theirs?")
    other = make_org()

    def questions(member: Membership, **query: str) -> list[str]:
        return [row["question"] for row in as_csv(content(client_of(member).get(EXPORT, query)))]

    assert questions(org.reader) == ["Mine?"]
    assert questions(org.admin) == ["Theirs?", "Mine?"]
    assert questions(org.admin, user=org.editor.user.username) == ["Theirs?"]
    assert questions(org.admin, q="mine") == ["Mine?"]
    assert questions(other.admin) == []
    assert APIClient().get(EXPORT).status_code == 401
    assert client_of(org.reader, scopes=("kb:ask",)).get(EXPORT).status_code == 403


def test_every_question_is_exported_once_across_batches(org: Org) -> None:
    doc = make_page(org, CAP)
    first = record(org.reader, doc, "Question 0?")
    for number in range(1, 7):  # all at the same moment, in more than one batch
        record(org.reader, doc, f"Question {number}?", created_at=first.created_at)
    with patch.object(exporting, "BATCH", 2):
        rows = json.loads(content(client_of(org.reader).get(EXPORT, {"format": "json"})))
    assert sorted(row["question_text"] for row in rows) == [f"Question {n}?" for n in range(7)]


def test_export_holds_no_more_than_a_batch_and_no_scope_between_pieces(org: Org) -> None:
    doc = make_page(org, CAP)
    for number in range(4):
        record(org.reader, doc, f"Question {number}?")
    with patch.object(exporting, "BATCH", 2):
        response = client_of(org.reader).get(EXPORT, {"format": "json"})
        assert response.streaming
        with patch.object(exporting.history, "present", wraps=exporting.history.present) as shown:
            pieces = iter(response.streaming_content)
            next(pieces)
            assert shown.call_count == 1
            assert tenancy.current() is None
            assert len(list(pieces)) == 4
            assert shown.call_count == 3  # the last one finds nothing more


def test_export_is_audited_without_what_was_searched_for(org: Org) -> None:
    record(org.reader, make_page(org, CAP), "The merger?")
    content(client_of(org.admin).get(EXPORT, {"q": "merger", "format": "json"}))
    with tenancy.scope(org.tenant.pk):
        entry = AuditEntry.objects.get(kind="kb.history_exported")
        assert list(audit.verify_chain())[-1] == entry
    assert entry.body == {
        "actor": str(org.admin.user_id),
        "format": "json",
        "filters": ["query"],
    }


def test_workbook_that_cannot_hold_the_rows_is_refused(org: Org) -> None:
    record(org.reader, make_page(org, CAP), "One?")
    with patch.object(exporting, "MAX_XLSX_ROWS", 0):
        refused = client_of(org.reader).get(EXPORT, {"format": "xlsx"})
        assert refused.status_code == 400
        assert "take CSV" in refused.json()["detail"]
        assert client_of(org.reader).get(EXPORT).status_code == 200


@pytest.mark.parametrize("query", ["format=pdf", "page=2", "colour=red", "format=csv&format=json"])
def test_export_that_is_not_understood_is_400(org: Org, query: str) -> None:
    assert client_of(org.reader).get(f"{EXPORT}?{query}").status_code == 400
    client = Client()
    client.force_login(org.reader.user)
    assert client.get(f"/{org.tenant.slug}/questions/export?{query}").status_code == 400


@pytest.mark.parametrize(
    ("file_format", "media_type"),
    [
        ("csv", "text/csv; charset=utf-8"),
        ("json", "application/json"),
        ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ],
)
def test_people_download_it_from_the_page_of_questions(
    org: Org, file_format: str, media_type: str
) -> None:
    record(org.reader, make_page(org, CAP), "Mine?")
    client = Client()
    client.force_login(org.reader.user)
    address = f"/{org.tenant.slug}/questions/export?format={file_format}"
    response = client.get(address)
    assert response["Content-Type"] == media_type
    assert response["Content-Disposition"].startswith('attachment; filename="footnote-questions-')
    assert response["Content-Disposition"].endswith(f'.{file_format}"')
    assert response["Cache-Control"] == "private, no-store"
    assert len(content(response)) > 100
    assert address in client.get(f"/{org.tenant.slug}/questions").content.decode()
    assert Client().get(address).status_code == 302
    stranger = Client()
    stranger.force_login(make_org().admin.user)
    assert stranger.get(address).status_code == 404


def test_history_rows_are_left_as_they_were(org: Org) -> None:
    record(org.reader, make_page(org, CAP), "=1+1")
    content(client_of(org.reader).get(EXPORT))
    with tenancy.scope(org.tenant.pk):
        assert QaQuestion.objects.get().question_text == "=1+1"
