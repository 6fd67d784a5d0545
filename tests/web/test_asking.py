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


def key_in(response: Any) -> str:
    found = re.search(r'name="ask_key" value="([^"]+)"', str(response.content, "utf-8"))
    assert found is not None
    return found[1]


@pytest.fixture(params=["page", "base"])
def form_of(request: Any, org: Org, doc: Doc) -> tuple[str, str]:
    """Where the form stands, and where it goes: of a page, and of the whole knowledge base."""
    paths = {"page": (f"p/{doc.slug}", f"ask/{doc.slug}"), "base": ("ask", "questions/ask")}
    shown, action = paths[request.param]
    return f"/{org.tenant.slug}/{shown}", f"/{org.tenant.slug}/{action}"


def asks_of(org: Org) -> int:
    with tenancy.scope(org.tenant.pk):
        return AskTicket.objects.count()


def test_form_sent_twice_asks_once(org: Org, form_of: tuple[str, str], signed_in: SignedIn) -> None:
    client, (shown, action) = signed_in(org.reader), form_of
    sent = {"question": "How is overtime capped?", "ask_key": key_in(client.get(shown))}
    first, second = client.post(action, sent), client.post(action, sent)
    assert first["Location"] == second["Location"]
    assert asks_of(org) == 1


def test_other_question_in_the_same_form_is_another_ask(
    org: Org, form_of: tuple[str, str], signed_in: SignedIn
) -> None:
    client, (shown, action) = signed_in(org.reader), form_of
    key = key_in(client.get(shown))
    for question in ("How is overtime capped?", "Who pays overtime?"):
        assert client.post(action, {"question": question, "ask_key": key}).status_code == 302
    assert asks_of(org) == 2


def test_every_form_has_a_key_of_its_own(
    org: Org, form_of: tuple[str, str], signed_in: SignedIn
) -> None:
    client, (shown, action) = signed_in(org.reader), form_of
    keys = [key_in(client.get(shown)) for _ in range(2)]
    for key in keys:
        client.post(action, {"question": "How is overtime capped?", "ask_key": key})
    assert len({*keys}) == asks_of(org) == 2


def test_second_click_while_the_first_is_answered_waits_for_its_answer(
    org: Org, form_of: tuple[str, str], signed_in: SignedIn
) -> None:
    client, (shown, action) = signed_in(org.reader), form_of
    sent = {"question": "How is overtime capped?", "ask_key": key_in(client.get(shown))}
    answered = client.post(action, sent)["Location"]
    with tenancy.scope(org.tenant.pk):
        AskTicket.objects.update(finished=False, question_id=uuid4())  # as if it were still at work
    waiting = client.post(action, sent)["Location"]
    assert waiting.split("?")[0] == answered.split("?")[0]
    page = client.get(waiting)
    assert page.status_code == 200
    assert page["Refresh"] == "2"
    assert "is being answered" in str(page.content, "utf-8")
    assert signed_in(org.editor).get(waiting).status_code == 404
    assert asks_of(org) == 1


def test_form_that_was_opened_at_a_former_address_is_sent_on(
    org: Org, doc: Doc, signed_in: SignedIn
) -> None:
    client = signed_in(org.reader)
    sent = {"question": "How is overtime capped?"}
    edit_page(org, doc, slug="rules/overtime")
    response = client.post(f"/{org.tenant.slug}/ask/{doc.slug}", sent)
    assert (response.status_code, response["Location"]) == (
        308,  # with what was typed
        f"/{org.tenant.slug}/ask/rules/overtime",
    )
    assert asks_of(org) == 0
    never = client.post(f"/{org.tenant.slug}/ask/never", sent)
    outsider = signed_in(make_org().reader).post(f"/{org.tenant.slug}/ask/{doc.slug}", sent)
    assert never.status_code == outsider.status_code == 404


def test_ask_that_was_given_up_says_so_and_can_be_asked_again(
    org: Org, form_of: tuple[str, str], signed_in: SignedIn
) -> None:
    client, (shown, action) = signed_in(org.reader), form_of
    sent = {"question": "How is overtime capped?", "ask_key": key_in(client.get(shown))}
    client.post(action, sent)
    lost = uuid4()
    with tenancy.scope(org.tenant.pk):
        AskTicket.objects.update(finished=True, question_id=lost)
    again = client.post(action, sent)
    assert again.status_code == 409
    assert sent["question"] in str(again.content, "utf-8")
    assert key_in(again) != sent["ask_key"]
    for page in (again, client.get(f"{shown}?asked={lost}")):
        assert "could not be answered to the end" in str(page.content, "utf-8")
        assert "Refresh" not in page


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
