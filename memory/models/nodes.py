"""The one retrievable unit, its vectors and its keyword terms."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from pgvector.django import HalfVectorField

from memory.models.base import TenantEntity, TenantModel, ref


class BankKind(models.TextChoices):
    PAGES = "pages"  # a tenant's pages: read through kb alone, never by the memory API
    MEMORY = "memory"


class Bank(TenantEntity):
    """One isolated memory."""

    name = models.CharField(max_length=200)
    kind = models.CharField(max_length=10, choices=BankKind.choices, default=BankKind.MEMORY)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=("tenant", "id"), name="bank_tenant_id"),
            models.UniqueConstraint(
                fields=("tenant",),
                condition=models.Q(kind=BankKind.PAGES),
                name="bank_of_pages_once",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Level(models.TextChoices):
    L0 = "L0", "L0 raw passage"
    L1 = "L1", "L1 fact"
    L2 = "L2", "L2 observation"
    R = "R", "R reference section"


class Node(TenantEntity):
    """A retrievable text. Rows exist for live revisions only.

    ``sha`` is the hash of what is indexed: the heading path and the text. For level R the offsets
    are code points of the revision's text, and ``document_id`` is the page.
    """

    bank = ref("memory.Bank")
    level = models.CharField(max_length=2, choices=Level.choices)
    sha = models.CharField(max_length=64)
    text = models.TextField()
    heading_path = ArrayField(models.TextField(), default=list)
    language = models.CharField(max_length=12, blank=True)
    document_id = models.UUIDField(null=True)
    chunk_id = models.UUIDField(null=True)
    char_start = models.PositiveIntegerField(default=0)
    char_end = models.PositiveIntegerField(default=0)
    term_count = models.PositiveIntegerField(default=0)  # the length that BM25 divides by
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=("tenant", "id"), name="node_tenant_id"),
            models.CheckConstraint(
                condition=models.Q(char_end__gte=models.F("char_start")), name="node_span_ordered"
            ),
            models.CheckConstraint(condition=models.Q(level__in=Level.values), name="node_level"),
        ]
        indexes = [
            models.Index(fields=("tenant", "bank", "level"), name="node_bank_level"),
            models.Index(fields=("tenant", "document_id"), name="node_document"),
            models.Index(fields=("tenant", "sha"), name="node_sha"),
        ]

    def __str__(self) -> str:
        return self.sha[:12]


class Vector(TenantModel):
    """A node's vector under one recipe. Vectors of different recipes never meet in one query."""

    pk = models.CompositePrimaryKey("tenant_id", "node_id", "recipe")
    node = ref("memory.Node", db_index=False)
    recipe = models.CharField(max_length=120)
    level = models.CharField(max_length=2, choices=Level.choices)
    embedding = HalfVectorField()

    class Meta:
        indexes = [models.Index(fields=("tenant", "recipe"), name="vector_recipe")]


class Term(TenantModel):
    """How often a term occurs in a node.

    Rows in a b-tree, because under row security PostgreSQL does not use GIN: its operators are not
    leakproof, equality is (docs/adr/0003).
    """

    pk = models.CompositePrimaryKey("tenant_id", "bank_id", "level", "term", "node_id")
    bank = ref("memory.Bank", db_index=False)
    level = models.CharField(max_length=2, choices=Level.choices)
    term = models.CharField(max_length=120)
    node = ref("memory.Node", db_index=False)
    count = models.PositiveIntegerField()

    class Meta:
        indexes = [models.Index(fields=("tenant", "node"), name="term_node")]
