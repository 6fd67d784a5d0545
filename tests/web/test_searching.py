"""The page of results, the few that the box shows, and the page that asks everything: without script."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from kb.models import AskTicket, BaseQuestion, Visibility
from memory import tenancy
from tests.asks import models, reply
from tests.factories import Org, make_org, make_page
from tests.web.conftest import SignedIn

WORDS = "Overtime shall not exceed 12 hours per week."


def body(response: Any) -> str:
    return str(response.content, "utf-8")


def results(text: str) -> list[str]:
    return [
        re.sub(r"<[^>]+>", "", title).strip()
        for title in re.findall(r'class="result">\s*<h2>(.*?)</h2>', text, re.DOTALL)
    ]


def test_results_show_marked_words_and_lead_to_their_place(org: Org, signed_in: SignedIn) -> None:
    make_page(org, WORDS, title="Decree", slug="hr/decree")
    client = signed_in(org.reader)
    text = body(client.get(f"/{org.tenant.slug}/search", {"q": "overtime"}))
    assert results(text) == ["Decree"]
    assert "<mark>Overtime</mark> shall not exceed 12 hours per week." in text
    address = f"/{org.tenant.slug}/p/hr/decree?cite=0-{len(WORDS)}&amp;rev=1#cite"
    assert f'href="{address}"' in text
    page = body(client.get(address.replace("&amp;", "&").removesuffix("#cite")))
    assert f'<mark class="cite" id="cite" data-n="0">{WORDS}</mark>' in page


def test_passages_of_one_page_stand_under_its_title(org: Org, signed_in: SignedIn) -> None:
    parts = "\n\n".join(f"## Part {n}\n\n" + f"The turbine has part {n}. " * 60 for n in range(4))
    make_page(org, parts, title="Turbine")
    text = body(signed_in(org.reader).get(f"/{org.tenant.slug}/search", {"q": "turbine"}))
    assert results(text) == ["Turbine"]
    assert text.count('class="passage"') == 3
    assert "1 page" in text


def test_filters_stay_with_the_query(org: Org, signed_in: SignedIn) -> None:
    make_page(org, WORDS, title="Decree", category="policy")
    make_page(org, WORDS + " Bis.", title="Notes", language="fr")
    client = signed_in(org.reader)
    text = body(client.get(f"/{org.tenant.slug}/search", {"q": "overtime", "category": "policy"}))
    assert results(text) == ["Decree"]
    assert '<option value="policy" selected>' in text
    assert '<input type="hidden" name="q" value="overtime">' in text
    nothing = body(
        client.get(f"/{org.tenant.slug}/search", {"q": "overtime", "category": "runbook"})
    )
    assert "Search without filters" in nothing


@pytest.mark.parametrize("query", ["", "the", "?!", "unheardof"])
def test_nothing_found_says_why(org: Org, signed_in: SignedIn, query: str) -> None:
    make_page(org, WORDS, title="Decree")
    response = signed_in(org.reader).get(f"/{org.tenant.slug}/search", {"q": query})
    assert response.status_code == 200
    assert 'class="empty"' in body(response)
    assert results(body(response)) == []


def test_visitor_searches_public_pages_alone(org: Org, visitor: Client) -> None:
    make_page(org, WORDS, title="Vault")
    assert visitor.get(f"/{org.tenant.slug}/search", {"q": "overtime"}).status_code == 302
    make_page(org, "Overtime is public.", title="Open", visibility=Visibility.PUBLIC)
    response = visitor.get(f"/{org.tenant.slug}/search", {"q": "overtime"})
    assert results(body(response)) == ["Open"]
    assert "Vault" not in body(response)
    assert f"/{org.tenant.slug}/ask?" not in body(response)
    found = visitor.get(f"/{org.tenant.slug}/search/suggestions", {"q": "overtime"}).json()
    assert [one["title"] for one in found["results"]] == ["Open"]
    assert found["ask_url"] is None


def test_member_elsewhere_searches_as_a_visitor(org: Org, signed_in: SignedIn) -> None:
    make_page(org, WORDS, title="Vault")
    other = signed_in(make_org().admin)
    assert other.get(f"/{org.tenant.slug}/search", {"q": "overtime"}).status_code == 404
    assert other.get(f"/{org.tenant.slug}/search/suggestions").status_code == 404


def test_suggestions_are_one_passage_of_a_page(org: Org, signed_in: SignedIn) -> None:
    for number in range(7):
        make_page(org, f"Overtime of kind {number}. " * 300, title=f"Kind {number}")
    response = signed_in(org.reader).get(
        f"/{org.tenant.slug}/search/suggestions", {"q": " overtime "}
    )
    found = response.json()
    assert len({one["doc_id"] for one in found["results"]}) == len(found["results"]) == 5
    assert found["query"] == "overtime"
    assert found["ask_url"] == f"/{org.tenant.slug}/ask?question=overtime"
    assert response["Cache-Control"] == "private, no-store"


def test_every_screen_has_the_box(org: Org, signed_in: SignedIn) -> None:
    text = body(signed_in(org.reader).get(f"/{org.tenant.slug}/questions"))
    assert f'action="/{org.tenant.slug}/search"' in text
    assert f'data-suggestions="/{org.tenant.slug}/search/suggestions"' in text


def test_fc_66_markup_in_pages_and_queries_stays_text(org: Org, signed_in: SignedIn) -> None:
    make_page(
        org,
        'Fee: 20 &lt;img src=x onerror="window.__hit=1"&gt; euros.',
        title="<script>window.__hit=1</script>",
    )
    client = signed_in(org.reader)
    for query in ("fee euros", '"><script>window.__hit=1</script>'):
        text = body(client.get(f"/{org.tenant.slug}/search", {"q": query}))
        assert "<script>window" not in text
        assert "<img src=x" not in text
    assert "&lt;img src=x" in body(client.get(f"/{org.tenant.slug}/search", {"q": "fee euros"}))


# -- asking everything ----------------------------------------------------------------------------


def test_answer_from_everything_is_shown_and_stays_in_the_list(
    org: Org, signed_in: SignedIn
) -> None:
    make_page(org, WORDS, title="Decree", slug="hr/decree")
    client = signed_in(org.reader)
    page = body(client.get(f"/{org.tenant.slug}/ask", {"question": "How much overtime?"}))
    assert "How much overtime?</textarea>" in page
    with models(lambda passages: reply(passages, WORDS, WORDS)):
        response = client.post(
            f"/{org.tenant.slug}/questions/ask", {"question": "How much overtime?"}
        )
    assert response.status_code == 302
    shown = body(client.get(response["Location"].partition("#")[0]))
    assert "Answered from these pages" in shown
    assert f"/{org.tenant.slug}/p/hr/decree?cite=0-{len(WORDS)}&amp;rev=1#cite" in shown
    assert "Open at these words" in shown
    listed = body(client.get(f"/{org.tenant.slug}/questions"))
    assert "All pages" in listed
    with tenancy.scope(org.tenant.pk):
        [question] = BaseQuestion.objects.all()
    assert f"/{org.tenant.slug}/ask?asked={question.pk}#answer" in listed
    client.post(f"/{org.tenant.slug}/questions/{question.pk}/feedback", {"vote": "up"})
    assert 'data-vote="up"' in body(
        client.get(f"/{org.tenant.slug}/ask", {"asked": str(question.pk)})
    )


def test_question_of_somebody_else_is_not_there(org: Org, signed_in: SignedIn) -> None:
    make_page(org, WORDS)
    editor = signed_in(org.editor)
    editor.post(f"/{org.tenant.slug}/questions/ask", {"question": "How much overtime?"})
    with tenancy.scope(org.tenant.pk):
        [question] = BaseQuestion.objects.all()
    response = signed_in(org.reader).get(f"/{org.tenant.slug}/ask", {"asked": str(question.pk)})
    assert response.status_code == 404


def test_question_that_is_none_stays_in_its_box(org: Org, signed_in: SignedIn) -> None:
    client = signed_in(org.reader)
    response = client.post(f"/{org.tenant.slug}/questions/ask", {"question": "x" * 1001})
    assert response.status_code == 400
    assert 'id="ask-error"' in body(response)
    with tenancy.scope(org.tenant.pk):
        assert not AskTicket.objects.exists()


def test_limit_leads_back_to_where_it_was_asked(
    org: Org, signed_in: SignedIn, settings: Any
) -> None:
    settings.FOOTNOTE = settings.FOOTNOTE | {"ASKS_PER_DAY": 1}
    make_page(org, WORDS)
    client = signed_in(org.reader)
    client.post(f"/{org.tenant.slug}/questions/ask", {"question": "One?"})
    response = client.post(f"/{org.tenant.slug}/questions/ask", {"question": "Two?"})
    assert response.status_code == 429
    assert f'href="/{org.tenant.slug}/ask?question=Two%3F"' in body(response)


def test_visitor_is_asked_to_sign_in_first(org: Org, visitor: Client) -> None:
    make_page(org, WORDS, visibility=Visibility.PUBLIC)
    response = visitor.get(f"/{org.tenant.slug}/ask")
    assert response.status_code == 302
    assert "/sign-in" in response["Location"]
