"""Importing an archive in the browser: the upload, and a page that shows how far it is."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from kb.errors import InvalidArchive, PageNotFound
from kb.forms import ImportForm
from kb.importing import jobs
from kb.importing.report import Outcome, counts
from kb.models import ImportJob
from kb.views.access import hides_pages, member_of
from memory.middleware import TenantRequest

RECENT = 20
_SHOWN = 500  # files of a report on one page; the counts are always of all
_NAMES = {
    Outcome.ADDED: gettext_lazy("Added"),
    Outcome.CHANGED: gettext_lazy("Changed"),
    Outcome.UNCHANGED: gettext_lazy("Unchanged"),
    Outcome.REFUSED: gettext_lazy("Left alone"),
    Outcome.FAILED: gettext_lazy("Failed"),
    Outcome.SKIPPED: gettext_lazy("Not a page"),
}
_FIRST = (Outcome.FAILED, Outcome.REFUSED)  # what somebody has to look at


@require_http_methods(["GET", "HEAD", "POST"])
@hides_pages
def upload(request: TenantRequest, tenant_slug: str) -> HttpResponse:
    member = member_of(request)
    if not member.can_write:
        raise PageNotFound("Only editors can import pages.")
    form = ImportForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        archive = form.cleaned_data["archive"]
        name = form.cleaned_data["name"] or (archive.name or "").rpartition(".")[0]
        try:
            job = jobs.start(
                member, archive.read(), name=name, publish=form.cleaned_data["publish"]
            )
        except InvalidArchive as error:
            form.add_error("archive", str(error))
        else:
            return redirect("import-job", tenant_slug=tenant_slug, job_id=job.pk)
    recent = jobs.visible_jobs(member).defer("report")[:RECENT]
    status = 400 if request.method == "POST" else 200
    return render(request, "kb/import.html", {"form": form, "jobs": recent}, status=status)


@require_safe
@hides_pages
def job(request: TenantRequest, tenant_slug: str, job_id: UUID) -> HttpResponse:
    found = jobs.get_job(member_of(request), job_id)
    files = sorted(
        found.report, key=lambda one: (one["outcome"] not in _FIRST, one["outcome"], one["path"])
    )
    return render(
        request,
        "kb/import_job.html",
        {
            "job": found,
            "progress": _progress(found),
            "files": [_in_words(one) for one in files[:_SHOWN]],
            "more": max(0, len(files) - _SHOWN),
        },
    )


@require_safe
@hides_pages
def progress(request: TenantRequest, tenant_slug: str, job_id: UUID) -> HttpResponse:
    """What the page's script asks for until the import is over."""
    return JsonResponse(_progress(jobs.get_job(member_of(request), job_id)))


def _in_words(file: dict[str, str]) -> dict[str, Any]:
    """A line of the report, which was written in English by a worker."""
    reason = file["reason"]
    return file | {"says": _NAMES[Outcome(file["outcome"])], "reason": reason and _(reason)}


def _progress(job: ImportJob) -> dict[str, Any]:
    found = counts(job.report)
    done = min(sum(bool(one["slug"]) for one in job.report), job.total)
    said = ", ".join(
        f"{_NAMES[Outcome(name)]}: {number}" for name, number in found.items() if number
    )
    return {
        "state": job.state,
        "is_over": job.is_over,
        "done": done,
        "total": job.total,
        "counts": found,
        "says": _("{done} of {total} files").format(done=done, total=job.total),
        "details": said,
    }
