"""What somebody typed into the editor, with the images that came along taken in.

Without script an image is chosen in the form: "Add to the text" brings it in and shows the form
again, and saving brings in what is still chosen. With script images are uploaded one by one.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.http import QueryDict

from kb import attachments
from kb.errors import InvalidImage
from kb.models import SourceFormat
from memory.middleware import TenantRequest
from memory.models import Membership


@dataclass(frozen=True, slots=True)
class Typed:
    fields: QueryDict
    adds_images: bool
    errors: tuple[str, ...] = ()

    @property
    def stays(self) -> bool:
        """Whether the form is to be shown again, whatever it says."""
        return self.adds_images or bool(self.errors)


def typed_in(request: TenantRequest, member: Membership) -> Typed:
    """Images go to the end of the text: without script nobody knows where the cursor was."""
    fields = request.POST.copy()
    source_format = fields.get("source_format") or SourceFormat.MARKDOWN
    errors = []
    for upload in request.FILES.getlist("images"):
        try:
            data = attachments.read_upload(upload.chunks())
            stored = attachments.store(member, data, name=upload.name or "")
        except InvalidImage as error:
            errors.append(f"{upload.name}: {error}")
            continue
        shown = attachments.markup_of(member.tenant.slug, stored, source_format=source_format)
        fields["source"] = f"{fields.get('source', '').rstrip()}\n\n{shown}\n".lstrip()
    return Typed(fields, adds_images="add_images" in fields, errors=tuple(errors))
