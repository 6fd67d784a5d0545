"""Asking over HTTP: the documented reply, its errors, and one's own history."""

from __future__ import annotations

import json
from typing import Any

import pytest
from rest_framework.test import APIClient

from kb import intake
from kb.models import Doc, QaQuestion
from memory import tenancy
from memory.models import Membership, Role
from memory.people import keys
from tests.asks import models, reply
from tests.factories import Org, edit_page, make_member, make_org, make_page

pytestmark = pytest.mark.django_db
CAP = "Overtime shall not exceed 12 hours per week."
NOTHING = {"answer": "", "confidence_score": 0, "citations": []}


@pytest.fixture
def org() -> Org:
    return make_org()


def client_of(member: Membership, **key: Any) -> APIClient:
    with tenancy.scope(member.tenant_id):
        token = keys.create_key(member, **key)
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
    return client


def ask(client: APIClient, doc: Doc, question: Any = "How much overtime?", **headers: str) -> Any:
    return client.post(f"/v1/kb/docs/{doc.pk}/ask", {"question": question}, headers=headers)


def test_fc_78_citation_in_a_table_names_its_section_and_row(org: Org) -> None:
    source = (
        "# Pay\n\n## Nights\n\n| Day | Rate |\n|---|---|\n| Sunday | 150 % |\n| Night | 130 % |\n"
    )
    doc = make_page(org, source, title="Pay")
    with models(lambda p: reply(p, "The rate at night is 130 %.", "Night\t130 %")):
        answer = ask(client_of(org.reader), doc, "What is the rate at night?").json()
    [citation] = answer["citations"]
    assert (citation["heading_path"], citation["row"]) == (["Pay", "Nights"], 2)
    assert citation["columns"] == ["Day", "Rate"]
    assert citation["before"] == "Pay\nNights\nDay\tRate\nSunday\t150 %\n"


def test_row_is_told_with_the_names_of_its_columns_and_quoted_without(org: Org) -> None:
    rows = "".join(f"| Town {n} | {n}0 | {n}5 |\n" for n in range(1, 40))
    doc = make_page(org, f"# Rates\n\n| City | Per diem | Hotel limit |\n|---|---|---|\n{rows}")
    body = ask(client_of(org.reader), doc, "What is the per diem in Town 27?").json()
    [citation] = body["citations"]
    assert body["answer_text"] == "Town 27 — Per diem 270 · Hotel limit 275 [1]"
    assert citation["quote"] == "Town 27\t270\t275"
    assert citation["columns"] == ["City", "Per diem", "Hotel limit"]
    # Its context begins and ends with whole rows.
    assert citation["before"].startswith("Town ")
    assert citation["before"].endswith("\n")
    assert all(line.count("\t") == 2 for line in citation["before"].splitlines())
    assert all(line.count("\t") == 2 for line in citation["after"].strip().splitlines())


def test_reply_has_exactly_the_documented_names(org: Org) -> None:
    doc = make_page(org, CAP, title="Overtime", slug="hr/overtime")
    with models(lambda p: reply(p, CAP, CAP)):
        body = ask(client_of(org.reader), doc).json()
    assert set(body) == set(
        "question_id trace_id answer_kind answer_text confidence_score reason citations claims missing"
        " unseen stale degraded doc_id doc_revision offset_unit remaining model".split()
    )
    assert (body["offset_unit"], body["doc_id"], body["doc_revision"]) == (
        "codepoint",
        str(doc.pk),
        1,
    )
    [citation] = body["citations"]
    assert set(citation) == set(
        "n doc_id doc_title revision chunk_id char_start char_end quote snippet before after"
        " heading_path row columns revised_at url".split()
    )
    assert citation["url"] == f"/{org.tenant.slug}/p/hr/overtime?cite=0-{len(CAP)}&rev=1#cite"
    [claim] = body["claims"]
    assert claim == {
        "text": CAP,
        "citations": [1],
        "verdict": "supported",
        "checks": dict.fromkeys(("quote", "figures", "names", "negation", "judge"), "ok"),
    }


def test_decline_is_200_with_a_reason(org: Org) -> None:
    doc = make_page(org, CAP)
    with models(NOTHING):
        reply_ = ask(client_of(org.reader), doc, "What is a prime number?")
    body = reply_.json()
    assert reply_.status_code == 200
    assert (body["answer_kind"], body["reason"]) == ("decline_no_evidence", "not_covered")
    assert (body["citations"], body["claims"]) == ([], [])


@pytest.mark.parametrize("name", ["doc_id", "foo", "min_score"])
def test_fc_56_a_field_that_is_not_known_is_refused_by_name(org: Org, name: str) -> None:
    doc = make_page(org, CAP)
    client = client_of(org.reader)
    body = {"question": "How much overtime?", name: 0}
    for address in ("/v1/kb/ask", f"/v1/kb/docs/{doc.pk}/ask"):
        with models(NOTHING):
            refused = client.post(address, body)
        assert (refused.status_code, set(refused.json()["fields"])) == (400, {name})
    with tenancy.scope(org.tenant.pk):
        assert not QaQuestion.objects.exists()


@pytest.mark.parametrize("layers", [150, 900, 50_000])
def test_json_that_is_nested_too_deeply_is_a_bad_request(org: Org, layers: int) -> None:
    nested = "[" * layers + "]" * layers
    refused = client_of(org.reader).post(
        "/v1/kb/ask", f'{{"question": {nested}}}', content_type="application/json"
    )
    assert (refused.status_code, refused.json()["detail"]) == (
        400,
        "The JSON is nested too deeply.",
    )


@pytest.mark.parametrize(
    "body", ["{}", '{"question": null}', '{"question": 7}', "[]", '{"question": " "}']
)
def test_fc_65_bad_body_is_400(org: Org, body: str) -> None:
    doc = make_page(org, CAP)
    reply_ = client_of(org.reader).post(
        f"/v1/kb/docs/{doc.pk}/ask", body, content_type="application/json"
    )
    assert reply_.status_code == 400
    assert set(reply_.json()) == {"detail"}


@pytest.mark.parametrize(
    ("raw", "shown"),
    [(r'"fee \ud83d ?"', "fee \ufffd ?"), (r'"fee \ud83d\ude00 ?"', "fee \U0001f600 ?")],
)
def test_fc_59_half_a_pair_is_replaced_and_a_whole_one_kept(org: Org, raw: str, shown: str) -> None:
    doc = make_page(org, CAP)
    client = client_of(org.reader)
    with models(NOTHING):
        reply_ = client.post(
            f"/v1/kb/docs/{doc.pk}/ask", f'{{"question": {raw}}}', content_type="application/json"
        )
    assert reply_.status_code == 200
    assert client.get("/v1/kb/qa/history").json()["results"][0]["question_text"] == shown


def test_key_without_the_ask_scope_is_refused(org: Org) -> None:
    doc = make_page(org, CAP)
    assert ask(client_of(org.reader, scopes=("kb:read",)), doc).status_code == 403
    assert ask(APIClient(), doc).status_code == 401


def test_idempotency_key_spends_one_ask(org: Org) -> None:
    doc = make_page(org, CAP)
    client = client_of(org.reader)
    headers = {"Idempotency-Key": "tab-1"}
    with models(lambda p: reply(p, CAP, CAP)):
        first, second = (ask(client, doc, **headers).json() for _ in range(2))
        other = ask(client, doc, "Something else?", **headers)
    assert first == second
    assert first["remaining"] == 49
    assert other.status_code == 409


def test_burst_is_refused_with_a_time_to_retry(org: Org, settings: Any) -> None:
    settings.FOOTNOTE = settings.FOOTNOTE | {"ASK_BURST": "2/m"}
    doc = make_page(org, CAP)
    client = client_of(org.reader)
    with models(NOTHING):
        codes = [ask(client, doc, f"Number {n}?").status_code for n in range(2)]
        refused = ask(client, doc, "Number 3?")
    assert codes == [200, 200]
    assert refused.status_code == 429
    assert int(refused["Retry-After"]) > 0


def test_history_is_one_s_own_and_an_admin_s_is_everybody_s(org: Org) -> None:
    doc = make_page(org, CAP)
    with models(NOTHING):
        ask(client_of(org.reader), doc, "Mine?")
        ask(client_of(org.editor), doc, "Theirs?")

    def questions(member: Membership) -> list[str]:
        results = client_of(member).get("/v1/kb/qa/history").json()["results"]
        return [one["question_text"] for one in results]

    assert questions(org.reader) == ["Mine?"]
    assert questions(org.admin) == ["Theirs?", "Mine?"]
    assert questions(make_org().admin) == []


def test_history_shows_what_became_of_each_citation(org: Org) -> None:
    doc = make_page(org, CAP)
    client = client_of(org.reader)
    with models(lambda p: reply(p, CAP, CAP)):
        ask(client, doc)

    def state() -> tuple[str, str]:
        [row] = client.get("/v1/kb/qa/history").json()["results"]
        return row["citations"][0]["state"], row["answer_text"]

    assert state() == ("current", f"{CAP} [1]")
    edit_page(org, doc, source=f"{CAP} More words.")
    assert state()[0] == "current"  # the words are still at their place
    edit_page(org, doc, source=f"Moved. {CAP}")
    assert state() == ("changed", f"{CAP} [1]")
    with tenancy.scope(org.tenant.pk):
        intake.delete_page(org.editor, doc)
    shown = state()
    assert shown[0] == "removed"
    assert "12" not in shown[1]


def test_fc_34_answer_is_hidden_when_its_source_is_closed_to_its_asker(org: Org) -> None:
    words = "The bonus pool is 90000 euros."
    secret = make_page(org, words, title="Bonus")
    doc = make_page(org, "See [[Bonus]].", title="Home")
    client = client_of(org.reader)
    with models(lambda p: reply(p, words, words)):
        assert "90000" in json.dumps(ask(client, doc, "How big is the bonus pool?").json())
    edit_page(org, secret, visibility="role_restricted", allowed_groups=["hr"])
    shown = json.dumps(client.get("/v1/kb/qa/history").json())
    assert "90000" not in shown
    assert "Bonus" not in shown
    assert str(secret.pk) not in shown
    insider = make_member(org, Role.ADMIN)
    assert "90000" in json.dumps(client_of(insider).get("/v1/kb/qa/history").json())


def test_ask_makes_no_more_queries_for_a_longer_page(
    org: Org, django_assert_max_num_queries: Any
) -> None:
    words = " ".join(f"word{n}" for n in range(300))
    doc = make_page(org, "\n\n".join(f"# Part {n}\n\n{words}" for n in range(20)))
    client = client_of(org.reader)
    with models(NOTHING), django_assert_max_num_queries(60):
        assert ask(client, doc).status_code == 200


def test_repeat_shows_nothing_of_a_page_that_was_closed_meanwhile(org: Org) -> None:
    words = "The bonus pool is 90000 euros."
    secret = make_page(org, words, title="Bonus")
    doc = make_page(org, "See [[Bonus]].", title="Home")
    client = client_of(org.reader)
    headers = {"Idempotency-Key": "tab-1"}
    question = "How big is the bonus pool?"
    with models(lambda p: reply(p, words, words)):
        assert "90000" in json.dumps(ask(client, doc, question, **headers).json())
    edit_page(org, secret, visibility="role_restricted", allowed_groups=["hr"])
    again = json.dumps(ask(client, doc, question, **headers).json())
    assert "90000" not in again
    assert str(secret.pk) not in again


@pytest.mark.parametrize("body", ["[" * 100_000, '{"question":' * 3000])
def test_json_nested_too_deeply_is_a_bad_request(org: Org, body: str) -> None:
    doc = make_page(org, CAP)
    answer = client_of(org.reader).post(
        f"/v1/kb/docs/{doc.pk}/ask", body, content_type="application/json"
    )
    assert (answer.status_code, set(answer.json())) == (400, {"detail"})
