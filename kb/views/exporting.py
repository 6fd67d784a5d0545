"""The history as a file, for people. Scripts take it from the API."""

from __future__ import annotations

from django.http import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from kb import exporting
from kb.api.filters import ExportQuery
from kb.api.qa import download
from kb.errors import ExportTooLong
from kb.exporting import ExportFormat
from kb.views.access import hides_pages, member_of
from memory.middleware import TenantRequest, opens_own_scopes


@opens_own_scopes
@require_safe
@hides_pages
def export_questions(request: TenantRequest, tenant_slug: str) -> HttpResponseBase:
    """One's own questions; an admin's are everybody's, or with ``user`` one member's."""
    member = member_of(request)
    wanted = ExportQuery(data=request.GET, context={"member": member})
    if not wanted.is_valid():
        return render(request, "400.html", status=400)
    file_format = ExportFormat(wanted.validated_data["format"])
    try:
        return download(exporting.export(member, wanted.history_filter(), file_format))
    except ExportTooLong as error:
        return render(request, "400.html", {"reason": str(error)}, status=400)
