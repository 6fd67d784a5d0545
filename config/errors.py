"""Answers to requests that no view answers: JSON under ``/v1/``, a page elsewhere."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render


def too_many_requests(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    detail = "Too many requests. Try again in a minute."
    if request.path_info.startswith("/v1/"):
        response: HttpResponse = JsonResponse({"detail": detail}, status=429)
    else:
        response = render(request, "429.html", {"detail": detail}, status=429)
    response["Retry-After"] = "60"
    return response
