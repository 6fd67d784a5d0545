"""Requests of the sweep, and what of their responses can be compared."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
_PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")
# What differs between any two responses: tokens, new ids, the time.
_FLEETING = re.compile(
    r'name="csrfmiddlewaretoken" value="[^"]*"'
    r"|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    r"|\b[0-9a-f]{32}\b"
    r"|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:\+\d\d:\d\d|Z)?"
)


@dataclass(frozen=True)
class Route:
    name: str  # with its namespaces; after the last one empty where an address has no name
    pattern: str
    parameters: tuple[str, ...]

    def address(self, values: Mapping[str, Any]) -> str:
        given = {name: values[name] for name in self.parameters}
        if not self.name.endswith(":"):
            return reverse(self.name, kwargs=given)
        return "/" + _PARAMETER.sub(lambda match: str(given[match[1]]), self.pattern)


@dataclass(frozen=True)
class Seen:
    """What somebody gets, without what they sent themselves and what no two responses share."""

    status: int
    location: str
    content_type: str
    body: str

    @property
    def text(self) -> str:
        return f"{self.location} {self.body}".casefold()


def routes() -> list[Route]:
    """Every address of the URL conf. The administration's own fallback, which finds nothing, is none."""
    found = [
        Route(*one)
        for one in _walk(get_resolver().url_patterns, namespace="", before="", given=())
        if "(?P<url>" not in one[1]
    ]
    unnamed = [route.pattern for route in found if not route.name]
    assert not unnamed, f"addresses without a name cannot be swept: {unnamed}"
    return found


def _walk(
    patterns: list[Any], *, namespace: str, before: str, given: tuple[str, ...]
) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    for pattern in patterns:
        parameters = (*given, *_parameters(pattern))
        whole = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            inner = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            yield from _walk(pattern.url_patterns, namespace=inner, before=whole, given=parameters)
        elif isinstance(pattern, URLPattern):
            yield f"{namespace}{pattern.name or ''}", whole, parameters


def _parameters(pattern: Any) -> tuple[str, ...]:
    return tuple(pattern.pattern.converters) or tuple(pattern.pattern.regex.groupindex)


def send(client: Client, method: str, address: str, data: Any = None) -> Any:
    """The response. Whatever it did to the database is undone."""
    as_json = address.startswith("/v1/") and method != "GET"
    more: dict[str, Any] = {"content_type": "application/json"} if as_json else {}
    cookies = deepcopy(client.cookies)
    with transaction.atomic():
        response = getattr(client, method.lower())(address, data or {}, **more)
        if response.streaming:
            response.read = b"".join(response.streaming_content)
        transaction.set_rollback(True)
    client.cookies = cookies
    return response


def seen(response: Any, values: Mapping[str, Any]) -> Seen:
    body = response.read if response.streaming else response.content
    return Seen(
        response.status_code,
        _FLEETING.sub("", _blank(response.headers.get("Location", ""), values)),
        response.headers.get("Content-Type", ""),
        _FLEETING.sub("", _blank(body.decode("utf-8", "replace"), values)),
    )


def _blank(text: str, values: Mapping[str, Any]) -> str:
    """Without the parts of the address that was asked for: whoever sent them knows them."""
    for name, value in sorted(values.items(), key=lambda one: -len(str(one[1]))):
        for spelling in {str(value), quote(str(value)), quote(quote(str(value)))}:
            if len(spelling) > 2:
                text = text.replace(spelling, f"<{name}>")
    return text
