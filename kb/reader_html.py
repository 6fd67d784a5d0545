"""A page's HTML for one reader: the links that they can follow, and the images that they may see.

Other links read as plain words; of other images the description is left.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from django.db.models import Exists, OuterRef

from kb import access, attachments, linking, links
from kb.addresses import page_url
from kb.links import LinkTarget, TargetKind
from kb.models import Attachment, Doc, DocLink, Revision
from memory.models import Membership

_Key = tuple[TargetKind, str]


def linked_html(
    member: Membership | None,
    doc: Doc,
    revision: Revision,
    *,
    own_file: Callable[[Attachment], str] | None = None,
) -> str:
    """One query, and another for images; links that are not stored (of a draft, or of another revision
    than the live one) are looked up one by one. ``own_file`` gives the page's own images another
    address than the usual one, to somebody who may see this page and nothing else.
    """
    slugs = _stored_slugs(member, doc)

    def address_of(target: LinkTarget) -> str | None:
        key = _key(target)
        if key not in slugs:
            slugs[key] = _slug_of(member, linking.resolve(doc, target))
        slug = slugs[key]
        return page_url(doc.tenant.slug, slug) if slug is not None else None

    html = links.resolve_links(revision.html, address_of, site=linking.site_of(doc.tenant))
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


def _stored_slugs(member: Membership | None, doc: Doc) -> dict[_Key, str | None]:
    """Where the links of the live revision lead, None where this reader has no such page."""
    visible = access.visible_docs(member).filter(pk=OuterRef("target_id"))
    stored = DocLink.objects.filter(source=doc).annotate(is_visible=Exists(visible))
    return {
        _key(target): slug if is_visible else None
        for href, slug, is_visible in stored.values_list("href", "target__slug", "is_visible")
        if (target := links.parse_target(href)) is not None
    }


def _slug_of(member: Membership | None, found: Doc | None) -> str | None:
    if found is None:
        return None
    visible = access.visible_docs(member).filter(pk=found.pk)
    return visible.values_list("slug", flat=True).first()


def _key(target: LinkTarget) -> _Key:
    return target.kind, target.value
