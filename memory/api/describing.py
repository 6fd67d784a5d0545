"""Operations of the memory API, with the errors that they can give."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from drf_spectacular.utils import OpenApiResponse
from rest_framework import serializers

from memory.api.shapes.errors import ProblemSerializer, ProblemsSerializer
from memory.rest import describing
from memory.rest.describing import ErrorShape, reply

__all__ = ["IN_BANK", "operation", "reply"]

_ERRORS = {
    400: ErrorShape(
        ProblemSerializer,
        "The body is not JSON, or the question is too long.",
        {"detail": "JSON parse error - Expecting value: line 1 column 1 (char 0)"},
    ),
    401: ErrorShape(
        ProblemSerializer,
        "No key and no session, or a key that does not hold.",
        {"detail": "This key is not valid, has expired or was revoked."},
    ),
    403: ErrorShape(
        ProblemSerializer,
        "You may see it, but not do this; or the key lacks the scope.",
        {"detail": "This key lacks the scope memory:write."},
    ),
    404: ErrorShape(
        ProblemSerializer,
        "It is not there, or it is not for you: the two look alike.",
        {"detail": "There is no bank of this name."},
    ),
    409: ErrorShape(
        ProblemSerializer,
        "It is not in a state in which this can be done.",
        {"detail": "Only a failed or cancelled operation can be tried again."},
    ),
    410: ErrorShape(
        ProblemSerializer,
        "This address is retired. The sentence says what took its place.",
        {"detail": "Use PUT or PATCH on the bank itself."},
    ),
    422: ErrorShape(
        ProblemsSerializer,
        "Something in the request is not as it must be.",
        {
            "detail": [
                {"loc": ["body", "colour"], "msg": "This field is not known.", "type": "invalid"}
            ]
        },
    ),
    429: ErrorShape(
        ProblemSerializer,
        "Too many came at once. Retry-After says when to return.",
        {"detail": "Request was throttled. Expected available in 60 seconds."},
    ),
    503: ErrorShape(
        ProblemSerializer,
        "It cannot be done now. Retry-After says when to try again.",
        {"detail": "The database could not take this request. It was not carried out."},
    ),
}
IN_BANK = (401, 403, 404, 422, 503)


def operation(
    name: str,
    summary: str,
    *,
    tag: str,
    replies: Mapping[Any, OpenApiResponse],
    errors: Sequence[int] = IN_BANK,
    request: Any = None,
    request_example: Any = None,
    query: type[serializers.Serializer] | None = None,
) -> Callable[..., Any]:
    """Without ``errors`` those that anything in a bank can give; with a body 400 as well."""
    if request is not None and 400 not in errors:
        errors = (400, *errors)
    return describing.operation(
        name,
        summary,
        tag=tag,
        replies=replies,
        known_errors=_ERRORS,
        errors=errors,
        request=request,
        request_example=request_example,
        query=query,
    )
