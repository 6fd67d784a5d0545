"""Searching: the page of results, and the few that the box shows while somebody types."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlencode
from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from kb import access, search_replies, searching, selectors
from kb.asking import MAX_QUESTION
from kb.errors import PageNotFound
from kb.forms import LANGUAGES
from kb.models import Category
from kb.searching import Found, Result, SearchRequest
from kb.views.access import hides_pages
from kb.views.lists import Filters
from memory import tenancy
from memory.middleware import TenantRequest, opens_own_scopes

PER_PAGE = 10  # pages, each with its passages
SUGGESTED = 5


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of a snippet's text, found words or not."""

    text: str
    is_found: bool


@dataclass(frozen=True, slots=True)
class ShownResult:
    result: Result
    url: str

    def pieces(self) -> Iterator[Piece]:
        """The snippet, cut at its marks."""
        shown = self.result.snippet
        at = 0
        for start, end in shown.marks:
            if at < start:
                yield Piece(shown.text[at:start], is_found=False)
            yield Piece(shown.text[start:end], is_found=True)
            at = end
        if rest := shown.text[at:]:
            yield Piece(rest, is_found=False)


@opens_own_scopes
@require_safe
@hides_pages
def results(request: TenantRequest, tenant_slug: str) -> HttpResponse:
    """Pages that hold what is looked for, each with the passages that do, narrowed as one likes."""
    tenant_id = _searched(request)
    with tenancy.scope(tenant_id):
        languages = selectors.languages(request.member)
    given = Filters.read(request.GET, languages)
    found = searching.search(
        SearchRequest(
            tenant_id=tenant_id,
            member=request.member,
            query=given.query,
            language=given.language,
            category=given.category,
        )
    )
    groups = [
        [ShownResult(one, search_replies.url(tenant_slug, one)) for one in group]
        for group in searching.group_by_page(found.results).values()
    ]
    context = {
        "found": found,
        "groups": Paginator(groups, PER_PAGE).get_page(request.GET.get("page")),
        "message": search_replies.message(found),
        "query": given.query,
        "given": given,
        "categories": Category.choices,
        "languages": [(code, dict(LANGUAGES).get(code, code)) for code in languages],
        "ask_url": _ask_url(tenant_slug, found) if request.member else "",
    }
    return render(request, "kb/search.html", context)


@opens_own_scopes
@require_safe
@hides_pages
def suggestions(request: TenantRequest, tenant_slug: str) -> JsonResponse:
    """The best pages for what is typed so far. Of the organisation in the address, not of a session."""
    found = searching.search(
        SearchRequest(
            tenant_id=_searched(request),
            member=request.member,
            query=request.GET.get("q", ""),
            limit=SUGGESTED,
            per_page=1,
        )
    )
    reply = {
        "query": found.query,
        "results": [search_replies.as_dict(tenant_slug, one) for one in found.results],
        "message": search_replies.message(found),
        "ask_url": _ask_url(tenant_slug, found) if request.member and found.query else None,
    }
    return JsonResponse(reply, headers={"Cache-Control": "private, no-store"})


def _searched(request: TenantRequest) -> UUID:
    """The tenant to search. An organisation without public pages is none to a visitor."""
    if request.tenant is None:
        raise PageNotFound("There is no such page.")
    if request.member is None:
        with tenancy.scope(request.tenant.pk):
            if not access.visible_docs(None).exists():
                raise PageNotFound("There is no such page.")
    return request.tenant.pk


def _ask_url(tenant_slug: str, found: Found) -> str:
    question = urlencode({"question": found.query[:MAX_QUESTION]})
    return f"{reverse('ask', args=[tenant_slug])}?{question}"
