"""Errors of the memory API: ``{"detail": …}``, a sentence, or for a field that does not fit a list of
``{loc, msg, type}``. Nothing of the database's own words is ever among them.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from django.db import InterfaceError, OperationalError, transaction
from django.http import Http404
from rest_framework import status
from rest_framework.exceptions import APIException, ErrorDetail, ValidationError
from rest_framework.response import Response
from rest_framework.views import exception_handler

from memory import tenancy
from memory.errors import (
    BankNotFound,
    DirectiveNotFound,
    DocumentNotFound,
    ExtractionFailed,
    GeneratorFailed,
    InvalidBank,
    InvalidMemory,
    InvalidMentalModel,
    InvalidQuery,
    InvalidTags,
    InvalidTime,
    MemoryNotFound,
    MentalModelExists,
    MentalModelNotFound,
    OperationNotFound,
)
from memory.language.text import normalise_source
from memory.retain.writing import Overtaken

logger = logging.getLogger("footnote.memory_api")
RETRY_SECONDS = 1
_R = TypeVar("_R", bound="Response | None")
MISSING: Mapping[type[Exception], str] = {
    BankNotFound: "There is no bank of this name.",
    DirectiveNotFound: "There is no directive of this id in the bank.",
    DocumentNotFound: "There is no document of this id in the bank.",
    MemoryNotFound: "There is no memory of this id in the bank.",
    MentalModelNotFound: "There is no mental model of this id in the bank.",
    OperationNotFound: "There is no operation of this id in the bank.",
}


class Missing(APIException):
    """What is not there, or not for the caller: the two look alike."""

    status_code = status.HTTP_404_NOT_FOUND
    default_detail = "Not found."


class BadRequest(APIException):
    status_code = status.HTTP_400_BAD_REQUEST


class Forbidden(APIException):
    """Only of what the caller may see."""

    status_code = status.HTTP_403_FORBIDDEN


class Clash(APIException):
    status_code = status.HTTP_409_CONFLICT


class Retired(APIException):
    status_code = status.HTTP_410_GONE


class Unprocessable(APIException):
    """Well formed, and still not what can be done. The sentence says why."""

    status_code = status.HTTP_422_UNPROCESSABLE_ENTITY


class NotOffered(APIException):
    status_code = status.HTTP_501_NOT_IMPLEMENTED


def handle(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's exception handler. What the request wrote before the error is taken back."""
    if tenancy.current() is not None:
        transaction.set_rollback(True)
    match error:
        case ValidationError():
            place = "query" if context["request"].method in ("GET", "DELETE") else "body"
            return Response({"detail": list(problems(error.detail, (place,)))}, status=422)
        case MentalModelExists():
            return exception_handler(Clash("There is a mental model of this id already."), context)
        case _ if type(error) in MISSING:
            return exception_handler(Missing(MISSING[type(error)]), context)
        case (
            InvalidTags()
            | InvalidTime()
            | InvalidBank()
            | InvalidQuery()
            | InvalidMemory()
            | InvalidMentalModel()
        ):
            return exception_handler(Unprocessable(str(error)), context)
        case Http404():
            return exception_handler(Missing(), context)
        case NotOffered():
            return _unlogged(exception_handler(error, context))
        case OperationalError() | InterfaceError() | Overtaken():
            logger.warning("database_busy", extra={"error": type(error).__name__})
            return later("The database could not take this request. It was not carried out.")
        case GeneratorFailed() | ExtractionFailed():
            return later("The model did not answer.")
    return exception_handler(error, context)


def later(sentence: str) -> Response:
    response = Response({"detail": sentence}, status=status.HTTP_503_SERVICE_UNAVAILABLE)
    response["Retry-After"] = str(RETRY_SECONDS)
    return _unlogged(response)


def _unlogged(response: _R) -> _R:
    """Django logs every 5xx as an error; these are answers."""
    response._has_been_logged = True  # type: ignore[union-attr]
    return response


def problems(detail: Any, place: tuple[str | int, ...]) -> Iterator[dict[str, Any]]:
    """Every complaint of DRF's nested detail with the place that it is about."""
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            # DRF keys the items of a list by their number.
            named = (*place, name if isinstance(name, int) else normalise_source(str(name)))
            yield from problems(inner, place if name == "non_field_errors" else named)
    elif isinstance(detail, list | tuple):
        of_items = any(isinstance(one, Mapping | list | tuple) for one in detail)
        for index, inner in enumerate(detail):
            yield from problems(inner, (*place, index) if of_items else place)
    else:
        kind = detail.code if isinstance(detail, ErrorDetail) else "invalid"
        # A complaint may repeat what was sent, half a surrogate pair too.
        yield {"loc": list(place), "msg": normalise_source(str(detail)), "type": kind}
