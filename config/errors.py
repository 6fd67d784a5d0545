"""Answers to requests that no view answers: JSON under ``/v1/``, a page elsewhere."""

from __future__ import annotations

import logging
import sys

from django.core.exceptions import RequestDataTooBig
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views import defaults

logger = logging.getLogger("footnote.errors")
RETRY_SECONDS = 5


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """What Django refuses before a view sees it: a body that is too long, or suspicious."""
    if not request.path_info.startswith("/v1/"):
        return defaults.bad_request(request, exception)
    if isinstance(exception, RequestDataTooBig):
        return JsonResponse({"detail": "The body of this request is too long."}, status=413)
    return JsonResponse({"detail": "This request could not be read."}, status=400)


def too_many_requests(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    response: HttpResponse
    if request.path_info.startswith("/v1/"):
        detail = "Too many requests. Try again in a minute."
        response = JsonResponse({"detail": detail}, status=429)
    else:
        response = render(request, "429.html", status=429)
    response["Retry-After"] = "60"
    return response


def server_error(request: HttpRequest) -> HttpResponse:
    """What no view and no middleware expected, so from whichever of them: the error is the one that is
    being handled. A database that is away, restarted or busy is no fault of ours."""
    error = sys.exc_info()[1]
    if isinstance(error, OperationalError | InterfaceError):
        return _unavailable(request, error)
    if _wants_json(request):
        detail = "Something went wrong here, and it has been noted."
        return JsonResponse({"detail": detail}, status=500)
    return defaults.server_error(request)


def _unavailable(request: HttpRequest, error: Exception) -> HttpResponse:
    logger.warning("database_unavailable", extra={"error": str(error).partition("\n")[0]})
    response: HttpResponse
    if _wants_json(request):
        detail = "The database does not answer. Try again in a moment."
        response = JsonResponse({"detail": detail}, status=503)
    else:
        # Without the request: whose session it is would be looked up in the database.
        response = HttpResponse(render_to_string("503.html"), status=503)
    response["Retry-After"] = str(RETRY_SECONDS)
    response._has_been_logged = True  # type: ignore[attr-defined]  # Django logs any 503 as an error
    return response


def _wants_json(request: HttpRequest) -> bool:
    """The API, and what scripts of a page fetch."""
    return request.path_info.startswith("/v1/") or not request.accepts("text/html")
