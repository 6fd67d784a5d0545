"""What a reader is told when there is no answer: what was read, and what to try next."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from memory.types import Reason


def message(reason: Reason, *, missing: Sequence[str] = ()) -> str:
    match reason:
        case Reason.NOT_COVERED:
            return _(
                "This page and the pages it links to do not cover this question."
                " Try other words, or ask the page that is about it."
            )
        case Reason.PAGE_EMPTY:
            return _("This page has no text yet, so there is nothing to answer from.")
        case Reason.INDEX_NOT_READY:
            return _("This page is still being prepared. Ask again in a moment.")
        case Reason.PART_NOT_READ:
            return _(
                "This page is too long to be read as a whole, and what was read does not answer"
                " the question. Ask about one section, with words that stand in it."
            )
        case Reason.UNVERIFIED:
            return _(
                "An answer was found, but not every part of it could be checked against the words"
                " of the page, so it is not shown. Ask for one fact at a time."
            )
        case Reason.LOW_CONFIDENCE:
            return _(
                "The page speaks of something near to this, but does not clearly answer it."
                " Try to name exactly what you want to know."
            )
        case Reason.FAULT:
            return _("Something went wrong on our side, so no answer is given. Please ask again.")
