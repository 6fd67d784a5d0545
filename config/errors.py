"""Answers to requests that no view answers: JSON under ``/v1/``, a page elsewhere."""

from __future__ import annotations

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views import defaults


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """What Django refuses before a view sees it: a body that is too long, or suspicious."""
    if not request.path_info.startswith("/v1/"):
        return defaults.bad_request(request, exception)
    if isinstance(exception, RequestDataTooBig):
        return JsonResponse({"detail": "The body of this request is too long."}, status=413)
    return JsonResponse({"detail": "This request could not be read."}, status=400)


def too_many_requests(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    detail = "Too many requests. Try again in a minute."
    if request.path_info.startswith("/v1/"):
        response: HttpResponse = JsonResponse({"detail": detail}, status=429)
    else:
        response = render(request, "429.html", {"detail": detail}, status=429)
    response["Retry-After"] = "60"
    return response
