"""The API on a page for people, made from the schema, so that it cannot say anything else.

The usual viewers want scripts from elsewhere; this page needs none, and reads like the product.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.views import SpectacularAPIView

from kb.api.permissions import IsMember
from memory.middleware import TenantRequest

_REF = "#/components/schemas/"


@dataclass(frozen=True, slots=True)
class Field:
    """``shape`` names a section of the page where the type is an object of its own."""

    name: str
    type: str
    about: str = ""
    shape: str = ""
    choices: tuple[str, ...] = ()
    required: bool = False


@dataclass(frozen=True, slots=True)
class Example:
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Body:
    """``code`` is empty on a request's body."""

    about: str
    type: str = ""
    shape: str = ""
    code: str = ""
    examples: tuple[Example, ...] = ()

    @property
    def is_error(self) -> bool:
        return self.code >= "400"


@dataclass(frozen=True, slots=True)
class Operation:
    name: str
    method: str
    path: str
    summary: str
    about: str
    parameters: tuple[Field, ...]
    request: Body | None
    replies: tuple[Body, ...]


@dataclass(frozen=True, slots=True)
class Group:
    name: str
    anchor: str
    operations: list[Operation] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Shape:
    name: str
    about: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Reference:
    groups: tuple[Group, ...]
    shapes: tuple[Shape, ...]


class SchemaView(SpectacularAPIView):
    """The schema itself, for members: YAML, or JSON with ``Accept: application/json``."""

    permission_classes = [IsMember]


@require_safe
@login_required
def reference_page(request: TenantRequest) -> HttpResponse:
    if request.member is None:
        raise Http404
    context = {"reference": reference(), "origin": f"{request.scheme}://{request.get_host()}"}
    return render(request, "kb/api_reference.html", context)


@cache
def reference() -> Reference:
    """The whole schema, read once: it changes with the code alone."""
    schema = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    components = schema["components"]["schemas"]
    groups: dict[str, Group] = {}
    for path, methods in schema["paths"].items():
        for method, described in methods.items():
            tag = described["tags"][0]
            group = groups.setdefault(tag, Group(tag, slugify(tag)))
            group.operations.append(_operation(path, method, described, components))
    shapes = tuple(
        Shape(name, shape.get("description", ""), tuple(_fields(shape, components)))
        for name, shape in components.items()
        if shape.get("properties")
    )
    return Reference(tuple(groups.values()), shapes)


def _operation(
    path: str, method: str, described: Mapping[str, Any], components: Mapping[str, Any]
) -> Operation:
    request = described.get("requestBody")
    return Operation(
        name=described["operationId"],
        method=method.upper(),
        path=path,
        summary=described.get("summary", ""),
        about=described.get("description", ""),
        parameters=tuple(
            _field(
                one["name"],
                {**one["schema"], "description": one.get("description", "")},
                components,
                required=one.get("required", False),
            )
            for one in sorted(described.get("parameters", ()), key=_place)
        ),
        request=next(_bodies("", request, components)) if request else None,
        replies=tuple(
            body
            for code, reply in described["responses"].items()
            for body in _bodies(str(code), reply, components)
        ),
    )


def _place(parameter: Mapping[str, Any]) -> int:
    """Those of the path first, as they stand in it; then the query's, then headers."""
    return ("path", "query", "header").index(parameter["in"])


def _bodies(
    code: str, described: Mapping[str, Any], components: Mapping[str, Any]
) -> Iterator[Body]:
    """One for each media type; one without a type where there is no body."""
    about = described.get("description", "")
    contents = described.get("content", {})
    if not contents:
        yield Body(about, code=code)
    for media_type, content in contents.items():
        kind, shape = _type(content.get("schema", {}))
        yield Body(
            about if media_type == "application/json" else f"{about} ({media_type})",
            type=kind,
            shape=shape if shape in components else "",
            code=code,
            examples=tuple(
                Example(name, _as_text(example.get("value")))
                for name, example in content.get("examples", {}).items()
            ),
        )


def _fields(shape: Mapping[str, Any], components: Mapping[str, Any]) -> Iterator[Field]:
    required = shape.get("required", ())
    for name, described in shape["properties"].items():
        yield _field(name, described, components, required=name in required)


def _field(
    name: str, described: Mapping[str, Any], components: Mapping[str, Any], *, required: bool
) -> Field:
    kind, shape = _type(described)
    target = components.get(shape, {})
    choices = described.get("enum") or target.get("enum") or ()
    return Field(
        name=name,
        type="text" if choices else kind,
        about=""
        if choices and "`" in described.get("description", "")
        else described.get("description", ""),
        shape=shape if target.get("properties") else "",
        choices=tuple(str(choice) for choice in choices if choice not in (None, "")),
        required=required,
    )


_WORDS = {"string": "text", "integer": "integer", "number": "number", "boolean": "true or false"}


def _type(described: Mapping[str, Any]) -> tuple[str, str]:
    """In words, and the component that it refers to."""
    several = described.get("allOf") or described.get("oneOf")
    if several:
        kind, shape = _type(several[0])
    elif "$ref" in described:
        kind = shape = described["$ref"].removeprefix(_REF)
    elif described.get("type") == "array":
        inner, shape = _type(described["items"])
        kind = f"list of {inner}"
    else:
        kind, shape = described.get("format") or _WORDS.get(described.get("type", ""), "object"), ""
    return (f"{kind} or null" if described.get("nullable") else kind), shape


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)
