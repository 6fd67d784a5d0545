"""Names that the evidence does not hold."""

from __future__ import annotations

import pytest

from memory.verification.evidence import Evidence
from memory.verification.names import abbreviates, unsupported_names


def missing(
    claim: str, quote: str, *, language: str = "en", context: tuple[str, ...] = ()
) -> tuple:
    return unsupported_names(claim, Evidence((quote,), (quote,), context, language))


@pytest.mark.parametrize(
    ("claim", "quote", "named"),
    [
        ("APPROVED", "Staff have 25 days of holiday.", ("APPROVED",)),
        ("Travel is approved by Lopez.", "Travel is approved by Berger.", ("Lopez",)),
        ("Maria Lopez approves travel.", "The head of finance approves it.", ("Maria", "Lopez")),
        ("Employees get leave on Monday.", "Staff get leave on Friday.", ("Monday",)),
        ("See POL-0055 first.", "See POL-0054 first.", ("POL-0055",)),
        ("See pol-0054 first.", "See POL-0054 first.", ()),
        ("Mail hr@other.test now.", "Mail hr@footnote.test now.", ("hr@other.test",)),
        ("Mail hr@footnote.test now.", "Mail hr@footnote.test now.", ()),
        ("Staff ask the Travel Desk.", "Staff ask the travel desk.", ()),
        ("Employees use the Portal.", "All portals are open.", ()),
        ("He works on Russia-Turkey trade.", "Trade of Russia and Turkey", ()),
        ("A 12-hour day ends on November 24th.", "12 hours, until 24 November", ()),
        ("It opens at 2:00 PM.", "From 14:00", ()),
        ("I may use iOS.", "Use iOS.", ()),
        ("我们使用B1-3地块", "位于B1-3地块。", ()),
    ],
)
def test_fc_21_name_is_held_or_named(claim: str, quote: str, named: tuple[str, ...]) -> None:
    assert missing(claim, quote) == named


@pytest.mark.parametrize(
    "address",
    [
        "https://collector.example/?q=secret",
        "http://collector.example",
        "www.collector.example/a",
        "collector.example/?q=1",
    ],
)
def test_fc_68_address_outside_the_quote_is_named(address: str) -> None:
    claim = f"Details are at {address}."
    assert missing(claim, "Details are there.", context=(address,)) == (address,)
    assert missing(claim, f"Details are at {address}.") == ()


def test_first_word_of_a_sentence_is_no_name() -> None:
    assert missing("Visitors sign in. Guests too.", "people sign in") == ()


def test_headings_and_titles_carry_names() -> None:
    quote = "overtime shall not exceed 12 hours"
    claim = "The cap is set by the Decree in Vietnam."
    assert missing(claim, quote) == ("Decree", "Vietnam")
    assert missing(claim, quote, context=("Decree 145", "Labour in Vietnam")) == ()


def test_german_nouns_are_no_names() -> None:
    assert missing("Die Grenze ist der Sonntag.", "Es endet sonntags.", language="de") == ()


@pytest.mark.parametrize(
    ("initials", "text", "does"),
    [
        ("OT", "overtime must not exceed", True),
        ("HR", "ask human resources", True),
        ("IT", "the head of finance", False),
        ("SOP", "standard operating procedure", True),
        ("FAQ", "the overtime rule", False),
    ],
)
def test_initials_stand_for_words(initials: str, text: str, does: bool) -> None:
    assert abbreviates(initials, text) is does
