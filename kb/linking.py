"""Which page a link means: decided in the database, when a page is saved and when one appears.

An id is a page; a path is a slug, relative to the page that it stands on or to a root above it
(``links.page_candidates``); a wiki name is a slug, then a title that only one page has. Anything
else is a wanted page.

A page that appears looks up, by its names alone, the links that may mean it: the cost is that of
the links found, however many others a tenant has.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.db.models import Q

from kb.links import (
    WIKI_SCHEME,
    LinkTarget,
    TargetKind,
    link_name,
    page_candidates,
    page_names,
    parse_target,
)
from kb.models import Doc, DocLink, SlugRedirect
from kb.rendering import LinkKind, ParsedLink
from kb.sites import Site
from kb.slugs import slug_path
from memory.models import Tenant

_HREF_LENGTH = 500
_NAME_LENGTH = 200
_BETWEEN_PAGES = (TargetKind.PAGE, TargetKind.DOC, TargetKind.WIKI)


def replace_links(doc: Doc, links: Iterable[ParsedLink]) -> None:
    """Make ``doc``'s links those of its live revision. A fixed number of queries."""
    labels: dict[str, str] = {}
    targets: dict[str, LinkTarget] = {}
    site = site_of(doc.tenant)
    for link in links:
        is_wiki = link.kind is LinkKind.WIKI
        href = f"{WIKI_SCHEME}{link.target}" if is_wiki else site.local(link.target)
        target = parse_target(href)
        if target is None or target.kind not in _BETWEEN_PAGES or len(href) > _HREF_LENGTH:
            continue
        targets.setdefault(href, target)
        labels.setdefault(href, link.label[:300])
    found = _resolve_all([(doc.slug, target) for target in targets.values()])
    DocLink.objects.filter(source=doc).delete()
    DocLink.objects.bulk_create(
        DocLink(
            tenant_id=doc.tenant_id,
            source=doc,
            href=href,
            label=labels[href],
            name=link_name(target)[:_NAME_LENGTH],
            target_id=doc_id,
        )
        for (href, target), doc_id in zip(targets.items(), found, strict=True)
    )


def site_of(tenant: Tenant) -> Site:
    """What full addresses of an organisation's pages look like here, as far as settings say."""
    return Site(tenant.slug, tuple(settings.ALLOWED_HOSTS), tuple(settings.CSRF_TRUSTED_ORIGINS))


def resolve(source: Doc, target: LinkTarget) -> Doc | None:
    """The page that a link on ``source`` means, whoever may see it; None for a wanted page."""
    (found,) = _resolve_all([(source.slug, target)])
    return None if found is None else Doc.objects.filter(pk=found).first()


def resolve_wanted_links(doc: Doc) -> None:
    """Point at ``doc`` the links that mean it now: those written before it was there, or before it
    had this slug, and those that had to make do with a page further away.
    """
    names = {name[:_NAME_LENGTH] for name in page_names(doc.slug, doc.title, doc.pk)}
    links = (
        DocLink.objects.filter(Q(target=None) | ~Q(target=doc), name__in=names)
        .select_related("source")
        .only("href", "target", "source__slug")
    )
    asked = []
    for link in links:
        target = parse_target(link.href)
        if target is not None and _may_mean(doc, link.source.slug, target):
            asked.append((link, target))
    found = _resolve_all([(link.source.slug, target) for link, target in asked])
    moved = []
    for (link, _), doc_id in zip(asked, found, strict=True):
        if doc_id is not None and doc_id != link.target_id:
            link.target_id = doc_id
            moved.append(link)
    DocLink.objects.bulk_update(moved, ("target",), batch_size=500)


def _may_mean(doc: Doc, base: str, target: LinkTarget) -> bool:
    return target.kind is not TargetKind.PAGE or doc.slug in _candidates(base, target)


@dataclass(frozen=True, slots=True)
class _Known:
    """The pages that the links at hand can mean. Titles that several pages have are none."""

    ids: frozenset[UUID]
    slugs: dict[str, UUID]
    titles: dict[str, UUID]  # by the title that was asked for


def _resolve_all(asked: Sequence[tuple[str, LinkTarget]]) -> list[UUID | None]:
    """For each link, given as the slug it stands on and its target: the page, or None."""
    candidates = [_candidates(base, target) for base, target in asked]
    known = _known([target for _, target in asked], {slug for each in candidates for slug in each})
    return [
        _pick(target, slugs, known) for (_, target), slugs in zip(asked, candidates, strict=True)
    ]


def _candidates(base: str, target: LinkTarget) -> tuple[str, ...]:
    match target.kind:
        case TargetKind.PAGE:
            return page_candidates(base, target.value, home_language=settings.LANGUAGE_CODE)
        case TargetKind.WIKI:
            return (
                target.value,
                target.value.casefold().replace(" ", "-"),
                slug_path(target.value),
            )
        case _:
            return ()


def _pick(target: LinkTarget, candidates: tuple[str, ...], known: _Known) -> UUID | None:
    if target.kind is TargetKind.DOC:
        return target.doc_id if target.doc_id in known.ids else None
    for slug in candidates:
        if slug in known.slugs:
            return known.slugs[slug]
    return known.titles.get(target.value) if target.kind is TargetKind.WIKI else None


def _known(targets: list[LinkTarget], slugs: set[str]) -> _Known:
    docs = Doc.objects.filter(deleted_at=None)
    ids = [target.doc_id for target in targets if target.doc_id is not None]
    by_slug: dict[str, UUID] = {}
    if slugs:
        former = SlugRedirect.objects.filter(slug__in=slugs, doc__deleted_at=None)
        by_slug = dict(former.values_list("slug", "doc_id"))
        by_slug |= dict(docs.filter(slug__in=slugs).values_list("slug", "pk"))
    names = {target.value for target in targets if target.kind is TargetKind.WIKI}
    return _Known(
        frozenset(docs.filter(pk__in=ids).values_list("pk", flat=True)) if ids else frozenset(),
        by_slug,
        _by_title(names - by_slug.keys()) if names else {},
    )


def _by_title(names: set[str]) -> dict[str, UUID]:
    """Compared in the database, so that upper and lower case are one rule everywhere."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT asked.name, (array_agg(doc.id))[1] FROM unnest(%s::text[]) AS asked (name)"
            f" JOIN {Doc._meta.db_table} doc ON upper(doc.title) = upper(asked.name)"
            " WHERE doc.deleted_at IS NULL GROUP BY asked.name HAVING count(*) = 1",
            [sorted(names)],
        )
        return dict(cursor.fetchall())
