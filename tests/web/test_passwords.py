"""A lost password, a new one, and a change: in the browser."""

from __future__ import annotations

from typing import Any

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client
from kombu.exceptions import OperationalError

from kb.views import passwords as views
from memory import tasks
from memory.models import User
from memory.people import passwords
from tests.factories import Org
from tests.web.conftest import SignedIn

NEW = "correct-horse-battery"


@pytest.fixture
def reader(org: Org) -> User:
    User.objects.filter(pk=org.reader.user_id).update(email="mai@example.org")
    return User.objects.get(pk=org.reader.user_id)


@pytest.fixture
def mail_server(settings: Any, eager_tasks: None) -> None:
    settings.EMAIL_HOST = "mail.example"
    cache.clear()


def text_of(response: Any) -> str:
    return str(response.content, "utf-8")


def link_in_mail() -> str:
    lines = mail.outbox[-1].body.splitlines()
    return next(line for line in lines if line.startswith("http://testserver/"))


def test_without_a_mail_server_the_page_says_whom_to_ask(visitor: Client, reader: User) -> None:
    shown = text_of(visitor.get("/password-reset"))
    assert "Ask an admin of your organisation" in shown
    assert "<form" not in shown.split("<main")[1]
    visitor.post("/password-reset", {"account": reader.username})
    assert mail.outbox == []


def test_mailed_link_sets_a_new_password_once(
    visitor: Client, reader: User, mail_server: None
) -> None:
    visitor.post("/password-reset", {"account": "mai@example.org"})
    link = link_in_mail()
    form = visitor.get(link)["Location"]  # the token goes into the session, out of the address
    assert form.endswith("/set-password")
    assert reader.username in text_of(visitor.get(form))
    response = visitor.post(form, {"new_password1": NEW, "new_password2": NEW}, follow=True)
    assert "Your new password holds" in text_of(response)
    assert Client().login(username=reader.username, password=NEW)
    assert "This link no longer works" in text_of(Client().get(link, follow=True))


def test_answer_is_the_same_whether_the_account_exists_or_not(
    visitor: Client, reader: User, mail_server: None, django_assert_num_queries: Any
) -> None:
    def ask(account: str) -> tuple[int, str]:
        response = visitor.post("/password-reset", {"account": account})
        return response.status_code, response["Location"]

    assert ask(reader.username) == ask("nobody@example.org") == (302, "/password-reset/sent")
    assert len(mail.outbox) == 1


def test_asking_for_nobody_also_hands_a_task_to_the_worker(
    visitor: Client, reader: User, mail_server: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[list[str]] = []
    monkeypatch.setattr(
        tasks.mail_password_links, "delay", lambda user_ids, link_of: sent.append(user_ids)
    )
    visitor.post("/password-reset", {"account": reader.username})
    visitor.post("/password-reset", {"account": "nobody"})
    assert sent == [[str(reader.pk)], []]


def test_unreachable_worker_is_not_told_either(
    visitor: Client, reader: User, mail_server: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: Any) -> None:
        raise OperationalError

    monkeypatch.setattr(tasks.mail_password_links, "delay", refuse)
    response = visitor.post("/password-reset", {"account": reader.username})
    assert response["Location"] == "/password-reset/sent"


def test_many_requests_for_one_account_send_no_more_mail(
    visitor: Client, reader: User, mail_server: None
) -> None:
    answers = {
        visitor.post("/password-reset", {"account": reader.username})["Location"] for _ in range(7)
    }
    assert answers == {"/password-reset/sent"}
    assert len(mail.outbox) == int(views.PER_ACCOUNT.split("/")[0])


def test_weak_password_is_refused_and_the_link_still_holds(visitor: Client, reader: User) -> None:
    who, token = passwords.address_of(reader)
    form = visitor.get(f"/password-reset/{who}/{token}")["Location"]
    shown = text_of(visitor.post(form, {"new_password1": "12345678", "new_password2": "12345678"}))
    assert "too common" in shown
    assert visitor.post(form, {"new_password1": NEW, "new_password2": NEW}).status_code == 302


@pytest.mark.parametrize("path", ["x/y", "MQ/set-password", "/"])
def test_made_up_link_says_that_it_does_not_work(visitor: Client, org: Org, path: str) -> None:
    response = visitor.get(f"/password-reset/{path}")
    assert response.status_code in (200, 404)
    assert "new_password1" not in text_of(response)


def test_password_is_changed_by_who_knows_the_old_one(org: Org, visitor: Client) -> None:
    user = org.reader.user
    user.set_password("old-horse-battery")
    user.save()
    here, elsewhere = Client(), Client()
    for client in (here, elsewhere):
        assert client.login(username=user.username, password="old-horse-battery")
    fields = {"new_password1": NEW, "new_password2": NEW}
    wrong = here.post("/password-change", fields | {"old_password": "wrong"})
    assert "entered incorrectly" in text_of(wrong)
    right = here.post("/password-change", fields | {"old_password": "old-horse-battery"})
    assert right["Location"] == "/"
    assert here.get("/")["Location"] == f"/{org.tenant.slug}/"  # still signed in
    assert elsewhere.get("/")["Location"] == "/sign-in"


def test_visitor_signs_in_before_changing_a_password(visitor: Client) -> None:
    assert visitor.get("/password-change")["Location"] == "/sign-in?next=/password-change"


def test_switching_from_the_administration_leads_back_to_it(org: Org, signed_in: SignedIn) -> None:
    client = signed_in(org.admin)
    assert 'name="to" value="admin"' in text_of(client.get("/switch?to=admin"))
    chosen = {"tenant": str(org.tenant.pk), "to": "admin"}
    assert client.post("/switch", chosen)["Location"] == "/admin/"
    assert signed_in(org.reader).post("/switch", chosen)["Location"] == f"/{org.tenant.slug}/"
