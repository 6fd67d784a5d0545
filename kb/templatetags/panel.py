"""Words and links of the reading panel, shared by its templates and (through them) its script."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from urllib.parse import unquote
from uuid import UUID

from django import template
from django.conf import settings
from django.templatetags.static import static
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memory.types import AnswerKind, Reason

register = template.Library()

# What stands above an answer: its kind, or for a decline the reason.
VERDICTS: dict[str, Promise | str] = {
    AnswerKind.CONFIDENT: gettext_lazy("Answered from these pages"),
    AnswerKind.PARTIAL: gettext_lazy("Answered in part"),
    AnswerKind.DECLINE_NO_EVIDENCE: gettext_lazy("Not in these pages"),
    AnswerKind.DECLINE_LOW_CONFIDENCE: gettext_lazy("Not sure enough to answer"),
    Reason.NOT_COVERED: gettext_lazy("Not covered in these pages"),
    Reason.PAGE_EMPTY: gettext_lazy("This page has no text"),
    Reason.INDEX_NOT_READY: gettext_lazy("Still being prepared"),
    Reason.PART_NOT_READ: gettext_lazy("Not everything could be read"),
    Reason.UNVERIFIED: gettext_lazy("No answer held up to its sources"),
    Reason.LOW_CONFIDENCE: gettext_lazy("Not sure enough to answer"),
    Reason.FAULT: gettext_lazy("Something went wrong on our side"),
}


def _get(record: Any, name: str) -> Any:
    return record.get(name) if isinstance(record, Mapping) else getattr(record, name, None)


@register.simple_tag
def verdict_names() -> dict[str, Promise | str]:
    return {str(key): name for key, name in VERDICTS.items()}


@register.simple_tag
def nil_uuid() -> UUID:
    """Stands in an address for the id that the script will put there."""
    return UUID(int=0)


@register.filter
def verdict(reply: Any) -> str:
    """The headline of a reply or of a question in the history."""
    return str(VERDICTS[_get(reply, "reason") or _get(reply, "answer_kind")])


@register.filter
def is_decline(reply: Any) -> bool:
    kind = _get(reply, "answer_kind")
    return bool(kind) and AnswerKind(kind).is_decline


@register.filter
def origin(cited: Mapping[str, Any]) -> str:
    """Where a quote stands, for people: folder, title, headings, page or row, revision."""
    parts = [*folders(slug_of(cited["url"])), cited["doc_title"]]
    headings = [heading for heading in cited["heading_path"] if heading != cited["doc_title"]]
    places = [" / ".join(parts), *headings]
    if cited.get("page"):
        places.append(_("page %(n)s") % {"n": cited["page"]})
    if cited.get("row"):
        places.append(_("row %(n)s") % {"n": cited["row"]})
    return " › ".join(places)


@register.filter
def day(written: str | None) -> str:
    """The day of a moment in ISO 8601, as pages write days; nothing for none."""
    return date_format(datetime.fromisoformat(written), "j M Y") if written else ""


@register.filter
def stands_here(cited: Mapping[str, Any], reply: Mapping[str, Any]) -> bool:
    """Whether the cited words are on the page that is on screen, at their place."""
    here = _get(cited, "doc_id") == _get(reply, "doc_id")
    return here and _get(cited, "state") in (None, "current")


@register.filter
def cite_href(cited: Mapping[str, Any], reply: Mapping[str, Any]) -> str:
    """The mark itself where the cited page is the one on screen, else its address there."""
    return f"#cite-{cited['n']}" if stands_here(cited, reply) else cited["url"]


@register.simple_tag
def spoken_source(reply: Mapping[str, Any], number: int) -> str:
    """``source 2 of 3, Decree, overtime``: what a footnote's number is called aloud."""
    cited = reply["citations"]
    for citation in cited:
        if citation["n"] == number:
            said = _("source {n} of {total}").format(n=number, total=len(cited))
            return ", ".join((said, citation["doc_title"], *citation["heading_path"][-1:]))
    return str(number)


@register.filter
def folders(slug: str) -> list[str]:
    """The path above a page: what tells two pages of one title apart."""
    return slug.split("/")[:-1]


def slug_of(url: str) -> str:
    """The slug in a page's address."""
    return unquote(url.partition("/p/")[2].partition("?")[0].partition("#")[0])


@register.filter
def direction(language: str) -> str:
    if not language:
        return "auto"
    return "rtl" if language.split("-")[0] in settings.LANGUAGES_BIDI else "ltr"


@register.simple_tag(takes_context=True)
def chosen_theme(context: template.Context) -> str:
    """The reader's own choice of light or dark, kept in a cookie; empty: as the system has it."""
    request = context.get("request")
    theme = request.COOKIES.get("theme", "") if request is not None else ""
    return theme if theme in ("light", "dark") else ""


@register.simple_tag
def icon(name: str, extra: str = "") -> SafeString:
    return format_html(
        '<svg class="icon {}" aria-hidden="true"><use href="{}#{}"></use></svg>',
        extra,
        static("img/icons.svg"),
        name,
    )
