"""What a caller is told beside the words of memories."""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext as _

from memory.reflecting.records import NoAnswer


def no_answer(reason: NoAnswer) -> str:
    match reason:
        case NoAnswer.NOTHING_FOUND:
            return _("This bank holds no memory that has to do with it.")
        case NoAnswer.NOT_COVERED:
            return _("The memories of this bank do not answer this.")
        case NoAnswer.LOW_CONFIDENCE:
            return _("Memories come close to this question, but not close enough for an answer.")
        case NoAnswer.UNVERIFIED:
            return _("An answer was drafted, but it could not be verified, so it is not given.")
        case NoAnswer.FAULT:
            return _("Something went wrong on our side, so no answer is given.")


def former(text: str, until: datetime) -> str:
    """What held until then, and holds no longer."""
    return _("{text} (until {date})").format(text=text, date=until.date().isoformat())
