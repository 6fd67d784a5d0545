"""Banks: one isolated memory each."""

from __future__ import annotations

from django.db import models

from memory.models.base import TenantEntity, ref


class BankKind(models.TextChoices):
    PAGES = "pages"  # a tenant's pages: read through kb alone, never by the memory API
    MEMORY = "memory"


class Access(models.TextChoices):
    PRIVATE = "private"  # its owner alone; admins see its numbers, and may verify it
    TENANT = "tenant"  # every member


def neutral_disposition() -> dict[str, int]:
    return {"skepticism": 3, "literalism": 3, "empathy": 3}


def combined_scopes() -> str:
    return "combined"


class Bank(TenantEntity):
    """One isolated memory: a project in the words of ``mem``.

    ``name`` is what callers say. Shared banks are unique by it in their tenant, private ones for
    their owner.
    """

    name = models.CharField(max_length=200)
    kind = models.CharField(max_length=10, choices=BankKind.choices, default=BankKind.MEMORY)
    owner = models.ForeignKey("memory.User", on_delete=models.PROTECT, related_name="+", null=True)
    access = models.CharField(max_length=10, choices=Access.choices, default=Access.TENANT)
    title = models.CharField(max_length=200, blank=True)
    mission = models.TextField(blank=True)
    background = models.TextField(blank=True)
    disposition = models.JSONField(default=neutral_disposition)
    config = models.JSONField(default=dict)  # what this bank does otherwise than the defaults
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)
    consolidated_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=("tenant", "id"), name="bank_tenant_id"),
            models.UniqueConstraint(
                fields=("tenant",),
                condition=models.Q(kind=BankKind.PAGES),
                name="bank_of_pages_once",
            ),
            models.UniqueConstraint(
                fields=("tenant", "name"),
                condition=models.Q(kind=BankKind.MEMORY, access=Access.TENANT),
                name="bank_shared_once",
            ),
            models.UniqueConstraint(
                fields=("tenant", "owner", "name"),
                condition=models.Q(kind=BankKind.MEMORY, access=Access.PRIVATE),
                name="bank_private_once",
            ),
            models.CheckConstraint(
                condition=models.Q(access=Access.TENANT) | models.Q(owner__isnull=False),
                name="bank_private_has_owner",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Corpus(TenantEntity):
    """A tree of reference documents in a bank, replaced as a whole by the next run."""

    bank = ref("memory.Bank")
    name = models.CharField(max_length=200)
    path = models.TextField(blank=True)  # as it was named when it was added; for people
    documents = models.PositiveIntegerField(default=0)
    sections = models.PositiveIntegerField(default=0)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name_plural = "corpora"
        constraints = [
            models.UniqueConstraint(fields=("tenant", "id"), name="corpus_tenant_id"),
            models.UniqueConstraint(fields=("tenant", "bank", "name"), name="corpus_once"),
        ]

    def __str__(self) -> str:
        return self.name


class Document(TenantEntity):
    """What was retained as one piece, or one file of a corpus. Offsets of its nodes count ``text``.

    ``name`` is the caller's id; without one it is made of the content, so that the same content
    twice is one document.
    """

    bank = ref("memory.Bank")
    corpus = ref("memory.Corpus", null=True)
    name = models.TextField()
    text = models.TextField()
    content_hash = models.CharField(max_length=64)
    source_uri = models.TextField(blank=True)
    context = models.TextField(blank=True)
    metadata = models.JSONField(default=dict)
    tags = models.JSONField(default=list)
    observation_scopes = models.JSONField(
        default=combined_scopes
    )  # a rule's name, or lists of tags
    mentioned_at = models.DateTimeField(null=True)  # null where the caller left it unset
    submitted_at = models.DateTimeField(null=True)  # what was submitted before this is outdated
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=("tenant", "id"), name="document_tenant_id"),
            models.UniqueConstraint(
                fields=("tenant", "bank", "corpus", "name"),
                nulls_distinct=False,
                name="document_once",
            ),
        ]
        indexes = [models.Index(fields=("tenant", "bank", "-updated_at"), name="document_latest")]

    def __str__(self) -> str:
        return self.name
