"""Addresses with ids that may hold anything, and may end like the name of a part: ``a/chunks``."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponseBase
from django.urls import register_converter
from django.urls.converters import PathConverter


class AnythingConverter(PathConverter):
    """Slashes and line ends too: an id that nothing has is not there, in the API's own words."""

    regex = r"[\s\S]+"


register_converter(AnythingConverter, "anything")

_View = Callable[..., HttpResponseBase]


def part_or_whole(part: str, *, of_part: _View, of_whole: _View) -> _View:
    """The view of ``…/documents/{id}/{part}``, which leaves to the other one what is an id to its end.

    A server hands the address on decoded, where ``a%2Fchunks`` and ``a/chunks`` are the same. Those
    that keep it as it was sent say so in ``RAW_URI``; elsewhere the part is believed.
    """

    @wraps(of_part)
    def view(request: HttpRequest, bank_id: str, document_id: str) -> HttpResponseBase:
        sent = request.META.get("RAW_URI", "").partition("?")[0]
        if sent and not sent.endswith(f"/{part}"):
            return of_whole(request, bank_id=bank_id, document_id=f"{document_id}/{part}")
        return of_part(request, bank_id=bank_id, document_id=document_id)

    return view
