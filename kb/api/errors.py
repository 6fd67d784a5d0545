"""Errors of the engine as HTTP: one place that knows which is which."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response
from rest_framework.views import exception_handler

from kb.errors import (
    AskGivenUp,
    BadQuestion,
    EditConflict,
    ExportTooLong,
    InvalidFeedback,
    InvalidLink,
    InvalidPage,
    LimitReached,
    PageNotFound,
    QuestionNotFound,
    TokenReused,
)


def handle(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's exception handler: every error is ``{"detail": …}``, with more where there is more to say."""
    match error:
        case BadQuestion() | ExportTooLong():
            return _detail(error, status.HTTP_400_BAD_REQUEST)
        case InvalidPage() | InvalidLink() | InvalidFeedback():
            return _detail(error, status.HTTP_400_BAD_REQUEST, field=error.field)
        case EditConflict():
            return _detail(error, status.HTTP_409_CONFLICT, current_revision=error.current_revision)
        case TokenReused() | AskGivenUp():
            return _detail(error, status.HTTP_409_CONFLICT)
        case LimitReached():
            response = _detail(
                error, status.HTTP_429_TOO_MANY_REQUESTS, retry_at=error.retry_at.isoformat()
            )
            response["Retry-After"] = str(error.retry_after)
            return response
        case PageNotFound() | QuestionNotFound():
            return exception_handler(Http404(), context)
        case ValidationError():
            return _invalid(error)
    return exception_handler(error, context)


def _invalid(error: ValidationError) -> Response:
    """The first complaint as a sentence in ``detail``, and all of them by field."""
    fields = error.detail if isinstance(error.detail, dict) else {"non_field_errors": error.detail}
    name, first = next(iter(fields.items()))
    sentence = _first_sentence(first)
    if name != "non_field_errors":
        sentence = f"{name}: {sentence}"
    return Response({"detail": sentence, "fields": fields}, status=status.HTTP_400_BAD_REQUEST)


def _first_sentence(complaint: Any) -> str:
    while isinstance(complaint, list | dict):
        complaint = next(iter(complaint.values() if isinstance(complaint, dict) else complaint))
    return str(complaint)


def _detail(error: Exception, code: int, **more: Any) -> Response:
    return Response({"detail": str(error), **more}, status=code)
