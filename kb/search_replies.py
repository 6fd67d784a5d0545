"""Results of a search as the names of the public contract: one shape for the API and the search box."""

from __future__ import annotations

from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from kb.addresses import mark_url, page_url
from kb.searching import Found, Nothing, Result

SENTENCES: dict[Nothing, Promise | str] = {
    Nothing.BLANK: gettext_lazy("Type a word to look for."),
    Nothing.COMMON: gettext_lazy(
        "Only common words or signs. Add a word that says what you are looking for."
    ),
    Nothing.BELOW_FLOOR: gettext_lazy("No page comes close enough. Try other words, or fewer."),
    Nothing.NOT_FOUND: gettext_lazy("No page that you can read holds these words."),
}


def message(found: Found) -> str | None:
    """Why there are no results, as a sentence; None where there are some."""
    return str(SENTENCES[found.nothing]) if found.nothing else None


def url(tenant_slug: str, result: Result) -> str:
    """The page, opened at what the snippet shows; a page found by its name is opened at its top."""
    if result.scores is None:
        return page_url(tenant_slug, result.doc.slug)
    place = {
        "char_start": result.snippet.start,
        "char_end": result.snippet.end,
        "revision": result.revision,
    }
    return mark_url(tenant_slug, result.doc.slug, place)


def as_dict(tenant_slug: str, result: Result) -> dict[str, Any]:
    scores = result.scores
    return {
        "doc_id": str(result.doc.pk),
        "title": result.doc.title,
        "slug": result.doc.slug,
        "language": result.doc.language,
        "category": result.doc.category,
        "revision": result.revision,
        "url": url(tenant_slug, result),
        "heading_path": list(result.heading_path),
        "snippet": result.snippet.text,
        "marks": [list(mark) for mark in result.snippet.marks],
        "char_start": result.snippet.start,
        "char_end": result.snippet.end,
        "scores": {
            name: getattr(scores, name) if scores else None
            for name in ("final", "reranker", "semantic", "keyword")
        },
    }
