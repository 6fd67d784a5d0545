"""Asking without script: the form posts, the page comes back with the answer and its marks."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.test import Client

from kb import intake
from kb.models import AskTicket, Doc
from memory import tenancy
from memory.backends import registry
from memory.backends.generators.fake import FakeGenerator
from memory.backends.judges.fake import FakeJudge
from memory.types import Draft, DraftClaim, DraftSpan
from tests.factories import Org, edit_page, make_org, make_page
from tests.web.conftest import SignedIn

SENTENCE = "Overtime is capped at 12 hours per week."


@pytest.fixture(autouse=True)
def _scripted_models(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The generator cites the sentence wherever it stands first."""

    def draft(question: str, passages: Any, reading: Any) -> Draft:
        for passage in passages:
            start = passage.text.find(SENTENCE)
            if start >= 0:
                span = DraftSpan(passage.number, start, start + len(SENTENCE), SENTENCE)
                return Draft((DraftClaim(SENTENCE, (span,)),), confidence=0.9)
        return Draft(confidence=0.9)

    # Cached, as the registry's own are: it clears them when settings change.
    monkeypatch.setattr(registry, "generator", functools.cache(lambda: FakeGenerator(draft)))
    monkeypatch.setattr(registry, "judges", functools.cache(lambda: (FakeJudge(),)))
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def doc(org: Org) -> Doc:
    return make_page(org, f"🌙 Hello. {SENTENCE}", title="Overtime", slug="hr/overtime")


def ask(
    client: Client, org: Org, doc: Doc, question: str = "How is overtime capped per week?"
) -> Any:
    return client.post(f"/{org.tenant.slug}/ask/{doc.slug}", {"question": question})


def test_answer_comes_back_on_the_page_with_its_mark(
    org: Org, doc: Doc, signed_in: SignedIn
) -> None:
    client = signed_in(org.reader)
    response = ask(client, org, doc)
    assert response.status_code == 302
    assert re.fullmatch(
        rf"/{org.tenant.slug}/p/hr/overtime\?asked=[0-9a-f-]{{36}}#answer", response["Location"]
    )
    text = str(client.get(response["Location"]).content, "utf-8")
    assert f'<mark class="cite" id="cite-1" data-n="1" data-ends="1">{SENTENCE}</mark>' in text
    assert 'href="#fn-1"' in text
    assert 'href="#cite-1"' in text
    assert "How is overtime capped per week?" in text


def test_answer_is_kept_among_ones_past_questions(org: Org, doc: Doc, signed_in: SignedIn) -> None:
    client = signed_in(org.reader)
    ask(client, org, doc)
    page = str(client.get(f"/{org.tenant.slug}/p/{doc.slug}").content, "utf-8")
    assert "Your past questions on this page" in page
    listed = str(client.get(f"/{org.tenant.slug}/questions").content, "utf-8")
    assert "How is overtime capped per week?" in listed


def test_words_that_moved_since_are_not_marked_in_a_past_answer(
    org: Org, doc: Doc, signed_in: SignedIn
) -> None:
    client = signed_in(org.reader)
    address = ask(client, org, doc)["Location"]
    edit_page(org, doc, source=f"Now longer. 🌙 Hello. {SENTENCE}")
    text = str(client.get(address).content, "utf-8")
    assert "<mark class" not in text
    assert "the page has changed since" in text


def test_another_persons_answer_is_not_there(org: Org, doc: Doc, signed_in: SignedIn) -> None:
    address = ask(signed_in(org.reader), org, doc)["Location"]
    assert signed_in(org.editor).get(address).status_code == 404
    strange = f"/{org.tenant.slug}/p/{doc.slug}?asked={uuid4()}"
    assert signed_in(org.reader).get(strange).status_code == 404


@pytest.mark.parametrize("question", ["", "   ", "\r\n", "\u200b", "\u00a0", "x" * 1001])
def test_bad_question_is_refused_on_the_page_with_what_was_typed(
    org: Org, doc: Doc, signed_in: SignedIn, question: str
) -> None:
    client = signed_in(org.reader)
    response = ask(client, org, doc, question)
    text = str(response.content, "utf-8")
    assert response.status_code == 400
    assert 'id="ask-error"' in text
    assert SENTENCE in text, "the page is still there"
    assert "Your past questions" not in text


def test_limit_says_when_the_next_question_is_free(
    org: Org, doc: Doc, signed_in: SignedIn, settings: Any
) -> None:
    settings.FOOTNOTE = settings.FOOTNOTE | {"ASKS_PER_DAY": 1}
    client = signed_in(org.reader)
    assert ask(client, org, doc).status_code == 302
    response = ask(client, org, doc)
    assert response.status_code == 429
    assert 86_300 < int(response["Retry-After"]) <= 86_400
    said = str(response.content, "utf-8")
    assert re.search(
        r"The next one is free:\s*<time [^>]*>\d+ \w+ \d{4}, \d\d:\d\d UTC</time>", said
    )
    assert f"/p/{doc.slug}?question=" in said, "the way back has the question in its box"


def test_outsider_and_visitor_cannot_ask(org: Org, doc: Doc, signed_in: SignedIn) -> None:
    assert ask(signed_in(make_org().reader), org, doc).status_code == 404
    assert ask(Client(), org, doc).status_code == 404
    with tenancy.scope(org.tenant.pk):
        assert not AskTicket.objects.exists()


def test_fc_24_page_that_does_not_say_declines_on_the_page(org: Org, signed_in: SignedIn) -> None:
    doc = make_page(org, "The canteen opens at noon.", title="Canteen")
    client = signed_in(org.reader)
    text = str(client.get(ask(client, org, doc, "Who founded Rome?")["Location"]).content, "utf-8")
    assert 'data-kind="decline_' in text
    assert "<mark class" not in text


def test_answer_from_a_page_that_is_gone_keeps_its_words_to_itself(
    org: Org, signed_in: SignedIn
) -> None:
    cited = make_page(org, f"Hello. {SENTENCE}", title="Rules", slug="rules")
    doc = make_page(org, "See [[Rules]] for overtime.", title="Home", slug="home")
    client = signed_in(org.reader)
    address = ask(client, org, doc)["Location"]
    assert SENTENCE in str(client.get(address).content, "utf-8")
    with tenancy.scope(org.tenant.pk):
        intake.delete_page(org.editor, cited)
    text = str(client.get(address).content, "utf-8")
    assert SENTENCE not in text
    assert "this page is no longer there for you" in text


def test_burst_is_refused_with_a_page(
    org: Org, doc: Doc, signed_in: SignedIn, settings: Any
) -> None:
    settings.FOOTNOTE = settings.FOOTNOTE | {"ASK_BURST": "1/m"}
    client = signed_in(org.reader)
    assert ask(client, org, doc).status_code == 302
    response = ask(client, org, doc)
    assert (response.status_code, response["Retry-After"]) == (429, "60")
    assert "That is enough for now" in str(response.content, "utf-8")
