"""Errors of the engine as HTTP: one place that knows which is which."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from rest_framework import status
from rest_framework.response import Response
from rest_framework.views import exception_handler

from kb.errors import (
    BadQuestion,
    EditConflict,
    InvalidPage,
    LimitReached,
    PageNotFound,
    TokenReused,
)


def handle(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's exception handler: every error is ``{"detail": …}``, with fields where there are some."""
    match error:
        case BadQuestion():
            return _detail(error, status.HTTP_400_BAD_REQUEST)
        case InvalidPage():
            return _detail(error, status.HTTP_400_BAD_REQUEST, field=error.field)
        case EditConflict():
            return _detail(error, status.HTTP_409_CONFLICT, current_revision=error.current_revision)
        case TokenReused():
            return _detail(error, status.HTTP_409_CONFLICT)
        case LimitReached():
            response = _detail(
                error, status.HTTP_429_TOO_MANY_REQUESTS, retry_at=error.retry_at.isoformat()
            )
            response["Retry-After"] = str(error.retry_after)
            return response
        case PageNotFound():
            return exception_handler(Http404(), context)
    return exception_handler(error, context)


def _detail(error: Exception, code: int, **more: Any) -> Response:
    return Response({"detail": str(error), **more}, status=code)
