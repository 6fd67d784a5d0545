"""Which page a link means: decided in the database, when a page is saved and when one appears.

An id is a page; a path is a slug, as written or relative to the page that it stands on; a wiki name
is a slug, then a title that only one page has. Anything else is a wanted page.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Q

from kb.links import WIKI_SCHEME, LinkTarget, TargetKind, parse_target, resolve_relative
from kb.models import Doc, DocLink
from kb.rendering import LinkKind, ParsedLink

_HREF_LENGTH = 500


def replace_links(doc: Doc, links: Iterable[ParsedLink]) -> None:
    """Make ``doc``'s links those of its live revision."""
    found: dict[str, DocLink] = {}
    for link in links:
        href = f"{WIKI_SCHEME}{link.target}" if link.kind is LinkKind.WIKI else link.target
        target = parse_target(href)
        if target is None or len(href) > _HREF_LENGTH or href in found:
            continue
        if target.kind not in (TargetKind.ANCHOR, TargetKind.EXTERNAL):
            found[href] = DocLink(
                tenant_id=doc.tenant_id,
                source=doc,
                href=href,
                label=link.label[:300],
                target=resolve(doc, target),
            )
    DocLink.objects.filter(source=doc).delete()
    DocLink.objects.bulk_create(found.values())


def resolve(source: Doc, target: LinkTarget) -> Doc | None:
    """The page that a link on ``source`` means, whoever may see it; None for a wanted page."""
    docs = Doc.objects.filter(deleted_at=None)
    match target.kind:
        case TargetKind.DOC:
            return docs.filter(pk=target.value).first()
        case TargetKind.PAGE:
            candidates = (target.value, resolve_relative(source.slug, target.value))
        case TargetKind.WIKI:
            candidates = (target.value, target.value.casefold().replace(" ", "-"))
        case _:
            return None
    by_slug = {doc.slug: doc for doc in docs.filter(slug__in=candidates)}
    for slug in candidates:
        if slug in by_slug:
            return by_slug[slug]
    if target.kind is TargetKind.WIKI:
        by_title = docs.filter(title__iexact=target.value)[:2]
        return by_title[0] if len(by_title) == 1 else None
    return None


def resolve_wanted_links(doc: Doc) -> None:
    """Point at ``doc`` the links that were written before it was there, or before it had this slug."""
    last_part = doc.slug.rsplit("/", 1)[-1]
    wanted = DocLink.objects.filter(target=None).filter(
        Q(href__icontains=last_part)
        | Q(href__icontains=doc.title)
        | Q(href__icontains=doc.title.replace(" ", "%20"))
        | Q(href__icontains=str(doc.pk))
    )
    for link in wanted.select_related("source"):
        target = parse_target(link.href)
        found = resolve(link.source, target) if target is not None else None
        if found is not None:
            DocLink.objects.filter(pk=link.pk).update(target=found)
