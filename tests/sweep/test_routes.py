"""Every address outside the administration: who gets what, and that the others learn nothing.

An address that is not in ``EXPECTED`` fails here, and so does a method that answers without being
named. Whoever is not named for a method gets what they would get for an object that does not exist:
the same status, the same place to go to, the same words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from tests.sweep.asking import METHODS, routes, seen, send
from tests.sweep.memory_routes import MEMORY
from tests.sweep.replies import EVERYBODY, HIDDEN, Reply, everybody, members, only, writers
from tests.sweep.world import SECRET, WORD, Target, World

ROUTES = {route.name: route for route in routes() if not route.name.startswith("admin:")}

FORM = {"title": "New", "source": "New words.", "status": "draft", "visibility": "org_only"}
CHANGE = FORM | {"slug": "{slug}", "base_revision": "999"}

PAGES: dict[str, dict[str, Reply]] = {
    # Accounts
    "home": {"GET": everybody(302)},
    "login": {
        "GET": everybody(302, anonymous=200),
        "POST": everybody(302, anonymous=200),
        "PUT": everybody(302, anonymous=200),
    },
    "logout": {"POST": everybody(302)},
    "switch": {
        "GET": everybody(200, anonymous=302),
        "POST": Reply(
            dict.fromkeys(("reader", "editor", "owner", "admin"), 302), {"tenant": "{tenant}"}
        ),
    },
    "password-reset": {"GET": everybody(200), "POST": everybody(200)},
    "password-reset-sent": {"GET": everybody(200)},
    "password-new": dict.fromkeys(METHODS, everybody(200)),  # "this link does not hold"
    "password-change": {
        "GET": everybody(200, anonymous=302),
        "POST": everybody(200, anonymous=302),
        "PUT": everybody(200, anonymous=302),
    },
    # Open to whoever has the address
    "join": {
        "GET": everybody(200),
        "POST": Reply(everybody(302, anonymous=400).who, data={"username": ""}),
    },
    "shared-page": {"GET": everybody(200)},
    "shared-file": {"GET": everybody(200)},
    # Lists
    "pages": {"GET": members(200)},
    "search": {"GET": members(200, query="?q=fee")},
    "search-suggestions": {"GET": members(200, query="?q=fee")},
    "ask": {"GET": members(200)},
    "base-ask": {"POST": members(302, {"question": "What is the fee?"})},
    "questions": {"GET": members(200)},
    "questions-export": {"GET": members(200, query="?format=json")},
    "links": {"GET": writers(200)},
    "unanswered": {"GET": writers(200)},
    "bin": {"GET": writers(200), "POST": writers(404, {"doc": "{doc_id}"}, reader=404)},
    # One page
    "page": {"GET": members(200)},
    "page-ask": {"POST": members(302, {"question": "What is the fee?"})},
    "page-history": {"GET": writers(200)},
    "page-compare": {"GET": writers(200, query="?from=1&to=2")},
    "page-revision": {"GET": writers(200)},
    "page-restore": {"POST": writers(302, {"base_revision": "3"})},
    "question-feedback": {"POST": only("reader", "admin", status=302, data={"vote": "up"})},
    "file": {"GET": members(200)},
    # Writing
    "page-new": {"GET": writers(200), "POST": writers(302, FORM)},
    "page-edit": {"GET": writers(200), "POST": writers(409, CHANGE)},
    "page-delete": {"POST": writers(302)},
    "page-preview": {"POST": writers(200, {"source": "x"})},
    "autosave-new": {"POST": writers(200, {"source": "x", "source_format": "markdown"})},
    "autosave": {"POST": writers(200, {"source": "x", "source_format": "markdown"})},
    "files": {"POST": writers(400)},
    "import": {"GET": writers(200), "POST": writers(400)},
    "import-job": {"GET": only("owner", "admin", status=200)},
    "import-progress": {"GET": only("owner", "admin", status=200)},
    "page-share": {"GET": writers(200), "POST": writers(302, {"hours": "24"})},
    "share-link-revoke": {"POST": writers(302)},
}

# A list over HTTP answers each caller from their own organisation.
OWN_LIST = {"reader": 200, "editor": 200, "owner": 200, "admin": 200, "outsider": 200}
NEW_PAGE = {"title": "New", "source": "Words."}

API: dict[str, dict[str, Reply]] = {
    "api-docs": {
        "GET": Reply(OWN_LIST),
        "POST": writers(201, NEW_PAGE, reader=403, outsider=201),
    },
    "api-doc": {
        "GET": members(200),
        "PATCH": writers(200, {"title": "Other"}, reader=403),
        "DELETE": writers(204, reader=403),
    },
    "api-base-ask": {"POST": Reply(OWN_LIST, data={"question": "What is the fee?"})},
    "api-search": {"GET": Reply(OWN_LIST, query="?q=fee")},
    "api-ask": {"POST": members(200, {"question": "What is the fee?"})},
    "api-share-links": {
        "GET": writers(200, reader=403),
        "POST": writers(201, reader=403),
    },
    "api-share-link": {"DELETE": writers(204, reader=403)},
    "api-history": {"GET": Reply(OWN_LIST, query="?doc_id={doc_id}")},
    "api-export": {"GET": Reply(OWN_LIST, query="?format=json&doc_id={doc_id}")},
    "api-feedback": {"POST": only("reader", "admin", status=200, data={"vote": "up"})},
    "api-schema": {"GET": Reply(OWN_LIST)},
    "api-reference": {"GET": Reply(OWN_LIST)},
    "api-missing": dict.fromkeys(METHODS, Reply(dict.fromkeys(OWN_LIST, 404))),
}
EXPECTED = PAGES | API | MEMORY
BY_SESSION = {"api-reference"}  # under /v1, and for people
OPEN = {"shared-page", "shared-file", "join"}  # to whoever has the address, by somebody's own act

_SIGNED_OUT = {"login": "anonymous"}  # who is signed in is sent on before the method counts

CASES = [
    pytest.param(name, method, id=f"{name} {method}")
    for name in sorted(EXPECTED)
    for method in EXPECTED[name]
]


def test_every_address_says_who_may_use_it() -> None:
    assert set(EXPECTED) == set(ROUTES)


def reply_to(world: World, name: str, method: str, actor: str, target: Target) -> Any:
    expected, route = EXPECTED[name][method], ROUTES[name]
    values = target.values
    address = expected.address(route.address(values), values)
    return send(world.clients[actor], method, address, expected.body(values))


def by_key(name: str) -> bool:
    return name in API | MEMORY and name not in BY_SESSION


@pytest.mark.parametrize(("name", "method"), CASES)
def test_who_may_gets_it_and_nobody_else(world: World, name: str, method: str) -> None:
    expected = EXPECTED[name][method]
    for actor in EVERYBODY:
        response = reply_to(world, name, method, actor, world.page)
        status = expected.status(actor, by_key=by_key(name))
        if status is None:
            assert response.status_code in HIDDEN, actor
        else:
            assert response.status_code == status, actor


@pytest.mark.parametrize(("name", "method"), CASES)
def test_whoever_may_not_cannot_tell_it_from_what_is_not_there(
    world: World, name: str, method: str
) -> None:
    if name in OPEN:
        return
    for actor in ("anonymous", "stranger", "outsider", "key of outsider"):
        there = seen(reply_to(world, name, method, actor, world.page), world.page.values)
        missing = seen(reply_to(world, name, method, actor, world.missing), world.missing.values)
        assert there == missing, actor
        assert WORD not in there.text, actor
        assert SECRET not in there.text, actor


@pytest.mark.parametrize(("name", "method"), CASES)
def test_page_for_others_is_not_there_for_its_own_organisation_either(
    world: World, name: str, method: str
) -> None:
    """The restricted page, for a reader and an editor outside its groups."""
    if name in OPEN:
        return
    named = set(ROUTES[name].parameters) - {"tenant_slug", "name"}
    queried = "{" in EXPECTED[name][method].query + str(EXPECTED[name][method].data)
    same = {key: world.secret.values[key] for key in ("tenant", "tenant_slug")}
    absent = Target(world.missing.values | same)
    for actor in ("reader", "key of reader", "editor"):
        secret = seen(reply_to(world, name, method, actor, world.secret), world.secret.values)
        assert SECRET not in secret.text, actor
        if named or queried:
            missing = seen(reply_to(world, name, method, actor, absent), absent.values)
            assert secret == missing, actor


@pytest.mark.parametrize("name", sorted(ROUTES))
def test_other_methods_are_refused(world: World, name: str) -> None:
    for method in METHODS:
        if method not in EXPECTED.get(name, {}):
            actor = "key of admin" if by_key(name) else _SIGNED_OUT.get(name, "admin")
            address = ROUTES[name].address(world.page.values)
            assert send(world.clients[actor], method, address).status_code == 405, method


@dataclass(frozen=True)
class Guess:
    """A request that names something in its query or body: ``{it}`` is there, or it is not."""

    name: str
    method: str = "GET"
    query: str = ""
    data: Mapping[str, Any] | None = None


# By what could be guessed: a word of a hidden page, somebody's question, a colleague's name.
OF_A_WORD = [
    Guess("pages", query="?q={it}"),
    Guess("api-docs", query="?q={it}"),
    Guess("api-search", query="?q={it}"),
    Guess("search", query="?q={it}"),
    Guess("search-suggestions", query="?q={it}"),
    Guess("api-history", query="?q={it}"),
    Guess("questions", query="?q={it}"),
]
OF_A_QUESTION = [
    Guess("page", query="?asked={it}"),
    Guess("ask", query="?asked={it}"),
    Guess("api-history", query="?q={it}"),
]
OF_A_NAME = [
    Guess("api-docs", "POST", data=NEW_PAGE | {"owner": "{it}"}),
    Guess("page-new", "POST", data=FORM | {"owner": "{it}"}),
    Guess("api-history", query="?user={it}"),
    Guess("questions-export", query="?format=json&user={it}"),
]


def guessed(world: World, guess: Guess, actor: str, it: str, tenant_slug: str) -> Any:
    values = world.page.values | {"tenant_slug": tenant_slug}
    data = {name: value.replace("{it}", it) for name, value in (guess.data or {}).items()}
    address = ROUTES[guess.name].address(values) + guess.query.replace("{it}", it)
    response = send(world.clients[actor], guess.method, address, data)
    return seen(response, values | {"it": it})


@pytest.mark.parametrize("guess", OF_A_WORD, ids=lambda one: one.name)
def test_word_of_a_hidden_page_finds_as_little_as_any_other(world: World, guess: Guess) -> None:
    for actor, slug in (
        ("reader", world.tenant.slug),
        ("key of reader", world.tenant.slug),
        ("editor", world.tenant.slug),
        ("outsider", world.other.slug),
        ("key of outsider", world.other.slug),
    ):
        hidden = guessed(world, guess, actor, SECRET, slug)
        assert hidden == guessed(world, guess, actor, "absentword", slug), actor


@pytest.mark.parametrize("guess", OF_A_QUESTION, ids=lambda one: one.name)
def test_question_of_somebody_else_is_not_there(world: World, guess: Guess) -> None:
    real, absent = (str(one.values["question_id"]) for one in (world.secret, world.missing))
    for actor, slug in (
        ("reader", world.tenant.slug),
        ("editor", world.tenant.slug),
        ("key of reader", world.tenant.slug),
        ("outsider", world.other.slug),
        ("key of outsider", world.other.slug),
    ):
        assert guessed(world, guess, actor, real, slug) == guessed(
            world, guess, actor, absent, slug
        ), actor


@pytest.mark.parametrize("guess", OF_A_NAME, ids=lambda one: one.name)
def test_name_of_somebody_elsewhere_is_nobody(world: World, guess: Guess) -> None:
    name = world.members["reader"].user.username
    for actor in ("outsider", "key of outsider"):
        assert guessed(world, guess, actor, name, world.other.slug) == guessed(
            world, guess, actor, "nobody-at-all", world.other.slug
        ), actor
