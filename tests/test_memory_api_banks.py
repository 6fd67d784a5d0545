"""Banks over HTTP: who sees which, making, changing, removing, settings."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from memory import banks, tenancy
from memory.api.not_offered import NOT_OFFERED
from memory.models import Bank
from tests.factories import Org, make_org
from tests.memory_api import BANKS, client_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def org() -> Org:
    return make_org()


@pytest.fixture
def client(org: Org) -> APIClient:
    return client_of(org.editor)


def names(client: APIClient, query: str = "") -> list[str]:
    return [bank["bank_id"] for bank in client.get(f"{BANKS}{query}").json()["banks"]]


def test_bank_is_made_and_read_back(client: APIClient, org: Org) -> None:
    made = client.put(f"{BANKS}/support", {"name": "Support", "mission": "Help."})
    assert made.status_code == 200
    assert made.json() == {
        "bank_id": "support",
        "name": "Support",
        "disposition": {"skepticism": 3, "literalism": 3, "empathy": 3},
        "mission": "Help.",
        "background": None,
        "access": "tenant",
        "owner": org.editor.user.username,
    }
    assert names(client) == ["support"]
    assert names(client, "?q=SUPP") == ["support"]
    assert names(client, "?q=other") == []


def test_change_keeps_what_is_not_sent(client: APIClient) -> None:
    client.put(f"{BANKS}/support", {"name": "Support", "disposition_empathy": 5})
    changed = client.patch(f"{BANKS}/support", {"mission": "Help."}).json()
    assert (changed["name"], changed["mission"]) == ("Support", "Help.")
    assert changed["disposition"]["empathy"] == 5
    assert client.put(f"{BANKS}/support", {}).json() == changed


def test_pages_bank_is_not_there(client: APIClient, org: Org) -> None:
    with tenancy.scope(org.tenant.pk):
        banks.pages_bank()
    assert names(client) == []
    assert client.get(f"{BANKS}/pages/stats").status_code == 404
    assert client.put(f"{BANKS}/pages", {}).status_code == 200  # another bank of that name
    with tenancy.scope(org.tenant.pk):
        assert Bank.objects.count() == 2


def test_private_bank_is_its_owner_s_alone(client: APIClient, org: Org) -> None:
    client.put(f"{BANKS}/diary", {"access": "private"})
    for other in (org.admin, org.reader):
        assert names(client_of(other)) == []
        assert client_of(other).get(f"{BANKS}/diary/stats").status_code == 404
    assert names(client) == ["diary"]
    assert client.patch(f"{BANKS}/diary", {"access": "tenant"}).status_code == 422


def test_shared_bank_is_changed_by_its_owner_and_admins(client: APIClient, org: Org) -> None:
    client.put(f"{BANKS}/team", {})
    reader = client_of(org.reader)
    for method, path, body in (
        (reader.patch, "team", {"mission": "x"}),
        (reader.put, "team", {"mission": "x"}),
        (reader.put, "team", {"access": "tenant"}),
        (reader.patch, "team/config", {"updates": {}}),
        (reader.delete, "team/config", {}),
        (reader.delete, "team", {}),
    ):
        assert method(f"{BANKS}/{path}", body).status_code == 403
    assert reader.get(f"{BANKS}/team/stats").status_code == 200
    assert reader.put(f"{BANKS}/team", {"name": None}).json()["bank_id"] == "team"
    assert client_of(org.admin).delete(f"{BANKS}/team").json()["success"] is True
    assert names(client) == []


def test_key_without_the_scope_is_refused(org: Org) -> None:
    reading = client_of(org.editor, scopes=["memory:read"])
    assert reading.get(BANKS).status_code == 200
    refused = reading.put(f"{BANKS}/x", {})
    assert (refused.status_code, refused.json()) == (
        403,
        {"detail": "This key lacks the scope memory:write."},
    )
    assert client_of(org.editor, scopes=["kb:read"]).get(BANKS).status_code == 403
    assert APIClient().get(BANKS).status_code == 401


def test_session_may_do_what_a_member_may(org: Org) -> None:
    browser = APIClient()
    browser.force_login(org.reader.user)
    assert browser.get(BANKS).status_code == 200


def test_settings_are_changed_and_taken_back(client: APIClient) -> None:
    client.put(f"{BANKS}/support", {})
    updates = {
        "enable_graph_retrieval": False,
        "reflect_mission": "Be kind.",
        "retain_mission": "All",
    }
    changed = client.patch(f"{BANKS}/support/config", {"updates": updates}).json()
    assert changed["overrides"] == updates
    assert changed["config"]["enable_graph_retrieval"] is False
    assert changed["config"]["enable_text_search"] is True
    assert client.get(f"{BANKS}/support/config").json() == changed
    back = client.patch(f"{BANKS}/support/config", {"updates": {"enable_graph_retrieval": None}})
    assert "enable_graph_retrieval" not in back.json()["overrides"]
    assert client.delete(f"{BANKS}/support/config").json()["overrides"] == {}


@pytest.mark.parametrize(
    ("updates", "word"),
    [
        ({"colour": 1}, "colour"),
        ({"enable_reranking": "yes"}, "true or false"),
        ({"recall_budget_function": "magic"}, "fixed, adaptive"),
        ({"disposition_empathy": 6}, "between 1 and 5"),
        ({"recall_budget_fixed_low": 0}, "between"),
    ],
)
def test_setting_that_does_not_fit_is_refused(client: APIClient, updates: Any, word: str) -> None:
    client.put(f"{BANKS}/support", {})
    refused = client.patch(f"{BANKS}/support/config", {"updates": updates})
    assert refused.status_code == 422
    assert word in refused.json()["detail"]
    assert client.get(f"{BANKS}/support/config").json()["overrides"] == {}


def test_place_in_a_list_is_a_number(client: APIClient) -> None:
    client.put(f"{BANKS}/support", {})
    refused = client.post(f"{BANKS}/support/memories", {"items": [{"content": "a"}, {}]})
    assert [one["loc"] for one in refused.json()["detail"]] == [["body", "items", 1, "content"]]
    tags = client.post(f"{BANKS}/support/memories/recall", {"query": "a", "tags": ["a", 5]})
    assert [one["loc"] for one in tags.json()["detail"]] == [["body", "tags", 1]]


def test_unknown_field_is_refused_with_its_place(client: APIClient) -> None:
    refused = client.put(f"{BANKS}/support", {"colour": "red", "disposition": {"skepticism": 9}})
    assert refused.status_code == 422
    assert refused.json()["detail"] == [
        {"loc": ["body", "colour"], "msg": "This field is not known.", "type": "invalid"}
    ]
    assert names(client) == []


def test_names_are_percent_encoded(client: APIClient) -> None:
    for name in ("a b", "naïve:bank", "x') OR 1=1 --", "50%25"):
        made = client.put(f"{BANKS}/{name.replace('%', '%25').replace(' ', '%20')}", {})
        assert made.json()["bank_id"] == name
    assert len(names(client)) == 4


def test_fc_59_half_a_surrogate_pair_never_reaches_the_database(client: APIClient) -> None:
    body = '{"name": "a\\ud83d", "mission": "b\\u0000c"}'
    made = client.generic("PUT", f"{BANKS}/x", body, content_type="application/json").json()
    assert (made["name"], made["mission"]) == ("a\ufffd", "bc")
    refused = client.generic("PUT", f"{BANKS}/x", '{"\\ud83d": 1}', content_type="application/json")
    assert refused.status_code == 422


def test_retired_addresses_say_so(client: APIClient) -> None:
    client.put(f"{BANKS}/x", {})
    assert client.get(f"{BANKS}/x/profile").status_code == 410
    assert client.put(f"{BANKS}/x/profile", {}).status_code == 410
    assert client.post(f"{BANKS}/x/background", {"content": "y"}).status_code == 410


@pytest.mark.parametrize("call", NOT_OFFERED, ids=lambda call: call.name)
def test_what_is_not_offered_says_so(client: APIClient, call: Any) -> None:
    path = call.path.replace("<id:", "<").replace("<long_id:", "<")
    address = "/v1/default/" + path.replace("<", "x").replace(">", "")
    for method in call.methods:
        reply = client.generic(method, address)
        assert (reply.status_code, reply.json()) == (501, {"detail": call.sentence})
        assert APIClient().generic(method, address).status_code == 401
