from __future__ import annotations

import json
import logging
from typing import Any, NoReturn

import pytest
from django.db import InterfaceError, OperationalError
from django.test import Client

from kb.api.search import SearchView
from memory.middleware import TenancyMiddleware
from tests.factories import make_org


@pytest.mark.django_db
def test_body_that_is_too_long_is_refused_in_the_api_s_own_words(settings) -> None:  # type: ignore[no-untyped-def]
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    org = make_org()
    client = Client()
    client.force_login(org.editor.user)
    response = client.post(
        "/v1/kb/docs", json.dumps({"source": "x" * 2000}), content_type="application/json"
    )
    assert (response.status_code, response.json()) == (
        413,
        {"detail": "The body of this request is too long."},
    )


# -- what nobody expected --------------------------------------------------------------------------


def raising(error: Exception) -> Any:
    def fail(*args: Any, **named: Any) -> NoReturn:
        raise error

    return fail


@pytest.fixture
def editor(db: None) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(make_org().editor.user)
    return client


LOST = OperationalError("consuming input failed: server closed the connection\nunexpectedly")


@pytest.mark.parametrize("error", [LOST, InterfaceError("the connection is closed")])
@pytest.mark.parametrize("path", ["/v1/kb/docs", "/v1/default/banks"])
def test_a_database_that_is_away_before_the_view_is_503_for_programs(
    editor: Client, monkeypatch: pytest.MonkeyPatch, path: str, error: Exception
) -> None:
    monkeypatch.setattr(TenancyMiddleware, "_by_session", raising(error))
    response = editor.get(path)
    assert (response.status_code, response.json(), response["Retry-After"]) == (
        503,
        {"detail": "The database does not answer. Try again in a moment."},
        "5",
    )


def test_a_database_that_goes_away_in_a_view_is_503(
    editor: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(SearchView, "get", raising(LOST))
    with caplog.at_level(logging.WARNING, "footnote.errors"):
        response = editor.get("/v1/kb/search?q=overtime")
    assert (response.status_code, response["Content-Type"]) == (503, "application/json")
    (record,) = [one for one in caplog.records if one.name == "footnote.errors"]
    assert record.error == "consuming input failed: server closed the connection"  # type: ignore[attr-defined]


def test_a_database_that_is_away_is_a_page_for_readers_and_json_for_their_scripts(
    editor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TenancyMiddleware, "_by_session", raising(LOST))
    page = editor.get("/", headers={"Accept": "text/html,*/*;q=0.8"})
    assert (page.status_code, page["Retry-After"]) == (503, "5")
    assert "<h1>" in page.text
    assert "The database does not answer." in page.text
    script = editor.get("/", headers={"Accept": "application/json"})
    assert (script.status_code, list(script.json())) == (503, ["detail"])


def test_a_fault_of_ours_stays_a_500_in_the_form_that_was_asked_for(
    editor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TenancyMiddleware, "_by_session", raising(ZeroDivisionError("no")))
    api = editor.get("/v1/kb/docs")
    assert (api.status_code, api.json()) == (
        500,
        {"detail": "Something went wrong here, and it has been noted."},
    )
    page = editor.get("/")
    assert page.status_code == 500
    assert "Something went wrong" in page.text
