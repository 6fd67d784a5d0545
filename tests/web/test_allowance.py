"""The limit is shown beside the box before it is reached, and when the next question is free."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core.cache import cache

from kb.models import Doc
from tests.asks import ask_page, models
from tests.factories import Org, make_page
from tests.web.conftest import SignedIn

NOTHING = {"answer": "", "confidence_score": 0, "citations": []}
LINE = re.compile(r'<p class="allowance"[^>]*?data-allowance(\s+hidden)?\s*>(.*?)</p>', re.DOTALL)


@pytest.fixture(autouse=True)
def _empty_cache() -> None:
    cache.clear()


@pytest.fixture
def doc(org: Org) -> Doc:
    return make_page(org, "Overtime is capped at 12 hours.", title="Overtime", slug="overtime")


def line(page: Any) -> tuple[bool, str]:
    """Whether it is shown, and what it says."""
    found = LINE.search(str(page.content, "utf-8"))
    assert found
    return not found[1], " ".join(re.sub(r"<[^>]+>", "", found[2]).split())


@pytest.mark.parametrize(
    ("limit", "shown", "said"),
    [
        (12, False, "Questions left: 11 of 12 in 24 hours"),
        (11, True, "Questions left: 10 of 11 in 24 hours"),
        (2, True, "Questions left: 1 of 2 in 24 hours"),
    ],
)
def test_questions_left_are_said_from_ten_on(
    org: Org, doc: Doc, signed_in: SignedIn, settings: Any, limit: int, shown: bool, said: str
) -> None:
    settings.FOOTNOTE = settings.FOOTNOTE | {"ASKS_PER_DAY": limit}
    with models(NOTHING):
        ask_page(org.reader, doc, "Is there a canteen?")
    page = signed_in(org.reader).get(f"/{org.tenant.slug}/p/overtime")
    assert line(page) == (shown, said)


def test_spent_limit_says_when_the_next_question_is_free(
    org: Org, doc: Doc, signed_in: SignedIn, settings: Any
) -> None:
    settings.FOOTNOTE = settings.FOOTNOTE | {"ASKS_PER_DAY": 1}
    with models(NOTHING):
        record = ask_page(org.reader, doc, "Is there a canteen?")
    page = signed_in(org.reader).get(
        f"/{org.tenant.slug}/p/overtime", {"asked": str(record.question_id)}
    )
    shown, said = line(page)
    assert shown
    assert re.fullmatch(r"Your 1 .* The next one is free: \d+ \w{3} \d{4}, \d\d:\d\d UTC", said)
    below = re.search(r'data-slot="left"([^>]*)>', str(page.content, "utf-8"))
    assert below is not None
    assert "hidden" in below[1], "it is said once"


def test_visitor_of_a_public_page_is_told_of_no_limit(org: Org, visitor: Any) -> None:
    make_page(org, "Words.", slug="open", visibility="public")
    page = visitor.get(f"/{org.tenant.slug}/p/open")
    assert page.status_code == 200
    assert not LINE.search(str(page.content, "utf-8"))
