"""Images of pages: taken in, attached to the page that shows them, and found again by who may see it.

An image belongs to one page, the first that is saved with it by the person who uploaded it. Text
copied to a page with other readers does not take the image along: they see its description.
"""

from __future__ import annotations

import hashlib
import html
import re
from collections.abc import Callable, Iterable
from datetime import timedelta
from uuid import UUID

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from kb import access
from kb.errors import InvalidImage, PageNotFound
from kb.images import EXTENSIONS, MAX_BYTES, CleanImage, clean_image
from kb.models import Attachment, Doc, SourceFormat
from kb.slugs import slug_part
from memory import tenancy
from memory.models import Membership

UNUSED_FOR = timedelta(days=30)  # an image that no page took by then is forgotten

_IMAGE = re.compile(r"<img( [^>]*)>")
_SOURCE = re.compile(
    r' src="/[^/"]+/files/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/[^"]*"', re.IGNORECASE
)


def store(actor: Membership, data: bytes, *, name: str = "") -> Attachment:
    """Take an image in. Raises ``InvalidImage``; ``PageNotFound`` for somebody who edits nothing."""
    if not can_upload(actor):
        raise PageNotFound("Only editors can add images.")
    if not data:
        raise InvalidImage(_("The file is empty."))
    image = clean_image(data)
    return Attachment.objects.create(
        tenant_id=actor.tenant_id,
        name=_file_name(name, image),
        media_type=image.media_type,
        sha256=hashlib.sha256(image.content).hexdigest(),
        width=image.width,
        height=image.height,
        content=image.content,
        created_by=actor.user,
    )


def can_upload(member: Membership) -> bool:
    """Editors, and readers who own a page here and may therefore change it."""
    return member.can_write or Doc.objects.filter(owner_id=member.user_id, deleted_at=None).exists()


def attach(actor: Membership, doc: Doc, markup: str) -> None:
    """Give ``doc`` the images that its text shows, the actor uploaded, and no page has yet."""
    shown = attachment_ids(markup)
    if shown:
        Attachment.objects.filter(pk__in=shown, doc=None, created_by_id=actor.user_id).update(
            doc=doc
        )


def visible_attachments(member: Membership | None) -> QuerySet[Attachment]:
    """Images of pages that the member may open, and one's own that no page has yet. Without bytes."""
    mine = Q(doc=None, created_by_id=member.user_id) if member is not None else Q(pk=None)
    of_pages = Q(doc__in=access.visible_docs(member))
    return Attachment.objects.filter(of_pages | mine).defer("content")


def get_attachment(member: Membership | None, attachment_id: UUID) -> Attachment:
    """Raises ``PageNotFound``."""
    found = visible_attachments(member).filter(pk=attachment_id).first()
    if found is None:
        raise PageNotFound("There is no such file.")
    return found


def forget_unused(tenant_id: UUID) -> int:
    """Delete a tenant's images that were uploaded and that no page took. How many they were."""
    before = timezone.now() - UNUSED_FOR
    with tenancy.scope(tenant_id):
        return Attachment.objects.filter(doc=None, created_at__lt=before)._raw_delete("default")


def file_url(tenant_slug: str, attachment: Attachment) -> str:
    return reverse("file", args=[tenant_slug, attachment.pk, attachment.name])


def markup_of(tenant_slug: str, attachment: Attachment, *, source_format: str) -> str:
    """What a writer puts into a page's source to show the image."""
    address, words = file_url(tenant_slug, attachment), _words(attachment.name)
    if source_format == SourceFormat.HTML:
        return f'<img src="{html.escape(address)}" alt="{html.escape(words)}">'
    return f"![{words}]({address})"


def attachment_ids(markup: str) -> set[UUID]:
    """The images of ours that canonical HTML shows."""
    return {UUID(found) for tag in _IMAGE.findall(markup) for found in _SOURCE.findall(tag)}


def size_images(
    markup: str,
    attachments: Iterable[Attachment],
    *,
    address_of: Callable[[Attachment], str],
) -> str:
    """Canonical HTML whose images have an address for this reader and the room that they will take.

    One that is not among ``attachments`` keeps its description and asks the server for nothing. The
    text stays as it is: an image has none.
    """
    known = {attachment.pk: attachment for attachment in attachments}

    def rewrite(match: re.Match[str]) -> str:
        attributes = match.group(1)
        source = _SOURCE.search(attributes)
        if source is None:
            return match.group()
        attachment = known.get(UUID(source.group(1)))
        if attachment is None:
            return f"<img{_SOURCE.sub('', attributes)}>"
        address = html.escape(address_of(attachment))
        size = f' width="{attachment.width}" height="{attachment.height}"'
        return (
            f"<img{_SOURCE.sub(lambda _: f' src={chr(34)}{address}{chr(34)}{size}', attributes)}>"
        )

    return _IMAGE.sub(rewrite, markup)


def read_upload(chunks: Iterable[bytes]) -> bytes:
    """The bytes of an upload, no more than are needed to see that it is too large."""
    data = bytearray()
    for chunk in chunks:
        data += chunk
        if len(data) > MAX_BYTES:
            break
    return bytes(data)


def _file_name(name: str, image: CleanImage) -> str:
    """The uploaded name as one word of an address, with the ending that the content has."""
    stem = name.replace("\\", "/").rsplit("/", 1)[-1].rsplit(".", 1)[0]
    return f"{slug_part(stem)[:80] or 'image'}.{EXTENSIONS[image.media_type]}"


def _words(name: str) -> str:
    """A first description for the writer to improve: what the file was called."""
    words = re.sub(r"[-_]+", " ", name.rsplit(".", 1)[0])
    return re.sub(r"[\[\]\\<>]", "", words).strip()
