"""What was imported: which file a page came from, and the runs that people started in the browser."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from memory.models.base import TenantEntity, ref


class ImportedFile(TenantEntity):
    """The page that a file of a tree became. With it an import is resumed and repeated.

    ``digest`` covers all that decides the page: text, fields and images. ``revision`` is the last
    one that an import wrote: another head means that somebody edited the page here since.
    """

    origin = models.CharField(max_length=100)  # the tree's name
    path = models.CharField(max_length=500)
    doc = ref("kb.Doc")
    revision = ref("kb.Revision")
    digest = models.CharField(max_length=64)
    images = models.JSONField(default=dict)  # the attachment of each image, by its file's sha-256
    imported_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=("tenant", "id"), name="importedfile_tenant_id"),
            models.UniqueConstraint(fields=("tenant", "origin", "path"), name="importedfile_once"),
        ]
        indexes = [models.Index(fields=("tenant", "doc"), name="importedfile_doc")]

    def __str__(self) -> str:
        return f"{self.origin}: {self.path}"


class ImportState(models.TextChoices):
    WAITING = "waiting", _("Waiting")
    RUNNING = "running", _("Running")
    DONE = "done", _("Done")
    FAILED = "failed", _("Failed")


class ImportJob(TenantEntity):
    """An uploaded archive on its way to pages. Seen by who started it, and by admins.

    A worker holds it until ``leased_until`` and takes it up again after that, wherever it stood.
    """

    origin = models.CharField(max_length=100)
    publish = models.BooleanField(default=False)
    state = models.CharField(max_length=8, choices=ImportState.choices, default=ImportState.WAITING)
    error = models.CharField(max_length=300, blank=True)
    archive = models.BinaryField()  # emptied when the work is over
    total = models.PositiveIntegerField(default=0)  # files that will become pages
    report = models.JSONField(default=list)  # of each file seen so far: ``Report.as_json``
    leased_until = models.DateTimeField(null=True, blank=True)
    created_by = models.ForeignKey("memory.User", on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-created_at",)
        constraints = [
            models.UniqueConstraint(fields=("tenant", "id"), name="importjob_tenant_id"),
            models.CheckConstraint(
                condition=models.Q(state__in=ImportState.values), name="importjob_state"
            ),
        ]
        indexes = [models.Index(fields=("tenant", "-created_at"), name="importjob_recent")]

    def __str__(self) -> str:
        return self.origin

    @property
    def is_over(self) -> bool:
        return self.state in (ImportState.DONE, ImportState.FAILED)
