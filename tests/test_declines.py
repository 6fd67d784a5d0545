"""What a reader is told when there is no answer."""

from __future__ import annotations

import pytest

from memory.declines import ENGLISH, Read, decline_text, partial_text
from memory.types import Reason


@pytest.mark.parametrize("reason", list(Reason))
def test_every_reason_says_why_and_what_to_try(reason: Reason) -> None:
    text = decline_text(reason, Read("Rules", 3))
    assert text.endswith(ENGLISH[f"try_{reason.value}"])
    assert text != ENGLISH[f"try_{reason.value}"]
    assert "{" not in text


def test_fc_24_set_ups_read_differently() -> None:
    texts = {
        decline_text(reason, Read("Rules"))
        for reason in (Reason.NOT_COVERED, Reason.PAGE_EMPTY, Reason.INDEX_NOT_READY)
    }
    assert len(texts) == 3
    assert "still being prepared" in decline_text(Reason.INDEX_NOT_READY)
    assert "no text" in decline_text(Reason.PAGE_EMPTY)


def test_fc_20_not_covered_says_what_was_read_and_what_is_missing() -> None:
    text = decline_text(Reason.NOT_COVERED, Read("Invoices", 3, ("prime number",)))
    assert text == (
        "Not enough evidence in this page and the pages it links to."
        " Nothing there speaks of: prime number."
        " Read: “Invoices” and 3 linked pages."
        " Try other words, or ask on the page where you would expect it."
    )


def test_fc_64_unread_part_is_never_called_not_covered() -> None:
    text = decline_text(Reason.PART_NOT_READ, Read("Long page"))
    assert text.startswith("Part of the text was not read")
    assert "Not enough evidence" not in text


@pytest.mark.parametrize(
    ("linked", "words"),
    [(0, "Read: “Rules”."), (1, "and one linked page."), (2, "and 2 linked pages.")],
)
def test_linked_pages_are_counted_in_words(linked: int, words: str) -> None:
    assert words in decline_text(Reason.NOT_COVERED, Read("Rules", linked))


def test_question_to_the_whole_base_speaks_of_its_pages() -> None:
    assert decline_text(Reason.NOT_COVERED).startswith(
        "Not enough evidence in the pages that you can read."
    )


def test_partial_answer_names_what_is_missing_once() -> None:
    assert partial_text(("rate", "rate", "day")) == "The pages do not say: rate, day."


def test_words_with_braces_are_shown_as_they_are() -> None:
    text = decline_text(Reason.NOT_COVERED, Read("{title}", 1, ("{x}",)))
    assert "{x}" in text
    assert "“{title}”" in text


def test_text_is_said_in_the_readers_language() -> None:
    catalogue = {
        ENGLISH["page_empty"]: "Diese Seite ist leer.",
        ENGLISH["try_page_empty"]: "Schreib.",
    }
    said = decline_text(Reason.PAGE_EMPTY, translate=lambda text: catalogue.get(text, text))
    assert said == "Diese Seite ist leer. Schreib."
