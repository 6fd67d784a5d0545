"""What ``memory.declines`` says, where Django's translators find it.

``memory.declines`` is pure and marks nothing. A test holds the two lists together.
"""

from __future__ import annotations

from django.utils.translation import gettext_noop

MESSAGES = (
    gettext_noop("Not enough evidence in this page and the pages it links to."),
    gettext_noop("Not enough evidence in this page; it links to no other page that you can read."),
    gettext_noop("Not enough evidence in the pages that you can read."),
    gettext_noop("This page has no text yet, so there is nothing to answer from."),
    gettext_noop("This page is still being prepared, so it cannot be asked yet."),
    gettext_noop(
        "Part of the text was not read because it is too long, and the part that was read"
        " does not carry an answer."
    ),
    gettext_noop(
        "An answer was drafted, but not every statement in it could be found in the "
        "pages, so it is not shown."
    ),
    gettext_noop(
        "The pages come close to this question, but not close enough for an answer that "
        "can be relied on."
    ),
    gettext_noop("Something went wrong on our side, so no answer is given. It has been logged."),
    gettext_noop("Nothing there speaks of: {missing}."),
    gettext_noop("Read: “{title}”."),
    gettext_noop("Read: “{title}” and {linked} linked pages."),
    gettext_noop("Read: “{title}” and one linked page."),
    gettext_noop("Try other words, or ask on the page where you would expect it."),
    gettext_noop("Write the page first, or ask on another one."),
    gettext_noop("Try again in a few seconds."),
    gettext_noop("Ask on a shorter page, or name the section you mean."),
    gettext_noop("Ask for one thing at a time, or read the page itself."),
    gettext_noop("Ask more exactly, with the words that the page uses."),
    gettext_noop("Try again; if it happens again, tell your administrator the trace id."),
    gettext_noop("The pages do not say: {missing}."),
)
