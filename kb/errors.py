"""Every error of the knowledge base that a caller can do something about.

KbError
├── BadQuestion     blank, not text, or too long
├── PageNotFound    not there, or not for this reader: nobody can tell which
├── InvalidPage     a page that cannot be saved; ``field`` says where
├── EditConflict    somebody saved a newer revision meanwhile
├── LimitReached    the day's asks are used up; ``retry_at`` says until when
├── TokenReused     an idempotency key that stands for another question, or is still at work
└── AskGivenUp      an ask took so long that the reconciler closed it
"""

from __future__ import annotations

from datetime import datetime


class KbError(Exception):
    """The root of this tree. The message is for the caller."""


class BadQuestion(KbError):
    """The question is blank, not text, or longer than 1,000 code points."""


class PageNotFound(KbError):
    """No page that this reader may see."""


class InvalidPage(KbError):
    """A field of a page does not hold what it must. Nothing was saved."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


class EditConflict(KbError):
    """The page has a newer revision than the one that was edited. Nothing was saved."""

    def __init__(self, current_revision: int) -> None:
        super().__init__(
            f"the page was changed meanwhile; it is at revision {current_revision} now"
        )
        self.current_revision = current_revision


class LimitReached(KbError):
    """The sliding day is full."""

    def __init__(self, retry_at: datetime, retry_after: int) -> None:
        super().__init__(
            f"the limit of asks is reached; the next one is free at {retry_at:%H:%M} UTC"
        )
        self.retry_at = retry_at
        self.retry_after = retry_after  # seconds, at least 1


class TokenReused(KbError):
    """An idempotency key that was used for another question, or whose ask is not finished."""


class AskGivenUp(KbError):
    """The ask took longer than the reconciler waits; it is recorded as failed already."""
