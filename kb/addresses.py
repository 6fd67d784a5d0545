"""A page's address, and those that it had before.

A former address leads to its page until another page takes it: a page that stands at an address
always wins over one that has moved away from there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop

from kb import access
from kb.errors import InvalidPage
from kb.models import Doc, SlugRedirect
from kb.slugs import slug_path
from memory.language.text import clean_text
from memory.models import Membership

_TRIES = 5
_ONCE = "doc_slug_once"  # the constraint
_TAKEN = gettext_noop("Another page has this address.")


def page_url(tenant_slug: str, slug: str) -> str:
    return reverse("page", kwargs={"tenant_slug": tenant_slug, "slug": slug})


def mark_url(tenant_slug: str, slug: str, citation: Mapping[str, Any]) -> str:
    """The page, opened at the cited words."""
    span = f"{citation['char_start']}-{citation['char_end']}"
    return f"{page_url(tenant_slug, slug)}?cite={span}&rev={citation['revision']}#cite"


def claim(doc: Doc, wanted_slug: str, *, chosen: bool) -> None:
    """Give ``doc`` a slug that no other page has, and save it under that: a new page whole, of a stored
    one the slug.

    ``chosen``: a person picked it, so that a taken one is refused with ``InvalidPage`` and not renamed.
    """
    for _ in range(_TRIES):
        doc.slug = _free_slug(doc, wanted_slug, chosen=chosen)
        try:
            with transaction.atomic():
                doc.save(update_fields=None if doc._state.adding else ("slug", "deleted_at"))
        except IntegrityError as error:
            # Somebody took it since it was looked up; now their page can be seen.
            if _ONCE not in str(error):
                raise
        else:
            return
    raise InvalidPage("slug", gettext(_TAKEN))


def _free_slug(doc: Doc, wanted_slug: str, *, chosen: bool) -> str:
    slug = slug_path(clean_text(wanted_slug)) or "page"
    others = Doc.objects.filter(deleted_at=None).exclude(pk=doc.pk)
    if not others.filter(slug=slug).exists():
        return slug
    if chosen:
        raise InvalidPage("slug", gettext(_TAKEN))
    taken = set(others.filter(slug__startswith=slug).values_list("slug", flat=True))
    return next(
        candidate for n in range(2, len(taken) + 3) if (candidate := f"{slug}-{n}") not in taken
    )


def settle(doc: Doc, *, former: str = "") -> None:
    """``doc`` stands at its slug now and, if it had another one, leads there from it."""
    SlugRedirect.objects.filter(slug=doc.slug).delete()
    if former and former != doc.slug:
        SlugRedirect.objects.update_or_create(
            tenant_id=doc.tenant_id, slug=former, defaults={"doc": doc}
        )


def moved_to(member: Membership | None, slug: str) -> str | None:
    """Where the page that had this address is now, for those who may see it."""
    moved = SlugRedirect.objects.filter(slug=slug, doc__in=access.visible_docs(member))
    return moved.values_list("doc__slug", flat=True).first()
