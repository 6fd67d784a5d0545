"""Pages, their immutable revisions, and the links between them."""

from __future__ import annotations

from uuid import UUID

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from kb.models.index import IndexState
from memory.models.base import TenantEntity, ref


class Status(models.TextChoices):
    DRAFT = "draft", _("Draft")
    PUBLISHED = "published", _("Published")
    ARCHIVED = "archived", _("Archived")


class Visibility(models.TextChoices):
    PUBLIC = "public", _("Public")
    ORG_ONLY = "org_only", _("Organisation")
    ROLE_RESTRICTED = "role_restricted", _("Groups")


class Category(models.TextChoices):
    HOW_TO = "how_to", _("How-to")
    REFERENCE = "reference", _("Reference")
    DECISION_LOG = "decision_log", _("Decision log")
    POLICY = "policy", _("Policy")
    RUNBOOK = "runbook", _("Runbook")


class SourceFormat(models.TextChoices):
    MARKDOWN = "markdown", "Markdown"
    HTML = "html", "HTML"


class Doc(TenantEntity):
    """A page.

    Readers and asks see ``published_revision``, editors ``head_revision``. ``indexed_revision`` is
    the one whose nodes are live: another than the published one only after an index failed.
    """

    slug = models.CharField(max_length=200)
    title = models.CharField(max_length=300)
    language = models.CharField(max_length=12, blank=True)
    category = models.CharField(max_length=16, choices=Category.choices, blank=True)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.DRAFT)
    visibility = models.CharField(
        max_length=16, choices=Visibility.choices, default=Visibility.ORG_ONLY
    )
    allowed_groups = ArrayField(models.CharField(max_length=60), default=list, blank=True)
    owner = models.ForeignKey("memory.User", on_delete=models.PROTECT, related_name="+")
    head_revision = ref("kb.Revision", null=True)
    published_revision = ref("kb.Revision", null=True)
    indexed_revision = ref("kb.Revision", null=True)
    index_state = models.CharField(
        max_length=8, choices=IndexState.choices, default=IndexState.PENDING
    )
    index_error = models.CharField(max_length=300, blank=True)
    index_rules = models.CharField(max_length=40, blank=True)  # see kb.ingest.rules
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)
    deleted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("page")
        verbose_name_plural = _("pages")
        ordering = ("-updated_at",)
        constraints = [
            models.UniqueConstraint(fields=("tenant", "id"), name="doc_tenant_id"),
            models.UniqueConstraint(
                fields=("tenant", "slug"), condition=Q(deleted_at=None), name="doc_slug_once"
            ),
            models.CheckConstraint(
                condition=~Q(visibility=Visibility.ROLE_RESTRICTED) | ~Q(allowed_groups=[]),
                name="doc_restricted_has_groups",
            ),
            models.CheckConstraint(condition=Q(status__in=Status.values), name="doc_status"),
            models.CheckConstraint(
                condition=Q(visibility__in=Visibility.values), name="doc_visibility"
            ),
        ]
        indexes = [models.Index(fields=("tenant", "-updated_at"), name="doc_recent")]

    def __str__(self) -> str:
        return self.title

    @property
    def live_revision_id(self) -> UUID | None:
        """What is asked: the published revision, or the head of a page that never was published."""
        return self.published_revision_id or self.head_revision_id


class Revision(TenantEntity):
    """An immutable version of a page. Offsets everywhere count code points of ``text``."""

    append_only = True

    doc = ref("kb.Doc")
    number = models.PositiveIntegerField()
    title = models.CharField(max_length=300)
    source = models.TextField()
    source_format = models.CharField(max_length=10, choices=SourceFormat.choices)
    html = models.TextField(blank=True)
    text = models.TextField(blank=True)
    sha256 = models.CharField(max_length=64)  # of the normalised source
    created_by = models.ForeignKey("memory.User", on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-number",)
        constraints = [
            models.UniqueConstraint(fields=("tenant", "id"), name="revision_tenant_id"),
            models.UniqueConstraint(
                fields=("tenant", "doc", "number"), name="revision_number_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.title} v{self.number}"


class DocLink(TenantEntity):
    """A link of a page's live revision. ``target`` is null for a page that is not there yet."""

    source = ref("kb.Doc")
    target = ref("kb.Doc", null=True)
    href = models.CharField(max_length=500)  # as written: a slug, a title or an id
    label = models.CharField(max_length=300, blank=True)
    name = models.CharField(max_length=200, blank=True)  # ``links.link_name``: who it may mean

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=("tenant", "id"), name="doclink_tenant_id"),
            models.UniqueConstraint(fields=("tenant", "source", "href"), name="doclink_once"),
        ]
        indexes = [
            models.Index(fields=("tenant", "target"), name="doclink_inbound"),
            models.Index(fields=("tenant", "name"), name="doclink_named"),
        ]

    def __str__(self) -> str:
        return self.href


class SlugRedirect(TenantEntity):
    """An address that a page had before. It leads to the page until another page takes it."""

    slug = models.CharField(max_length=200)
    doc = ref("kb.Doc")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=("tenant", "id"), name="slugredirect_tenant_id"),
            models.UniqueConstraint(fields=("tenant", "slug"), name="slugredirect_once"),
        ]

    def __str__(self) -> str:
        return self.slug
