"""A row of a table answers what its cells and the names of its columns tell, and no more."""

from __future__ import annotations

import uuid

import pytest

from memory.backends.generators.extractive import ExtractiveGenerator
from memory.language.tables import labelled
from memory.language.unit_text import page_units
from memory.reading.reader import read
from memory.reading.records import Reading
from memory.types import Passage

DOC = uuid.UUID(int=1)
INSTRUMENTS = (
    "Instruments\n"
    "Model\tName\tMeasures\tAccuracy\tPower\tExtra\n"
    "WX-0011\tHeron\twater level\t±5 mm\t12 V\tIP68\n"
    "WX-0045\tMerlin\tlightning\t±1 km\t5 V\tI²C\n"
    "WX-0090\tCrane\tmast, tilting\tnone\tnone\t84 kg"
)
RATES = (
    "Daily rates\n"
    "The per diem covers meals. All amounts are in US dollars.\n"
    "City\tPer diem\tHotel limit\tTravel desk\n"
    "Lisbon\t58\t140\tLisbon\n"
    "Tokyo\t72\t170\tTaipei\n"
    "Muscat\t60\t125\tLisbon"
)


def passage(text: str, number: int = 1, **more: object) -> Passage:
    fields: dict[str, object] = {"doc_title": "Handbook", "language": "en"} | more
    return Passage(
        number=number,
        doc_id=DOC,
        revision=1,
        chunk_id=uuid.UUID(int=number + 1),
        text=text,
        char_start=0,
        **fields,  # type: ignore[arg-type]
    )


def reading_of(question: str, text: str) -> Reading:
    return read(question, [passage(text)], None)


def rows_left(question: str, text: str) -> list[str]:
    """First cells of the rows that may answer."""
    reading = reading_of(question, text)
    return [
        one.text.partition("\t")[0]
        for one in sorted(reading.sentences, key=lambda one: one.row)
        if "\t" in one.text and not reading.vetoed[one.row]
    ]


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("What is the accuracy of the Heron?", ["WX-0011"]),
        ("What does the Heron measure?", ["WX-0011"]),
        ("How heavy is the Crane?", ["WX-0090"]),  # told by the kind of a cell, not by a column
        ("How heavy is the Merlin?", []),
        ("How much does the Heron cost?", []),
        ("Who invented the Heron?", []),
    ],
)
def test_row_answers_only_what_its_columns_or_a_value_of_the_kind_tell(
    question: str, left: list[str]
) -> None:
    assert rows_left(question, INSTRUMENTS) == left


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("What is the per diem in Tokyo?", ["Tokyo"]),
        ("How much does a hotel in Tokyo cost?", ["Tokyo"]),  # dollars, says the line above
        ("How much is a taxi in Tokyo?", []),
        ("What is the per diem in Madrid?", []),  # another city's row is no part of an answer
    ],
)
def test_row_of_another_subject_or_without_the_attribute_does_not_answer(
    question: str, left: list[str]
) -> None:
    assert rows_left(question, RATES) == left


def test_name_of_the_subject_s_own_column_is_not_what_was_asked() -> None:
    table = "Office\tHolidays\nLisbon\t13\nTaipei\t12"
    assert rows_left("How is lunch in the Lisbon office arranged?", table) == []
    assert rows_left("How many holidays has the Lisbon office?", table) == ["Lisbon"]


def test_row_that_holds_no_name_of_the_question_does_not_answer() -> None:
    table = "Type\tLimit\tDesk\nHotel\t140\tLisbon\nHostel\t60\tTaipei"
    assert rows_left("What is the hotel limit?", table) == ["Hotel"]
    assert rows_left("What is the hotel limit in Madrid?", table) == []


def test_key_and_value_answer_whatever_the_column_is_called() -> None:
    table = "Rule\tValue\nCritical updates\twithin 48 hours\nScreen lock\tafter 5 minutes"
    assert rows_left("How quickly must critical updates be installed?", table) == [
        "Critical updates"
    ]


def test_part_without_a_value_of_its_kind_is_missing_from_a_double_answer() -> None:
    pages = [
        passage("Business class needs the signature of Mei-Ling Hsu, who signs it herself."),
        passage("Do this before you search the taxi.", 2),
    ]
    question = "Who signs for business class and what does a taxi cost?"
    reading = read(question, pages, None)
    draft = ExtractiveGenerator().draft(question, pages, reading)
    assert draft.missing == ("what does a taxi cost",)
    assert [claim.text for claim in draft.claims] == [pages[0].text]


def test_row_reads_with_the_names_of_its_columns() -> None:
    names = ("City", "Per diem", "Hotel limit")
    assert labelled("Tokyo\t72\t170", names) == "Tokyo — Per diem 72 · Hotel limit 170"
    assert labelled("Tokyo\t\t170", names) == "Tokyo — Hotel limit 170"
    assert labelled("Tokyo\t72\t170") == "Tokyo · 72 · 170"
    assert labelled("Tokyo\t72", names) == "Tokyo · 72"


def test_header_of_a_cut_table_is_that_of_its_first_table_alone() -> None:
    text = "Tokyo\t72\nMuscat\t60\nA line between.\nLevel\tCall\nSEV-1\tat once"
    units = list(page_units(passage(text, header="City\tPer diem"), 0))
    assert [(unit.text, unit.columns, unit.is_label) for unit in units if "\t" in unit.text] == [
        ("Tokyo\t72", ("City", "Per diem"), False),
        ("Muscat\t60", ("City", "Per diem"), False),
        ("Level\tCall", (), True),
        ("SEV-1\tat once", ("Level", "Call"), False),
    ]


def test_first_row_with_figures_names_no_columns() -> None:
    units = list(page_units(passage("Lyon\t8\nOslo\t9"), 0))
    assert units[1].columns == ()
