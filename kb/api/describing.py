"""How an operation is described in the schema: a stable name, examples, and every error it can give."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    OpenApiResponse,
    extend_schema,
)
from rest_framework import serializers

from kb.api.serializers import (
    ConflictSerializer,
    ErrorSerializer,
    InvalidSerializer,
    LimitSerializer,
)

_F = TypeVar("_F", bound=Callable[..., Any])

_ERRORS: Mapping[int, tuple[type[serializers.Serializer], str, Mapping[str, Any]]] = {
    400: (
        InvalidSerializer,
        "Something in the request is not as it must be.",
        {
            "detail": "colour: This field is not known.",
            "fields": {"colour": ["This field is not known."]},
        },
    ),
    401: (
        ErrorSerializer,
        "No key and no session, or a key that does not hold.",
        {"detail": "This key is not valid, has expired or was revoked."},
    ),
    403: (
        ErrorSerializer,
        "You may see it, but not do this; or the key lacks the scope.",
        {"detail": "This key lacks the scope kb:write."},
    ),
    404: (
        ErrorSerializer,
        "It is not there, or it is not for you: the two look alike.",
        {"detail": "Not found."},
    ),
    409: (
        ConflictSerializer,
        "Somebody was faster, or the Idempotency-Key stands for another question.",
        {
            "detail": "the page was changed meanwhile; it is at revision 4 now",
            "current_revision": 4,
        },
    ),
    429: (
        LimitSerializer,
        "The day's questions are used up, or too many came at once. Retry-After says when to return.",
        {
            "detail": "the limit of asks is reached; the next one is free at 09:30 UTC",
            "retry_at": "2026-11-04T09:30:00+00:00",
        },
    ),
}


def operation(
    name: str,
    summary: str,
    *,
    tag: str,
    replies: Mapping[Any, OpenApiResponse],
    errors: Sequence[int] = (401,),
    request: type[serializers.Serializer] | None = None,
    request_example: Any = None,
    query: type[serializers.Serializer] | None = None,
    headers: Sequence[OpenApiParameter] = (),
) -> Callable[[_F], _F]:
    """Describe an endpoint. ``name`` is its operationId: clients are generated from it, so it stays.

    ``replies`` are by status, or by status and media type where there are several.
    """
    responses: dict[Any, OpenApiResponse] = dict(replies)
    for code in errors:
        shape, meaning, example = _ERRORS[code]
        responses[code] = reply(shape, meaning, {"Error": example})
    examples = []
    if request_example is not None:
        examples.append(OpenApiExample("Request", value=request_example, request_only=True))
    parameters: list[Any] = [*headers, *([query] if query is not None else [])]
    return extend_schema(
        operation_id=name,
        summary=summary,
        tags=[tag],
        request=request,
        responses=responses,
        parameters=parameters,
        examples=examples,
    )


def reply(shape: Any, meaning: str, examples: Mapping[str, Any] | None = None) -> OpenApiResponse:
    """``examples``: by name. ``shape`` None: no body."""
    return OpenApiResponse(
        response=shape,
        description=meaning,
        examples=[
            OpenApiExample(name, value=value, response_only=True)
            for name, value in (examples or {}).items()
        ],
    )


TEXT = OpenApiTypes.STR
FILE = OpenApiTypes.BINARY
