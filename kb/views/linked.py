"""A page's HTML for one reader: the links that they can follow, and the images that they may see.

Other links read as plain words; of other images the description is left.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from kb import access, attachments, linking, links
from kb.links import LinkTarget, TargetKind
from kb.models import Attachment, Doc, DocLink, Revision
from kb.presenting import page_url
from memory.models import Membership

_Key = tuple[TargetKind, str]


def linked_html(
    member: Membership | None,
    doc: Doc,
    revision: Revision,
    *,
    own_file: Callable[[Attachment], str] | None = None,
) -> str:
    """One query where ``revision`` is the live one, another for images; a draft's own links are looked
    up one by one. ``own_file`` gives the page's own images another address than the usual one, to
    somebody who may see this page and nothing else.
    """
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

    html = links.resolve_links(revision.html, address_of)
    if own_file is None:
        return html_with_images(member, doc.tenant.slug, html)
    shown = Attachment.objects.filter(doc=doc, pk__in=attachments.attachment_ids(html))
    return attachments.size_images(html, shown.defer("content"), address_of=own_file)


def html_with_images(member: Membership | None, tenant_slug: str, html: str) -> str:
    """One query where there are images, none elsewhere."""
    ids = attachments.attachment_ids(html)
    if not ids:
        return html
    return attachments.size_images(
        html,
        attachments.visible_attachments(member).filter(pk__in=ids),
        address_of=partial(attachments.file_url, tenant_slug),
    )


def _slug_of(member: Membership | None, found: Doc | None) -> str | None:
    if found is None:
        return None
    visible = access.visible_docs(member).filter(pk=found.pk)
    return visible.values_list("slug", flat=True).first()


def _key(target: LinkTarget) -> _Key:
    return target.kind, target.value
