"""How an operation is described in the schema: a stable name, examples, and every error it can give."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    OpenApiResponse,
    extend_schema,
)
from rest_framework import serializers

_F = TypeVar("_F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class ErrorShape:
    """What is sent with one status. ``example`` has exactly the fields of ``shape``."""

    shape: type[serializers.Serializer]
    meaning: str
    example: Mapping[str, Any]


def operation(
    name: str,
    summary: str,
    *,
    tag: str,
    replies: Mapping[Any, OpenApiResponse],
    known_errors: Mapping[int, ErrorShape],
    errors: Sequence[int] = (401,),
    request: Any = None,
    request_example: Any = None,
    query: type[serializers.Serializer] | None = None,
    headers: Sequence[OpenApiParameter] = (),
) -> Callable[[_F], _F]:
    """Describe an endpoint. ``name`` is its operationId: clients are generated from it, so it stays.

    ``replies`` are by status, or by status and media type where there are several. ``request`` is
    a shape, or one by its media type.
    """
    responses: dict[Any, OpenApiResponse] = dict(replies)
    for code in errors:
        error = known_errors[code]
        responses[code] = reply(error.shape, error.meaning, {"Error": error.example})
    examples = []
    if request_example is not None:
        media_type = next(iter(request)) if isinstance(request, Mapping) else "application/json"
        examples.append(
            OpenApiExample(
                "Request", value=request_example, request_only=True, media_type=media_type
            )
        )
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
