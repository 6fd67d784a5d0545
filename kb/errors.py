"""Every error of the knowledge base that a caller can do something about.

KbError
├── BadQuestion       blank, not text, or too long
├── PageNotFound      not there, or not for this reader: nobody can tell which
├── InvalidPage       a page that cannot be saved; ``field`` says where
├── InvalidImage      an upload that is no image, or too large a one
├── InvalidArchive    an upload that cannot be imported
├── InvalidLink       a share link that cannot be made; ``field`` says why not
├── LinkEnded         a share link of ours that opens nothing any more; ``state`` says why
├── QuestionNotFound  no question with this id that this member may see
├── InvalidFeedback   a vote or a comment that cannot be kept
├── ExportTooLong     more questions than a workbook has rows
├── NotOwner          erasing without the access of the tables' owner
├── EditConflict      somebody saved a newer revision meanwhile
├── LimitReached      the day's asks are used up; ``retry_at`` says until when
├── TokenReused       an idempotency key that stands for another question, or whose ask failed
│   └── StillAnswering    one whose question is still being answered
└── AskGivenUp        an ask took so long that the reconciler closed it
"""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.utils.translation import gettext as _


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


class InvalidImage(KbError):
    """An upload that cannot be kept as an image. Nothing was saved."""


class InvalidArchive(KbError):
    """An upload that is no archive of pages. Nothing was saved."""


class InvalidLink(KbError):
    """A share link cannot be made like this. Nothing was saved."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


class LinkEnded(KbError):
    """A share link that expired, was used up or revoked."""

    def __init__(self, state: str) -> None:
        super().__init__(_("This link no longer works."))
        self.state = state


class QuestionNotFound(KbError):
    """No question that this member may see."""


class InvalidFeedback(KbError):
    """A vote or a comment that cannot be kept. Nothing was saved."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


class ExportTooLong(KbError):
    """More questions than a workbook has rows."""

    def __init__(self, most: int) -> None:
        super().__init__(
            _("A workbook holds {most} questions. Narrow the export, or take CSV.").format(
                most=f"{most:,}"
            )
        )


class NotOwner(KbError):
    """Only the owner of the tables can delete history, and its access is not configured."""


class EditConflict(KbError):
    """The page has a newer revision than the one that was edited. Nothing was saved."""

    def __init__(self, current_revision: int) -> None:
        super().__init__(
            _("the page was changed meanwhile; it is at revision {number} now").format(
                number=current_revision
            )
        )
        self.current_revision = current_revision


class LimitReached(KbError):
    """The sliding day is full."""

    def __init__(self, retry_at: datetime, retry_after: int) -> None:
        super().__init__(
            _("the limit of asks is reached; the next one is free at {time} UTC").format(
                time=f"{retry_at:%H:%M}"
            )
        )
        self.retry_at = retry_at
        self.retry_after = retry_after  # seconds, at least 1


class TokenReused(KbError):
    """An idempotency key that was used for another question, or whose ask is not finished."""


class StillAnswering(TokenReused):
    """The ask with this idempotency key is at work; ``question_id`` will show its answer."""

    def __init__(self, question_id: UUID) -> None:
        super().__init__(_("The ask with this Idempotency-Key is still being answered."))
        self.question_id = question_id


class AskGivenUp(KbError):
    """The ask took longer than the reconciler waits; it is recorded as failed already."""
