"""Every address of the administration and every class in it: there for its admins, for nobody else.

Classes come from the admin registry and addresses from the URL conf. A class needs a row in
``world.rows_of``; an address of its own needs a line in ``OWN``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.admin.utils import quote
from django.db.models import Model
from django.urls import reverse

from memory import tenancy
from memory.admin_site import site
from tests.sweep.asking import Route, Seen, routes, seen, send
from tests.sweep.world import SECRET, WORD, World, rows_of

MODELS = sorted(site._registry, key=lambda model: model._meta.label)
ROUTES = [route for route in routes() if route.name.startswith("admin:")]
OF_OBJECTS = [route for route in ROUTES if "object_id" in route.parameters]
OTHERS = [route for route in ROUTES if "object_id" not in route.parameters]

# What the admin of the organisation gets; for the addresses of one object with a row of their own.
STANDARD = {
    "changelist": {200, 302},
    "add": {200, 302, 403},
    "history": {404},
    "delete": {403},
    "change": {200},
    "": {302},  # the address without "change/" leads to it
}
OWN: dict[str, dict[str, int]] = {
    "admin:index": {"GET": 200},
    "admin:logout": {"POST": 302},
    "admin:password_change": {"GET": 200},
    "admin:password_change_done": {"GET": 200},
    "admin:autocomplete": {"GET": 403},  # without saying for which field
    "admin:jsi18n": {"GET": 200},
    "admin:search": {"GET": 404},
    "admin:toggle_sidebar": {"GET": 405, "POST": 200},
    "admin:app_list": {"GET": 200},
    "admin:kb_doc_index": {"GET": 405, "POST": 302},
    "admin:kb_doc_retry_failed": {"GET": 405, "POST": 302},
    "admin:kb_history_verify": {"GET": 405, "POST": 302},
    "admin:memory_apikey_revoke": {"GET": 405, "POST": 302},
    "admin:memory_invitation_renew": {"GET": 405, "POST": 302},
    "admin:memory_invitation_revoke": {"GET": 405, "POST": 302},
    "admin:memory_membership_password": {"GET": 405, "POST": 302},
    "admin:memory_bank_recall": {"GET": 200},
    "admin:memory_operation_cancel": {"GET": 405, "POST": 302},
    "admin:memory_operation_retry": {"GET": 405, "POST": 302},
}
NOT_ADMINS = (
    "anonymous",
    "stranger",
    "reader",
    "editor",
    "owner",
    "key of admin",
    "key of outsider",
)
DECLARED = {f"admin:{model._meta.app_label}_{model._meta.model_name}" for model in MODELS}


def kind_of(route: Route) -> str | None:
    """``change`` and the like, for the addresses that every class has; None for its own."""
    if route.name == "admin:":
        return ""
    model, _, kind = route.name.rpartition("_")
    return kind if model in DECLARED and kind in STANDARD else None


def model_of(route: Route) -> type[Model]:
    """From the beginning of the address: ``admin/kb/doc/…``."""
    _, app_label, model_name, *_ = route.pattern.split("/")
    return next(
        model
        for model in MODELS
        if (model._meta.app_label, model._meta.model_name) == (app_label, model_name)
    )


def values_of(world: World, route: Route, *, app_label: str = "kb") -> dict[str, Any]:
    if "object_id" not in route.parameters:
        return {"app_label": app_label}
    with tenancy.scope(world.tenant.pk):
        row = rows_of(world)[model_of(route)]()
    return {"object_id": row.pk}


def absent_values(values: dict[str, Any]) -> dict[str, Any]:
    return values | {"object_id": "00000000-0000-4000-8000-000000000000"}


def test_every_class_has_a_row_to_look_for(world: World) -> None:
    assert set(MODELS) <= set(rows_of(world))


def test_every_address_of_its_own_says_what_it_does() -> None:
    own = {route.name for route in ROUTES if kind_of(route) is None}
    assert own <= set(OWN)


@pytest.mark.parametrize("route", ROUTES, ids=lambda one: one.pattern)
def test_admin_gets_what_is_declared(world: World, route: Route) -> None:
    address = route.address(values_of(world, route))
    kind = kind_of(route)
    if kind is not None:
        response = send(world.clients["admin"], "GET", address)
        assert response.status_code in STANDARD[kind]
        return
    for method, status in OWN[route.name].items():
        response = send(world.clients["admin"], method, address)
        assert response.status_code == status, method


@pytest.mark.parametrize("route", ROUTES, ids=lambda one: one.pattern)
def test_whoever_is_no_admin_learns_nothing(world: World, route: Route) -> None:
    values = values_of(world, route)
    absent = absent_values(values)
    for actor in NOT_ADMINS:
        for method in ("GET", "POST"):
            there = _seen(world, actor, method, route, values)
            assert there.status in {302, 404}, (actor, method)
            if there.status == 302:
                assert "/sign-in" in there.location, (actor, method)
            assert SECRET not in there.text, (actor, method)
            if actor not in ("reader", "editor", "owner"):  # theirs names their organisation
                assert WORD not in there.text, (actor, method)
            if "object_id" in route.parameters:
                assert there == _seen(world, actor, method, route, absent), (actor, method)


@pytest.mark.parametrize("route", OF_OBJECTS, ids=lambda one: one.pattern)
def test_admin_elsewhere_cannot_tell_a_row_from_none(world: World, route: Route) -> None:
    values = values_of(world, route)
    for method in ("GET", "POST"):
        there = _seen(world, "outsider", method, route, values)
        absent = _seen(world, "outsider", method, route, absent_values(values))
        assert there == absent, method
        assert WORD not in there.text, method


@pytest.mark.parametrize("route", OTHERS, ids=lambda one: one.pattern)
def test_admin_elsewhere_sees_no_word_of_it(world: World, route: Route) -> None:
    for app_label in ("kb", "memory"):
        values = {"app_label": app_label}
        for query in ("", f"?q={WORD}"):
            response = send(world.clients["outsider"], "GET", route.address(values) + query)
            shown = seen(response, {"it": WORD, "capitalised": WORD.title()})
            assert WORD not in shown.text


@pytest.mark.parametrize("model", MODELS, ids=lambda one: one._meta.label)
def test_list_counts_only_its_own(world: World, model: type[Model]) -> None:
    """A search for a word of the other organisation finds as much as one for nonsense."""
    url = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    found = [
        seen(send(world.clients["outsider"], "GET", f"{url}?q={word}"), {"it": word})
        for word in (WORD, "absentword")
    ]
    assert found[0] == found[1]


def autocompletes() -> Iterator[tuple[str, str, str]]:
    for model, admin in site._registry.items():
        for field in admin.autocomplete_fields:
            yield model._meta.app_label, model._meta.model_name or "", field


@pytest.mark.parametrize("field", list(autocompletes()), ids=".".join)
def test_suggestions_end_at_the_organisation(world: World, field: tuple[str, str, str]) -> None:
    query = dict(zip(("app_label", "model_name", "field_name"), field, strict=True))
    url = reverse("admin:autocomplete")
    found = {}
    for actor in ("admin", "outsider"):
        response = send(world.clients[actor], "GET", url, query | {"term": WORD})
        found[actor] = response.json()["results"]
    assert found["admin"]
    assert found["outsider"] == []


@pytest.mark.parametrize("model", MODELS, ids=lambda one: one._meta.label)
def test_action_on_a_row_of_another_organisation_does_nothing(
    world: World, model: type[Model]
) -> None:
    admin = site._registry[model]
    meta = model._meta
    url = reverse(f"admin:{meta.app_label}_{meta.model_name}_changelist")
    with tenancy.scope(world.tenant.pk):
        row = rows_of(world)[model]()
    for action in admin.actions or ():
        name = action if isinstance(action, str) else action.__name__
        replies = [
            seen(
                send(
                    world.clients["outsider"],
                    "POST",
                    url,
                    {"action": name, "_selected_action": [chosen]},
                ),
                {"it": chosen},
            )
            for chosen in (quote(row.pk), "00000000-0000-4000-8000-000000000000")
        ]
        assert replies[0] == replies[1]
        assert not re.search(WORD, replies[0].text)


def _seen(world: World, actor: str, method: str, route: Route, values: dict[str, Any]) -> Seen:
    return seen(send(world.clients[actor], method, route.address(values)), values)
