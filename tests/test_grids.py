"""Tables and code of a plain text: what they say, and where it stands."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory import tenancy
from memory.backends.extractors.fake import FakeExtractor
from memory.facts import grids, layout, rules
from memory.facts.records import Excerpt, Fact
from memory.language.tokens import count_tokens
from memory.levels import Level
from memory.models import Bank, BankKind, Document, Node
from memory.retain import content, engine, passages
from memory.retain.extractor_cache import CachingExtractor
from memory.retain.items import RetainItem
from memory.retain.wanted import Part
from memory.types import BlockKind
from tests.factories import make_org
from tests.recalls import recall

VALVES = """# Valves

| Valve | Line | Max pressure |
| --- | :-: | --- |
| V-096 | L6 | 11 bar |
| V-097 | L7 | **14 bar** |
"""


def excerpts(text: str) -> list[Excerpt]:
    told = content.read(text)
    part = cast(Part, SimpleNamespace(told=told, context="", said_at=None, is_dated=False))
    return [
        passages.excerpt(part, cut, document=told.text, offset=0)
        for cut in passages.cut(part, count_tokens)
    ]


def facts(text: str) -> list[Fact]:
    return [fact for excerpt in excerpts(text) for fact in rules.extract(excerpt)]


def texts(text: str) -> list[str]:
    return [fact.text for fact in facts(text)]


# -- tables ---------------------------------------------------------------------------------------


def test_fc_60_row_is_a_fact_that_names_its_columns_and_points_at_the_row() -> None:
    first, second = facts(VALVES)
    assert first.text == "Valve V-096 — Line L6 · Max pressure 11 bar"
    assert second.text == "Valve V-097 — Line L7 · Max pressure 14 bar"
    text = VALVES.strip("\n")
    assert text[second.start : second.end] == "| V-097 | L7 | **14 bar** |"
    assert [mention.name for mention in second.mentions] == ["V-097", "L7"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Name | Room\n--- | ---\nAna | 5", ["Name Ana — Room 5"]),
        ("| Name | Room |\n|---|---|\n| Ana | |\n| Ben |", ["Name Ana", "Name Ben"]),
        ("| Sign | Use |\n|--|--|\n| a\\|b | or |", ["Sign a|b — Use or"]),
        ("| Ana | Rome |\n| Ben | Porto |", ["Ana · Rome", "Ben · Porto"]),
        (
            "| City | Fee |\n| Rome | 58 |\n| Oslo | 72 |",
            ["City Rome — Fee 58", "City Oslo — Fee 72"],
        ),
        ("City\tFee\nRome\t58\nOslo\t72", ["City Rome — Fee 58", "City Oslo — Fee 72"]),
        ("Ana\tRome\nBen\tPorto", ["Ana · Rome", "Ben · Porto"]),
        (
            "<table><tr><th>Day</th><th>Opens</th></tr>\n<tr><td>Monday</td><td>7 &amp; 8</td></tr>"
            "</table>\nThe depot is closed.",
            ["Day Monday — Opens 7 & 8", "The depot is closed."],
        ),
    ],
)
def test_tables_are_read_as_they_are_written(text: str, said: list[str]) -> None:
    assert texts(text) == said


@pytest.mark.parametrize(
    "text",
    [
        "The type is `x | y` here.",
        "| one row alone |",
        "The fee | is 5.\nThe depot | opens at 7.",
        "| Name | Room |\n|---|---|",
        "<table> is a tag of HTML.",
    ],
)
def test_what_is_no_table_keeps_its_words(text: str) -> None:
    assert not [block for block in layout.blocks(text) if block.kind is BlockKind.TABLE_ROW]
    assert texts(text)


def test_sentence_that_introduces_a_table_stands_above_its_rows() -> None:
    text = "Fees in winter:\n\n| City | Fee |\n|---|---|\n| Rome | 58 |\n\nMore. Then:"
    assert [fact.lead for fact in facts(text)][1] == "Fees in winter:"


def test_fc_60_every_piece_of_a_long_table_knows_its_columns() -> None:
    rows = "\n".join(f"| V-{n:03} | L{n % 9} | {n} bar |" for n in range(120))
    text = f"# Valves\n\n| Valve | Line | Max pressure |\n|---|---|---|\n{rows}\n"
    pieces = excerpts(text)
    assert len(pieces) > 1
    for piece in pieces:
        assert piece.text.startswith(("#", "| V-"))
        assert piece.text.endswith(" bar |")
    assert [passages.lead(piece) for piece in pieces[1:]] == [
        "Valve | Line | Max pressure" for _ in pieces[1:]
    ]
    said = texts(text)
    assert len(said) == 120
    assert said[97] == "Valve V-097 — Line L7 · Max pressure 97 bar"


def test_row_that_is_too_long_for_a_passage_is_told_as_prose() -> None:
    long = "word " * 900
    said = texts(f"| Name | Story |\n|---|---|\n| Ana | {long} |")
    assert len(said) > 1
    assert not any("Story word" in text for text in said)


@given(st.text("ab1|\t\n -:<>/tabler`~#", max_size=120))
def test_blocks_of_any_text_are_in_order_and_inside_of_it(text: str) -> None:
    at = 0
    for block in layout.blocks(text):
        assert at <= block.start < block.end <= len(text)
        at = block.end
        if block.kind is BlockKind.TABLE_ROW:
            grids.told(text[block.start : block.end], text[slice(*(block.header or (0, 0)))])


# -- code and marks -------------------------------------------------------------------------------


def test_code_is_one_fact_without_its_fences_below_what_introduces_it() -> None:
    text = "Install it:\n\n```python\n# first\nimport foo\nfoo.run()\n```\n\n---\n\n~~~sh\nls\n~~~"
    introduced, code, last = facts(text)
    assert introduced.text == "Install it:"
    assert (code.text, code.lead) == ("# first\nimport foo\nfoo.run()", "Install it:")
    assert last.text == "ls"
    assert text[code.start : code.end] == code.text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "```python\nIt is open.\n\nThe depot opens at 7.",
            ["It is open.", "The depot opens at 7."],
        ),
        ("Use ```make``` here.\nThe shop is shut.", ["Use ```make``` here.", "The shop is shut."]),
        (
            "<div class='x'>\n<!-- a note -->\nThe depot opens at 7.\n</div>",
            ["The depot opens at 7."],
        ),
        ("The depot opens at 7.\n\n```\n```\n\n***\n===\n", ["The depot opens at 7."]),
    ],
)
def test_marks_alone_are_no_facts(text: str, said: list[str]) -> None:
    assert texts(text) == said


def test_long_code_is_one_fact_a_passage() -> None:
    lines = "\n".join(f"call_number_{n}(value={n})" for n in range(200))
    pieces = excerpts(f"```python\n{lines}\n```")
    assert len(pieces) > 1
    said = [[fact.text for fact in rules.extract(piece)] for piece in pieces]
    assert [len(each) for each in said] == [1] * len(pieces)
    assert "\n".join(each[0] for each in said) == lines


def test_columns_are_part_of_what_a_model_was_asked() -> None:
    rows = "\n".join(f"| row {n} | {n} litres |" for n in range(200))
    *_, one = excerpts(f"| Tank | Holds |\n|---|---|\n{rows}")
    *_, other = excerpts(f"| Tank | Lacks |\n|---|---|\n{rows}")
    asked = FakeExtractor()
    cached = CachingExtractor(asked)
    for excerpt in (one, one, other):
        cached.extract(excerpt)
    assert asked.calls == 2


# -- in a bank ------------------------------------------------------------------------------------


@pytest.fixture
def bank(db: None) -> Iterator[Bank]:
    org = make_org()
    with tenancy.scope(org.tenant.pk):
        yield Bank.objects.create(tenant=org.tenant, name="work", kind=BankKind.MEMORY)


def test_fc_60_row_is_found_by_its_column(bank: Bank) -> None:
    engine.retain(bank.pk, [RetainItem(content=VALVES, document_name="valves")])
    found = recall(bank, "maximum pressure of V-097")
    assert found.hits[0].text == "Valve V-097 — Line L7 · Max pressure 14 bar"
    text = Document.objects.get(bank=bank).text
    rows = Node.objects.filter(bank=bank, level=Level.L1)
    assert sorted(text[row.char_start : row.char_end] for row in rows) == [
        "| V-096 | L6 | 11 bar |",
        "| V-097 | L7 | **14 bar** |",
    ]


@pytest.mark.parametrize(
    ("said", "names_columns", "written"),
    [
        ("City\tLead", True, "| City | Lead |\n| --- | --- |"),
        ("Ly|on\tPaul\nRoux", False, "| Ly\\|on | Paul Roux |"),
    ],
)
def test_row_of_a_page_is_written_as_markdown(said: str, names_columns: bool, written: str) -> None:
    assert grids.row(said, names_columns=names_columns) == written
