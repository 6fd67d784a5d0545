"""The kind of value that a question asks for in so many words."""

from __future__ import annotations

import pytest

from memory.reading.value_kinds import ValueKind, asked_kind, holds


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How much does the Heron cost?", ValueKind.MONEY),
        ("What does a taxi to the airport cost?", ValueKind.MONEY),
        ("Was kostet ein Taxi?", ValueKind.MONEY),
        ("Сколько стоит датчик?", ValueKind.MONEY),
        ("这个多少钱？", ValueKind.MONEY),
        ("Which cost centre do I use?", None),
        ("How much is the per diem?", None),
        ("How heavy is the mast?", ValueKind.MASS),
        ("Wie schwer ist der Mast?", ValueKind.MASS),
        ("How old is the office cat?", ValueKind.AGE),
        ("Quel âge a le chat ?", ValueKind.AGE),
        ("How many days of leave do I get?", ValueKind.TIME),
        ("Wie viele Tage Urlaub habe ich?", ValueKind.TIME),
        ("Combien de jours de congé ai-je ?", ValueKind.TIME),
        ("How many people work in Taipei?", None),
        ("How long is the break?", ValueKind.TIME),
        ("What is the phone number of the front desk?", ValueKind.PHONE),
        ("Who signs?", None),
    ],
)
def test_kind_is_read_from_the_words_of_the_question(question: str, kind: ValueKind | None) -> None:
    assert asked_kind(question) is kind


@pytest.mark.parametrize(
    ("kind", "text", "is_held"),
    [
        (ValueKind.MONEY, "A lost badge costs 10 USD.", True),
        (ValueKind.MONEY, "Das Mittagessen ist kostenlos.", True),
        (ValueKind.MONEY, "WX-0011\tHeron\t0 to 20 m\t±5 mm\t12 V", False),
        (ValueKind.MONEY, "Do this before you search the taxi.", False),
        (ValueKind.MASS, "Crane\tmast, 10 m\t84 kg", True),
        (ValueKind.MASS, "Merlin\tlightning, up to 40 km\t5 V", False),
        (ValueKind.AGE, "The cat is seven years old.", True),
        (ValueKind.AGE, "She was born in 1912.", True),
        (ValueKind.AGE, "The cat is fed at 16:00 by whoever lost the race.", False),
        (ValueKind.AGE, "By popular vote, 171 to 12.", False),
        (ValueKind.TIME, "Everyone has 16 days of leave.", True),
        (ValueKind.TIME, "She reigned from 1990 to 1994.", True),
        (ValueKind.TIME, "The river is 120 km long.", True),
        (ValueKind.TIME, "Adoption of a child under six counts as birth.", False),
        (ValueKind.PHONE, "Platform lead\tNguyễn Thu Hà\t+84 24 5550 118", True),
        (ValueKind.PHONE, "Tell the incident lead before 2025.", False),
    ],
)
def test_text_holds_a_value_of_the_kind_or_not(kind: ValueKind, text: str, is_held: bool) -> None:
    assert holds(kind, text) == is_held


@pytest.mark.parametrize(
    ("kind", "text", "above", "is_held"),
    [
        (ValueKind.MONEY, "72", "Per diem. All amounts are in US dollars.", True),
        (ValueKind.MONEY, "Taipei", "All amounts are in US dollars.", False),
        (ValueKind.TIME, "13", "Days", True),
        (ValueKind.TIME, "13", "Public holidays a year", False),  # how often, not how long
    ],
)
def test_name_of_a_column_gives_a_figure_its_unit(
    kind: ValueKind, text: str, above: str, is_held: bool
) -> None:
    assert holds(kind, text, above) == is_held
