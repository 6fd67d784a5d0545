"""Operations of the knowledge base, with the errors that they can give."""

from __future__ import annotations

from functools import partial

from kb.api.serializers import (
    ConflictSerializer,
    ErrorSerializer,
    InvalidSerializer,
    LimitSerializer,
)
from memory.rest import describing
from memory.rest.describing import FILE, TEXT, ErrorShape, reply

__all__ = ["FILE", "TEXT", "operation", "reply"]

_ERRORS = {
    400: ErrorShape(
        InvalidSerializer,
        "Something in the request is not as it must be.",
        {
            "detail": "colour: This field is not known.",
            "fields": {"colour": ["This field is not known."]},
        },
    ),
    401: ErrorShape(
        ErrorSerializer,
        "No key and no session, or a key that does not hold.",
        {"detail": "This key is not valid, has expired or was revoked."},
    ),
    403: ErrorShape(
        ErrorSerializer,
        "You may see it, but not do this; or the key lacks the scope.",
        {"detail": "This key lacks the scope kb:write."},
    ),
    404: ErrorShape(
        ErrorSerializer,
        "It is not there, or it is not for you: the two look alike.",
        {"detail": "Not found."},
    ),
    409: ErrorShape(
        ConflictSerializer,
        "Somebody was faster, or the Idempotency-Key stands for another question.",
        {
            "detail": "the page was changed meanwhile; it is at revision 4 now",
            "current_revision": 4,
        },
    ),
    429: ErrorShape(
        LimitSerializer,
        "The day's questions are used up, or too many came at once. Retry-After says when to return.",
        {
            "detail": "the limit of asks is reached; the next one is free at 09:30 UTC",
            "retry_at": "2026-11-04T09:30:00+00:00",
        },
    ),
}

operation = partial(describing.operation, known_errors=_ERRORS)
