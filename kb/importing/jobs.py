"""Archives that were uploaded in the browser: kept with their job, imported by a worker in slices.

    start ──on commit──▶ work ──slice over──▶ work ── … ──▶ done
                          └── worker dies: the lease runs out, ``resume`` sends the job again

A slice ends well before the time limit of a task. A job that is handed out twice is worked on once.
"""

from __future__ import annotations

import io
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from kombu.exceptions import OperationalError as BrokerUnreachable

from kb import tasks
from kb.errors import InvalidArchive, PageNotFound
from kb.importing.applying import Import, ImportOptions
from kb.importing.report import FileReport
from kb.models import ImportJob, ImportState
from memory import tenancy, trees
from memory.language.text import clean_text
from memory.models import Membership

logger = logging.getLogger(__name__)

MAX_ARCHIVE = 32 * 2**20  # bytes of an upload; a larger tree goes through manage.py
SLICE = 120.0  # seconds
_LEASE = timedelta(minutes=5)  # longer than a task may run
_SETTLE = timedelta(minutes=1)  # a job sent just now has its own message on the way
_NOTE_EVERY = 1.0  # seconds between two notes of the progress

_NO_EDITOR = gettext_noop("Whoever started this import is no longer an editor here.")


def start(member: Membership, archive: bytes, *, name: str, publish: bool) -> ImportJob:
    """Check and plan an archive, keep it, and have it imported once the caller has committed.

    Raises ``InvalidArchive``, and ``PageNotFound`` for a reader.
    """
    origin = clean_text(name)[:100] or "archive"
    if len(archive) > MAX_ARCHIVE:
        raise InvalidArchive(
            _("An archive has at most {most} MB.").format(most=MAX_ARCHIVE // 2**20)
        )
    try:
        run = Import(member, trees.ZipTree(io.BytesIO(archive)), ImportOptions(origin=origin))
    except trees.TreeUnreadable as error:
        raise InvalidArchive(_(str(error))) from error
    if not run.plan.pages:
        raise InvalidArchive(_("The archive holds no Markdown and no HTML files."))
    job = ImportJob.objects.create(
        tenant_id=member.tenant_id,
        origin=origin,
        publish=publish,
        archive=archive,
        total=len(run.plan.pages),
        created_by=member.user,
    )
    _send(job)
    return job


def visible_jobs(member: Membership) -> QuerySet[ImportJob]:
    """One's own, and to admins all: a report names pages. Newest first, without the archives."""
    jobs = ImportJob.objects.defer("archive").select_related("created_by")
    return jobs if member.is_admin else jobs.filter(created_by_id=member.user_id)


def get_job(member: Membership, job_id: UUID) -> ImportJob:
    """Raises ``PageNotFound``."""
    job = visible_jobs(member).filter(pk=job_id).first() if member.can_write else None
    if job is None:
        raise PageNotFound("There is no such import.")
    return job


def work(tenant_id: UUID, job_id: UUID) -> None:
    """Import a slice of a job, and send the rest. Does nothing where another worker holds it."""
    with _held(tenant_id, job_id) as job:
        if job is None:
            return
        member = Membership.objects.select_related("tenant", "user").filter(
            tenant_id=tenant_id, user_id=job.created_by_id, is_active=True, user__is_active=True
        )
        actor = member.first()
        if actor is None or not actor.can_write:
            _end(job, error=_NO_EDITOR)
            return
        options = ImportOptions(origin=job.origin, publish=job.publish)
        run = Import(actor, trees.ZipTree(io.BytesIO(job.archive)), options)
        seen = frozenset(report["path"] for report in job.report)
        if _slice(job, run.files(seen=seen)):
            _end(job)
    if not job.is_over:
        with tenancy.scope(tenant_id):
            _send(job)


def resume(tenant_id: UUID) -> int:
    """Send again the jobs that nobody works on. Returns how many."""
    now = timezone.now()
    with tenancy.scope(tenant_id):
        waiting = ImportJob.objects.filter(
            Q(leased_until__lt=now) | Q(leased_until=None, created_at__lt=now - _SETTLE),
            state__in=(ImportState.WAITING, ImportState.RUNNING),
        ).only("pk", "tenant_id")
        for job in waiting:
            _send(job)
        return len(waiting)


@contextmanager
def _held(tenant_id: UUID, job_id: UUID) -> Iterator[ImportJob | None]:
    """The job, if it is free and not over, and nobody else's until the block ends."""
    now = timezone.now()
    with tenancy.scope(tenant_id):
        taken = ImportJob.objects.filter(
            Q(leased_until=None) | Q(leased_until__lt=now),
            pk=job_id,
            state__in=(ImportState.WAITING, ImportState.RUNNING),
        ).update(leased_until=now + _LEASE, state=ImportState.RUNNING)
        job = ImportJob.objects.get(pk=job_id) if taken else None
    yield job
    if job is not None:
        # Not after an exception: then the lease runs out, which keeps a job that fails from spinning.
        with tenancy.scope(tenant_id):
            ImportJob.objects.filter(pk=job_id).update(leased_until=None)


def _slice(job: ImportJob, reports: Iterator[FileReport]) -> bool:
    """Work until the slice is over. Whether all is done."""
    until = noted = time.monotonic()
    until += SLICE
    for report in reports:
        job.report.append(report.as_json())
        now = time.monotonic()
        if now - noted >= _NOTE_EVERY or now >= until:
            _note(job)
            noted = now
        if now >= until:
            return False
    return True


def _note(job: ImportJob) -> None:
    with tenancy.scope(job.tenant_id):
        job.save(update_fields=("report",))


def _end(job: ImportJob, *, error: str = "") -> None:
    job.state = ImportState.FAILED if error else ImportState.DONE
    job.error, job.archive, job.finished_at = error, b"", timezone.now()
    with tenancy.scope(job.tenant_id):
        job.save(update_fields=("state", "error", "archive", "finished_at", "report"))


def _send(job: ImportJob) -> None:
    transaction.on_commit(partial(_enqueue, str(job.tenant_id), str(job.pk)))


def _enqueue(tenant_id: str, job_id: str) -> None:
    """An unreachable broker loses nothing: ``resume`` sends the job again."""
    try:
        tasks.run_import.delay(tenant_id, job_id)
    except BrokerUnreachable:
        logger.warning("broker_unreachable", extra={"tenant_id": tenant_id, "job_id": job_id})
