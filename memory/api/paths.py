"""Ids in addresses. They may hold anything: ``hr/alice``, ``50%``, ``a/chunks``.

A server hands the path on decoded, where the slash of ``banks/hr%2Falice`` is like any other. So the
API's addresses are matched as they were sent, and each id is decoded on its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final
from urllib.parse import quote, unquote

from django.http import HttpRequest, HttpResponseBase
from django.urls import is_valid_path
from django.urls.converters import PathConverter, StringConverter

ROOT: Final = "/v1/default/"
_URLS: Final = "memory.urls"
_BANKS: Final = "banks/"
_MOST_PARTS: Final = 10  # of an id that is guessed


class AnythingConverter(PathConverter):
    """Slashes and line ends too: an id that nothing has is not there, in the API's own words."""

    regex = r"[\s\S]+"


class IdConverter(StringConverter):
    """An id whose slashes are encoded."""

    def to_python(self, value: str) -> str:
        return unquote(value)


class LongIdConverter(AnythingConverter):
    """An id that may also be sent with its slashes as they are."""

    def to_python(self, value: str) -> str:
        return unquote(value)


class AddressAsSentMiddleware:
    """Puts what was sent in the place of what the server decoded, for the views of this API alone."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path_info.startswith(ROOT):
            request.path_info = ROOT + (_sent(request) or _guessed(request.path_info[len(ROOT) :]))
        return self.get_response(request)


def _sent(request: HttpRequest) -> str:
    """What stands behind ``ROOT``; empty where the server does not say. Those for production do."""
    uri = request.META.get("RAW_URI") or request.META.get("REQUEST_URI") or ""
    if "://" in uri.partition("?")[0]:  # the address in full, as to a proxy
        uri = "/" + uri.split("/", 3)[-1]
    path = uri.partition("?")[0].removeprefix(request.META.get("SCRIPT_NAME", ""))
    if not path.startswith(ROOT):
        return ""
    return (
        path.removeprefix(ROOT).encode("latin-1", "replace").decode("utf-8", "replace")
    )  # as WSGI passes bytes


def _guessed(path: str) -> str:
    """The decoded path, encoded again. The bank's id is the shortest with which it is an address."""
    encoded = quote(path)
    parts = encoded.removeprefix(_BANKS).split("/")
    for length in range(1, min(len(parts), _MOST_PARTS) + 1):
        guess = "/".join((_BANKS + "%2F".join(parts[:length]), *parts[length:]))
        if encoded.startswith(_BANKS) and is_valid_path(f"/{guess}", _URLS):
            return guess
    return encoded
