"""What a reader is told when there is no answer, or only a part of one. Pure.

A decline says why, what was read, and what to try next. ``ENGLISH`` is the catalogue of messages;
whoever shows them passes its own ``translate``, which gets the English and returns another
language's words with the same ``{fields}``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from memory.types import Reason

Translate = Callable[[str], str]

ENGLISH = {
    "not_covered": "Not enough evidence in this page and the pages it links to.",
    "not_covered_alone": "Not enough evidence in this page; it links to no other page that you can read.",
    "not_covered_base": "Not enough evidence in the pages that you can read.",
    "page_empty": "This page has no text yet, so there is nothing to answer from.",
    "index_not_ready": "This page is still being prepared, so it cannot be asked yet.",
    "part_not_read": "Part of the text was not read because it is too long, and the part that was"
    " read does not carry an answer.",
    "unverified": "An answer was drafted, but not every statement in it could be found in the"
    " pages, so it is not shown.",
    "low_confidence": "The pages come close to this question, but not close enough for an answer"
    " that can be relied on.",
    "fault": "Something went wrong on our side, so no answer is given. It has been logged.",
    "missing": "Nothing there speaks of: {missing}.",
    "read_page": "Read: “{title}”.",
    "read_pages": "Read: “{title}” and {linked} linked pages.",
    "read_linked": "Read: “{title}” and one linked page.",
    "try_not_covered": "Try other words, or ask on the page where you would expect it.",
    "try_page_empty": "Write the page first, or ask on another one.",
    "try_index_not_ready": "Try again in a few seconds.",
    "try_part_not_read": "Ask on a shorter page, or name the section you mean.",
    "try_unverified": "Ask for one thing at a time, or read the page itself.",
    "try_low_confidence": "Ask more exactly, with the words that the page uses.",
    "try_fault": "Try again; if it happens again, tell your administrator the trace id.",
    "partial": "The pages do not say: {missing}.",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Read:
    """What was looked at. ``title`` is "" for a question to the whole knowledge base.

    ``linked`` counts pages this reader may read, and no others. ``missing`` are words of the
    question.
    """

    title: str = ""
    linked: int = 0
    missing: tuple[str, ...] = ()


def decline_text(reason: Reason, read: Read = Read(), *, translate: Translate = str) -> str:
    """Why, then what is missing and was read, then what to try: one short paragraph."""

    def say(key: str, **fields: object) -> str:
        return translate(ENGLISH[key]).format(**fields)

    parts = [say(_why(reason, read))]
    if reason is Reason.NOT_COVERED and read.missing:
        parts.append(say("missing", missing=_listed(read.missing)))
    if read.title and reason in (Reason.NOT_COVERED, Reason.LOW_CONFIDENCE, Reason.PART_NOT_READ):
        key = {0: "read_page", 1: "read_linked"}.get(read.linked, "read_pages")
        parts.append(say(key, title=read.title, linked=read.linked))
    parts.append(say(f"try_{reason.value}"))
    return " ".join(parts)


def partial_text(missing: Sequence[str], *, translate: Translate = str) -> str:
    """The sentence that a partial answer ends with."""
    return translate(ENGLISH["partial"]).format(missing=_listed(missing))


def _why(reason: Reason, read: Read) -> str:
    if reason is not Reason.NOT_COVERED:
        return reason.value
    if not read.title:
        return "not_covered_base"
    return "not_covered" if read.linked else "not_covered_alone"


def _listed(words: Sequence[str]) -> str:
    return ", ".join(dict.fromkeys(words))
