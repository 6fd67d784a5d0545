"""The list of pages, narrowed and sorted as its reader likes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from kb import access, selectors
from kb.errors import PageNotFound
from kb.forms import LANGUAGES
from kb.models import Category, Status
from kb.selectors import DocOrder
from kb.views.access import hides_pages
from memory.language.text import clean_text
from memory.middleware import TenantRequest

PER_PAGE = 50
_ORDERS = (
    (DocOrder.NEWEST, gettext_lazy("Changed last")),
    (DocOrder.OLDEST, gettext_lazy("Changed longest ago")),
    (DocOrder.TITLE, gettext_lazy("Title")),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What the list is narrowed to. Values that mean nothing count as not given."""

    query: str = ""
    status: str = ""
    language: str = ""
    category: str = ""
    order: DocOrder = DocOrder.NEWEST

    @classmethod
    def read(cls, query: Mapping[str, str], languages: Sequence[str]) -> Filters:
        def one_of(name: str, known: Iterable[str]) -> str:
            value = query.get(name, "")
            return value if value in set(known) else ""

        return cls(
            query=clean_text(query.get("q", ""))[:200],
            status=one_of("status", Status.values),
            language=one_of("language", languages),
            category=one_of("category", Category.values),
            order=DocOrder(one_of("sort", DocOrder) or DocOrder.NEWEST),
        )

    @property
    def narrows(self) -> bool:
        return bool(self.query or self.status or self.language or self.category)


@require_safe
@hides_pages
def page_list(request: TenantRequest, tenant_slug: str) -> HttpResponse:
    member = request.member
    if member is None and (request.tenant is None or not access.visible_docs(None).exists()):
        # An organisation without public pages is none to a visitor.
        raise PageNotFound("There is no such page.")
    languages = selectors.languages(member)
    given = Filters.read(request.GET, languages)
    docs = selectors.list_docs(
        member,
        query=given.query,
        status=given.status,
        language=given.language,
        category=given.category,
        order=given.order,
    )
    return render(
        request,
        "kb/page_list.html",
        {
            "page": Paginator(docs, PER_PAGE).get_page(request.GET.get("page")),
            "query": given.query,
            "given": given,
            "statuses": [("", _("All")), *Status.choices],
            "categories": Category.choices,
            "languages": [(code, dict(LANGUAGES).get(code, code)) for code in languages],
            "orders": _ORDERS,
        },
    )
