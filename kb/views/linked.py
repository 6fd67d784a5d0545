"""A page's HTML with the links that this reader can follow. Other links read as plain words."""

from __future__ import annotations

from kb import access, linking, links
from kb.links import LinkTarget, TargetKind
from kb.models import Doc, DocLink, Revision
from kb.presenting import page_url
from memory.models import Membership

_Key = tuple[TargetKind, str]


def linked_html(member: Membership | None, doc: Doc, revision: Revision) -> str:
    """One query where ``revision`` is the live one; a draft's own links are looked up one by one."""
    slugs: dict[_Key, str | None] = {}
    stored = DocLink.objects.filter(source=doc, target__in=access.visible_docs(member))
    for href, slug in stored.values_list("href", "target__slug"):
        target = links.parse_target(href)
        if target is not None:
            slugs[_key(target)] = slug
    is_live = revision.pk == doc.live_revision_id

    def address_of(target: LinkTarget) -> str | None:
        key = _key(target)
        if key not in slugs and not is_live:
            slugs[key] = _slug_of(member, linking.resolve(doc, target))
        slug = slugs.get(key)
        return page_url(doc.tenant.slug, slug) if slug is not None else None

    return links.resolve_links(revision.html, address_of)


def _slug_of(member: Membership | None, found: Doc | None) -> str | None:
    if found is None:
        return None
    visible = access.visible_docs(member).filter(pk=found.pk)
    return visible.values_list("slug", flat=True).first()


def _key(target: LinkTarget) -> _Key:
    return target.kind, target.value
