from __future__ import annotations

from typing import Any

import pytest
from django.db import connections
from django.test import Client
from redis.exceptions import ConnectionError as BrokerGone

from config import health, heartbeat
from memory import recipes
from memory.errors import UnsafeRole
from memory.seams import Recipe

pytestmark = pytest.mark.django_db


@pytest.fixture
def worker() -> Any:
    heartbeat.beat()
    server = heartbeat.server()
    yield
    server.delete(heartbeat.KEY)


@pytest.mark.usefixtures("worker")
def test_health_is_ok_when_database_broker_and_worker_answer(client: Client) -> None:
    response = client.get("/health")
    assert response.status_code == 200
    assert response.json() == {
        "status": "ok",
        "missing": {},
        "database": "ok",
        "broker": "ok",
        "worker": "ok",
        "demo": "ok",
    }
    assert response["Cache-Control"] == "no-store"


@pytest.mark.usefixtures("worker")
@pytest.mark.parametrize("path", ["/health", "/health/live", "/health/ready", "/version"])
def test_probes_answer_whatever_the_host_and_without_tls(
    client: Client, settings: Any, path: str
) -> None:
    settings.ALLOWED_HOSTS = ["kb.example"]
    settings.SECURE_SSL_REDIRECT = True
    assert client.get(path, headers={"host": "10.1.2.3:8000"}).status_code == 200


def test_other_paths_still_check_the_host(client: Client, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["kb.example"]
    assert client.get("/health/", headers={"host": "10.1.2.3"}).status_code == 400


def test_missing_worker_is_named(client: Client) -> None:
    heartbeat.end()
    response = client.get("/health")
    assert response.status_code == 503
    assert response.json()["missing"] == {"worker": "No worker answers."}
    assert client.get("/health/ready").status_code == 200


@pytest.mark.usefixtures("worker")
def test_unreachable_broker_is_named_and_not_a_crash(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone() -> None:
        raise BrokerGone("Error 111 connecting to secret.example")

    monkeypatch.setattr(heartbeat, "server", gone)
    response = client.get("/health")
    assert response.status_code == 503
    assert set(response.json()["missing"]) == {"broker", "worker"}
    assert "secret.example" not in response.content.decode()


@pytest.mark.usefixtures("worker")
def test_fc_37_health_refuses_a_role_that_ignores_row_rules(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise UnsafeRole("Database role postgres is a superuser and ignores row security.")

    monkeypatch.setattr(health, "refuse_unsafe_role", refuse)
    response = client.get("/health")
    assert response.status_code == 503
    assert "is a superuser" in response.json()["missing"]["database"]


@pytest.mark.django_db(databases=["default", "owner"])
def test_fc_37_owner_connection_is_refused() -> None:
    from memory.checks import refuse_unsafe_role

    with pytest.raises(UnsafeRole, match="footnote_owner has BYPASSRLS"):
        refuse_unsafe_role("owner")
    refuse_unsafe_role("default")
    assert connections["default"].settings_dict["USER"] == "footnote_app"


@pytest.mark.usefixtures("worker")
def test_pending_demo_pages_are_counted(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "count_pending", lambda: 3)
    response = client.get("/health")
    assert response.status_code == 503
    assert response.json()["missing"] == {"demo": "3 demo pages are not indexed yet."}


@pytest.mark.usefixtures("worker")
def test_fc_55_vectors_of_another_encoder_are_a_warning_and_no_outage(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    change = recipes.RecipeChange(Recipe("secret-model", 384), Recipe("new", 384), 12)
    monkeypatch.setattr(recipes, "all_changes", lambda: [change])
    monkeypatch.setattr(health, "_vectors_seen", (0.0, None))
    response = client.get("/health")
    assert response.status_code == 200
    assert response.json()["warnings"] == {
        "vectors": "12 passages have vectors of another encoder: run manage.py reindex."
    }
    monkeypatch.setattr(
        recipes, "all_changes", lambda: pytest.fail("asked again within the minute")
    )
    assert "warnings" in client.get("/health").json()


def test_probes_only_read(client: Client) -> None:
    assert client.post("/health").status_code == 405
    assert client.head("/health/live").status_code == 200


def test_heartbeat_fades_by_itself() -> None:
    heartbeat.beat()
    assert heartbeat.is_fresh()
    assert 0 < heartbeat.server().ttl(heartbeat.KEY) <= heartbeat.LIFETIME_SECONDS
    heartbeat.end()
    assert not heartbeat.is_fresh()


def test_queue_length_counts_messages_that_no_worker_took() -> None:
    from config.celery import app

    heartbeat.server().delete(heartbeat.QUEUE)
    app.send_task("kb.tasks.reconcile")
    assert heartbeat.queue_length() == 1
    heartbeat.server().delete(heartbeat.QUEUE)


def test_metrics_are_prometheus_text_for_a_direct_local_caller(client: Client) -> None:
    response = client.get("/metrics")
    assert response.status_code == 200
    assert "footnote_database_up 1\n" in response.content.decode()
    assert "tenant" not in response.content.decode()


@pytest.mark.parametrize(
    ("headers", "address"),
    [({"X-Forwarded-For": "9.9.9.9"}, "127.0.0.1"), ({}, "10.0.0.5"), ({}, "")],
)
def test_metrics_are_hidden_from_everybody_else(
    client: Client, headers: dict[str, str], address: str
) -> None:
    assert client.get("/metrics", headers=headers, REMOTE_ADDR=address).status_code == 404


def test_metrics_token_opens_them_from_anywhere(client: Client, settings: Any) -> None:
    settings.METRICS_TOKEN = "a-token"
    right = {"Authorization": "Bearer a-token"}
    wrong = {"Authorization": "Bearer b-token"}
    assert client.get("/metrics", headers=right, REMOTE_ADDR="10.0.0.5").status_code == 200
    assert client.get("/metrics", headers=wrong, REMOTE_ADDR="127.0.0.1").status_code == 404
