"""Reading: a page with its panel."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from kb import access, selectors
from kb.asking import MAX_QUESTION
from kb.contents import contents
from kb.marking import ARRIVAL, MarkedSpan, mark_spans
from kb.models import Doc, IndexState, Revision
from kb.reader_html import linked_html
from kb.views import arriving
from kb.views.access import hides_pages, page_of
from kb.views.arriving import Arrival
from kb.views.panel import looking_again, panel_for, spans_on
from memory.language.text import clean_text
from memory.middleware import TenantRequest
from memory.models import Membership

_MOVED = gettext_lazy("The page has changed since; the cited words are no longer at their place.")
_NOT_INDEXED = gettext_lazy(
    "The newest text could not be indexed. Answers rest on the one before it."
)


@dataclass(frozen=True, slots=True)
class Notice:
    level: str
    text: str | Promise


@require_safe
@hides_pages
def page(request: TenantRequest, tenant_slug: str, slug: str) -> HttpResponse:
    """``?question=`` puts a question into the box, for somebody to ask it again."""
    question = clean_text(request.GET.get("question", ""))[:MAX_QUESTION]
    return show_page(request, page_of(request, slug), question=question)


def show_page(
    request: TenantRequest, doc: Doc, *, question: str = "", error: str = "", code: int = 200
) -> HttpResponse:
    """The read view. Needs the tenant's scope. Raises ``PageNotFound``."""
    member = request.member
    panel = panel_for(request, doc, question=question, error=error)
    arrival = arriving.parse(request.GET)
    revision = _shown_revision(member, doc, arrival, answered=panel.reply)
    spans = [*spans_on(revision, panel.reply)]
    notices = _notices(member, doc, revision)
    if arrival is not None:
        if _still_there(doc, revision, arrival):
            spans.append(MarkedSpan(arrival.start, arrival.end, ARRIVAL))
        else:
            notices.append(Notice("warning", _MOVED))
    outbound = [link.target for link in selectors.links_from(member, doc)]
    inbound = [link.source for link in selectors.links_to(member, doc)]
    heading, html = title_apart(revision, mark_spans(linked_html(member, doc, revision), spans))
    response = render(
        request,
        "kb/page.html",
        {
            "doc": doc,
            "revision": revision,
            "heading": heading,
            "html": html,
            "contents": contents(revision.html, skip_first=bool(heading)),
            "can_edit": access.can_edit(member, doc),
            "links": _unique(outbound),
            "backlinks": _unique(inbound),
            "notices": notices,
            "panel": panel,
        },
        status=code,
    )
    return looking_again(response, panel)


def _shown_revision(
    member: Membership | None,
    doc: Doc,
    arrival: Arrival | None,
    *,
    answered: Mapping[str, Any] | None,
) -> Revision:
    """The published revision for readers, the head for those who edit.

    Somebody who may read the history comes to cited words in the revision that was cited.
    """
    number = arrival.revision if arrival else answered["doc_revision"] if answered else None
    if number is not None and access.can_edit(member, doc):
        cited = selectors.revisions(doc).filter(number=number).first()
        if cited is not None:
            return cited
    return selectors.shown_revision(member, doc)


def _still_there(doc: Doc, revision: Revision, arrival: Arrival) -> bool:
    """Whether the words of the cited revision stand at the same place in the shown one."""
    place = slice(arrival.start, arrival.end)
    if not revision.text[place]:
        return False
    if arrival.revision in (None, revision.number):
        return True
    cited = selectors.revisions(doc).filter(number=arrival.revision).first()
    return cited is not None and cited.text[place] == revision.text[place]


def _notices(member: Membership | None, doc: Doc, revision: Revision) -> list[Notice]:
    notices = []
    if revision.pk not in (doc.head_revision_id, doc.published_revision_id):
        notices.append(
            Notice("warning", _("This is an older revision, shown as it was when it was cited."))
        )
    elif doc.published_revision_id is None:
        notices.append(Notice("info", _("A draft. Readers do not see this page yet.")))
    elif revision.pk != doc.published_revision_id:
        notices.append(
            Notice("info", _("A draft. Readers and answers still have the published revision."))
        )
    if doc.index_state == IndexState.FAILED and access.can_edit(member, doc):
        notices.append(Notice("error", _NOT_INDEXED))
    return notices


def opens_with_title(revision: Revision) -> bool:
    """Whether the text itself begins with the page's title, so that it is not shown twice."""
    return revision.html.startswith("<h1") and revision.text.startswith(revision.title)


def title_apart(revision: Revision, html: str) -> tuple[str, str]:
    """The title that the text begins with, and the rest; without one, nothing and the whole.

    What is said about a page stands below its title, also where that is a part of the text.
    """
    if not opens_with_title(revision):
        return "", html
    heading, end, rest = html.partition("</h1>")
    return heading + end, rest


def _unique(docs: Iterable[Doc | None]) -> list[Doc]:
    return list({doc.pk: doc for doc in docs if doc is not None}.values())
