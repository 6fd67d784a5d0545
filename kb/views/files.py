"""Images: taking them in from the editor, and showing them to those who may see their page."""

from __future__ import annotations

from uuid import UUID

from csp.constants import NONE
from csp.decorators import csp
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.http import content_disposition_header, quote_etag
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from kb import attachments, sharing
from kb.errors import InvalidImage, LinkEnded, PageNotFound
from kb.models import Attachment, SourceFormat
from kb.views.access import hides_pages, member_of
from memory import tenancy
from memory.middleware import TenantRequest, opens_own_scopes

# Should a browser ever take an image for a page, it may load nothing and run nothing.
_INERT = {"default-src": [NONE], "frame-ancestors": [NONE], "sandbox": True}


@require_POST
@hides_pages
def upload(request: TenantRequest, tenant_slug: str) -> HttpResponse:
    """One image from the editor's script: 201 and what to write for it, or 400 and why not."""
    member = member_of(request)
    if not attachments.can_upload(member):
        raise PageNotFound("Only editors can add images.")
    file = request.FILES.get("file")
    if file is None:
        return JsonResponse({"detail": _("There is no file in this upload.")}, status=400)
    try:
        stored = attachments.store(
            member, attachments.read_upload(file.chunks()), name=file.name or ""
        )
    except InvalidImage as error:
        return JsonResponse({"detail": str(error)}, status=400)
    source_format = request.POST.get("source_format") or SourceFormat.MARKDOWN
    shown = {
        "id": str(stored.pk),
        "url": attachments.file_url(tenant_slug, stored),
        "width": stored.width,
        "height": stored.height,
        "markup": attachments.markup_of(tenant_slug, stored, source_format=source_format),
    }
    return JsonResponse(shown, status=201)


@require_safe
@csp(_INERT)
@hides_pages
def file(request: TenantRequest, tenant_slug: str, attachment_id: UUID, name: str) -> HttpResponse:
    """The name is for people: an image is found by its id."""
    if request.tenant is None:
        raise PageNotFound("There is no such file.")
    return _shown(request, attachments.get_attachment(request.member, attachment_id))


@opens_own_scopes
@require_safe
@csp(_INERT)  # type: ignore[arg-type]  # its types know no view with arguments
def shared_file(request: TenantRequest, token: str, attachment_id: UUID, name: str) -> HttpResponse:
    """An image of a shared page, for whoever opened the page by its link."""
    request.tenant = request.member = None
    try:
        shared = sharing.open_part(token)
    except PageNotFound as error:
        raise Http404 from error
    except LinkEnded as error:
        return HttpResponse(str(error), status=410, content_type="text/plain; charset=utf-8")
    with tenancy.scope(shared.doc.tenant_id):
        found = Attachment.objects.filter(pk=attachment_id, doc=shared.doc).defer("content").first()
        if found is None:
            raise Http404
        response = _shown(request, found)
    response["X-Robots-Tag"] = "noindex"
    return response


def shared_url(token: str, attachment: Attachment) -> str:
    return reverse("shared-file", args=[token, attachment.pk, attachment.name])


def _shown(request: HttpRequest, attachment: Attachment) -> HttpResponse:
    """The bytes are read only where the browser does not have them yet.

    It must ask each time: who may see the page can change between two looks.
    """
    etag = quote_etag(attachment.sha256)
    response = get_conditional_response(request, etag=etag)
    if response is None:
        content = Attachment.objects.values_list("content", flat=True).get(pk=attachment.pk)
        response = HttpResponse(bytes(content), content_type=attachment.media_type)
        disposition = content_disposition_header(False, attachment.name)
        response["Content-Disposition"] = disposition or "inline"
    response["ETag"] = etag
    response["Cache-Control"] = "private, no-cache"
    response["Cross-Origin-Resource-Policy"] = "same-origin"
    return response
