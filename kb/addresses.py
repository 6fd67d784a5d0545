"""A page's address, and those that it had before.

A former address leads to its page until another page takes it: a page that stands at an address
always wins over one that has moved away from there.
"""

from __future__ import annotations

from kb import access
from kb.errors import InvalidPage
from kb.models import Doc, SlugRedirect
from kb.slugs import slug_path
from memory.models import Membership
from memory.text import clean_text


def free_slug(wanted_slug: str, *, chosen: bool, of: Doc | None = None) -> str:
    """A slug that no page has, but for ``of``, whose slug it is to be.

    ``chosen``: a person picked it, so that a taken one is refused with ``InvalidPage`` and not renamed.
    """
    slug = slug_path(clean_text(wanted_slug)) or "page"
    others = Doc.objects.filter(deleted_at=None)
    if of is not None:
        others = others.exclude(pk=of.pk)
    if not others.filter(slug=slug).exists():
        return slug
    if chosen:
        raise InvalidPage("slug", "Another page has this address.")
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
