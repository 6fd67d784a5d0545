"""The schema of the API: complete, with examples that hold, stable names, and no change unnoticed."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.test import Client
from django.urls import URLPattern, get_resolver
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiYamlRenderer
from drf_spectacular.validation import validate_schema
from rest_framework.test import APIClient

from kb.api import examples, reference
from memory import tenancy
from memory.api.not_offered import NOT_OFFERED
from memory.models import User
from memory.people import keys
from tests.factories import make_org

SNAPSHOT = Path(__file__).parent / "snapshots" / "openapi.yaml"
RENEW = "manage.py spectacular --file tests/snapshots/openapi.yaml"
ROOTS = ("v1/", "v1/default/")
NOT_IN_IT = {"schema", "docs"}  # the schema does not describe itself
# Of the Hindsight API, and answered with why not.
NOT_OFFERED_HERE = {call.name for call in NOT_OFFERED} | {"memory-profile", "memory-background"}


def generate() -> dict[str, Any]:
    schema: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return schema


SCHEMA = generate()
OPERATIONS = [
    pytest.param(path, method, described, id=described["operationId"])
    for path, methods in SCHEMA["paths"].items()
    for method, described in methods.items()
]
each_operation = pytest.mark.parametrize(("path", "method", "operation"), OPERATIONS)


def test_schema_is_the_snapshot() -> None:
    """A change that clients can see is seen here first: renew the snapshot with the change."""
    rendered = OpenApiYamlRenderer().render(generate()).decode()
    changes = difflib.unified_diff(
        SNAPSHOT.read_text().splitlines(),
        rendered.splitlines(),
        "snapshot",
        "now",
        lineterm="",
        n=1,
    )
    shown = "\n".join(changes)
    assert not shown, f"The API changed. If it should: {RENEW}\n{shown}"


def test_schema_is_openapi() -> None:
    validate_schema(generate())  # type: ignore[no-untyped-call]


def routes() -> Iterator[str]:
    for root in get_resolver().url_patterns:
        if str(root.pattern) in ROOTS:
            for route in root.url_patterns:
                assert isinstance(route, URLPattern)
                if str(route.pattern) not in NOT_IN_IT and route.name not in NOT_OFFERED_HERE:
                    path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", str(route.pattern))
                    yield f"/{root.pattern}{path}"


def test_every_route_is_described() -> None:
    assert set(routes()) == set(SCHEMA["paths"])


def test_names_are_unique_and_fit_every_language() -> None:
    names = [param.values[2]["operationId"] for param in OPERATIONS]  # type: ignore[index]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z]+(_[a-z]+)+", name) for name in names)


@each_operation
def test_operation_is_described_for_people(path: str, method: str, operation: Any) -> None:
    assert operation["summary"]
    assert len(operation["tags"]) == 1
    assert {"apiKey": []} in operation["security"]
    replies = operation["responses"]
    assert "401" in replies
    assert all(reply["description"] for reply in replies.values())
    assert ("404" in replies) == ("{" in path or "page" in str(operation.get("parameters")))
    if method != "get" and "requestBody" in operation:
        assert "400" in replies


@each_operation
def test_operation_has_an_example_of_every_body(path: str, method: str, operation: Any) -> None:
    bodies = [reply for reply in operation["responses"].values() if "content" in reply]
    if "requestBody" in operation:
        bodies.append(operation["requestBody"])
    for body in bodies:
        for media_type, content in body["content"].items():
            is_binary = content["schema"].get("format") == "binary"
            assert is_binary or content.get("examples"), (path, method, media_type)


@each_operation
def test_examples_have_exactly_the_fields_of_their_shape(
    path: str, method: str, operation: Any
) -> None:
    for reply in operation["responses"].values():
        content = reply.get("content", {}).get("application/json", {})
        for name, example in content.get("examples", {}).items():
            check(example["value"], content["schema"], f"{operation['operationId']}: {name}")


def check(value: Any, shape: dict[str, Any], where: str) -> None:
    """That an example is what its schema says: fields, kinds, choices."""
    for part in shape.get("allOf", ()):
        return check(value, {**part, "nullable": shape.get("nullable", False)}, where)
    if "oneOf" in shape:
        known = [one for one in shape["oneOf"] if "NullEnum" not in one.get("$ref", "")]
        return check(value, {**known[0], "nullable": True}, where)
    if value is None:
        assert shape.get("nullable"), f"{where} is null"
        return None
    if "$ref" in shape:
        name = shape["$ref"].rpartition("/")[2]
        return check(value, SCHEMA["components"]["schemas"][name], where)
    if "enum" in shape:
        assert value in shape["enum"], f"{where}: {value}"
    if shape.get("type") == "array":
        for one in value:
            check(one, shape["items"], f"{where}[]")
    if "properties" in shape:
        assert set(shape.get("required", ())) <= set(value) <= set(shape["properties"]), where
        for field, inner in value.items():
            check(inner, shape["properties"][field], f"{where}.{field}")
    return None


def test_examples_of_answers_keep_the_promise_of_offsets() -> None:
    [cited] = examples.ANSWER["citations"]
    assert examples.DOC["text"][cited["char_start"] : cited["char_end"]] == cited["quote"]


def test_errors_are_a_sentence_in_detail() -> None:
    for name in ("Error", "Invalid", "Conflict", "Limit"):
        assert "detail" in SCHEMA["components"]["schemas"][name]["required"]


@pytest.mark.django_db
def test_schema_and_page_are_for_members() -> None:
    org = make_org()
    with tenancy.scope(org.tenant.pk):
        key = keys.create_key(org.reader, scopes=("kb:read",))
    script = APIClient(HTTP_AUTHORIZATION=f"Bearer {key}")
    served = yaml.safe_load(script.get("/v1/schema").content)
    assert set(served["paths"]) == set(SCHEMA["paths"])
    assert json.loads(
        script.get("/v1/schema", HTTP_ACCEPT="application/vnd.oai.openapi+json").content
    )
    assert APIClient().get("/v1/schema").status_code == 401
    visitor, outsider, member = Client(), Client(), Client()
    outsider.force_login(User.objects.create(username="outsider"))
    member.force_login(org.reader.user)
    assert visitor.get("/v1/docs").status_code == 302
    assert outsider.get("/v1/docs").status_code == 404
    assert outsider.get("/v1/schema").status_code == 403
    assert member.get("/v1/docs").status_code == 200
    assert member.post("/v1/docs").status_code == 405


@pytest.mark.django_db
def test_page_shows_every_operation_and_runs_nothing_of_its_own() -> None:
    client = Client()
    client.force_login(make_org().reader.user)
    response = client.get("/v1/docs")
    page = response.content.decode()
    for param in OPERATIONS:
        path, _, operation = param.values
        assert f'id="{operation["operationId"]}"' in page  # type: ignore[index]
        assert f"<code>{path}</code>" in page
    for shape in reference.reference().shapes:
        assert f'id="shape-{shape.name}"' in page
    assert "``" not in page
    assert "<code>reason</code>" in page
    anchors = set(re.findall(r'href="#([^"]+)"', page))
    assert anchors <= set(re.findall(r'id="([^"]+)"', page))
    assert not re.search(r"<script(?![^>]*\bsrc=)|\sstyle=|\son\w+=", page)
    assert "'unsafe-inline'" not in response["Content-Security-Policy"]
