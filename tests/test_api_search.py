"""Searching over HTTP: the documented reply, its errors, and who may."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from memory import tenancy
from memory.models import Membership
from memory.people import keys
from tests.factories import Org, make_org, make_page

pytestmark = pytest.mark.django_db
WORDS = "Overtime shall not exceed 12 hours per week."


@pytest.fixture
def org() -> Org:
    return make_org()


def client_of(member: Membership, **key: Any) -> APIClient:
    with tenancy.scope(member.tenant_id):
        token = keys.create_key(member, **key)
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
    return client


def search(client: APIClient, **query: Any) -> Any:
    return client.get("/v1/kb/search", query)


def test_reply_has_the_documented_names(org: Org) -> None:
    doc = make_page(org, f"# Overtime\n\n{WORDS}", title="Decree", slug="hr/decree")
    body = search(client_of(org.reader), q="overtime week").json()
    assert set(body) == set(
        "count next previous results abstained best_score floor reranker degraded message".split()
    )
    assert (body["count"], body["abstained"], body["message"]) == (1, False, None)
    [result] = body["results"]
    assert set(result) == set(
        "doc_id title slug language category revision url heading_path snippet marks char_start"
        " char_end scores".split()
    )
    assert (result["doc_id"], result["title"]) == (str(doc.pk), "Decree")
    assert result["heading_path"] == ["Overtime"]
    start = result["char_start"]
    assert result["snippet"] == WORDS
    assert result["url"] == (
        f"/{org.tenant.slug}/p/hr/decree?cite={start}-{start + len(WORDS)}&rev=1#cite"
    )
    assert result["marks"] == [[0, 8], [39, 43]]
    assert set(result["scores"]) == {"final", "reranker", "semantic", "keyword"}


def test_fc_44_nothing_is_a_success_with_a_sentence(org: Org) -> None:
    make_page(org, WORDS)
    client = client_of(org.reader)
    for query in ("the", "?!", "---", ""):
        response = search(client, q=query)
        assert response.status_code == 200
        body = response.json()
        assert (body["count"], body["results"]) == (0, [])
        assert body["message"]


def test_fc_45_floor_by_number_alone(org: Org) -> None:
    make_page(org, WORDS)
    client = client_of(org.reader)
    query = "overtime colour price weight"
    assert search(client, q=query).json()["abstained"] is True
    assert search(client, q=query, min_score="").json()["floor"] == 0.5
    for off in ("0", "0.0"):
        body = search(client, q=query, min_score=off).json()
        assert (body["count"], body["floor"]) == (1, None)
    for wrong in ('"0"', "none", "nan", "inf", "-0.1", "1.5", "null"):
        assert search(client, q=query, min_score=wrong).status_code == 400, wrong


def test_pages_of_results_lead_on(org: Org) -> None:
    for number in range(5):
        make_page(org, f"A turbine of kind {number}.", title=f"Kind {number}")
    client = client_of(org.reader)
    first = search(client, q="turbine", limit=2).json()
    assert (first["count"], len(first["results"])) == (5, 2)
    assert "page=2" in first["next"]
    last = search(client, q="turbine", limit=2, page=3).json()
    assert (len(last["results"]), last["next"]) == (1, None)
    assert search(client, q="turbine", limit=2, page=4).status_code == 404


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"q": "x", "limit": "0"},
        {"q": "x", "limit": "51"},
        {"q": "x", "status": "archived"},
        {"q": "x", "category": "novel"},
        {"q": "x", "colour": "red"},
        {"q": "x" * 301},
    ],
)
def test_request_that_is_not_understood_is_refused(org: Org, query: dict[str, str]) -> None:
    assert search(client_of(org.reader), **query).status_code == 400


def test_key_of_the_right_scope_is_needed(org: Org) -> None:
    make_page(org, WORDS)
    assert search(APIClient(), q="overtime").status_code == 401
    assert search(client_of(org.reader, scopes=["kb:ask"]), q="overtime").status_code == 403
    assert search(client_of(org.reader, scopes=["kb:read"]), q="overtime").status_code == 200


def test_fc_66_markup_in_pages_stays_text(org: Org) -> None:
    make_page(
        org,
        'Fee: 20 &lt;img src=x onerror="window.__hit=1"&gt; euros.',
        title="<script>window.__hit=1</script>",
    )
    [result] = search(client_of(org.reader), q="fee euros").json()["results"]
    assert result["snippet"] == 'Fee: 20 <img src=x onerror="window.__hit=1"> euros.'
    assert result["title"] == "<script>window.__hit=1</script>"
