"""The one retrievable unit, its vectors and its tags."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _
from pgvector.django import HalfVectorField

from memory import attribution
from memory.levels import FactType, Level
from memory.models.base import TenantEntity, TenantModel, ref

_TYPES_OF_LEVEL = (
    models.Q(level=Level.L1.value, fact_type__in=(FactType.WORLD.value, FactType.EXPERIENCE.value))
    | models.Q(level=Level.L2.value, fact_type=FactType.OBSERVATION.value)
    | models.Q(level__in=(Level.L0.value, Level.R.value), fact_type="")
)
_NEXT_NUMBER = models.Func(models.Value("memory_node_number"), function="nextval")


class Node(TenantEntity):
    """A retrievable text. Rows exist for live revisions and documents only.

    ``text`` is verbatim. What stands above it when it is indexed (speaker, the turn before, a date)
    is ``lead``, then ``heading_path``; ``sha`` is the hash of all that is indexed. Offsets are code
    points of the document's text: for pages a revision's, for banks ``Document.text``.
    ``document_id`` is the page or the document, ``chunk_id`` the page's chunk or the L0 node.
    """

    number = models.IntegerField(db_default=_NEXT_NUMBER)  # its name in the keyword index
    bank = ref("memory.Bank")
    level = models.CharField(max_length=2, choices=[(level.value, level.value) for level in Level])
    fact_type = models.CharField(
        max_length=12, blank=True, choices=[(kind.value, kind.value) for kind in FactType]
    )
    sha = models.CharField(max_length=64)
    text = models.TextField()
    lead = models.TextField(blank=True)
    heading_path = ArrayField(models.TextField(), default=list)
    language = models.CharField(max_length=12, blank=True)
    speaker = models.TextField(blank=True)
    document_id = models.UUIDField(null=True)
    chunk_id = models.UUIDField(null=True)
    ordinal = models.PositiveIntegerField(null=True)  # in its document and level; null for pages
    char_start = models.PositiveIntegerField(default=0)
    char_end = models.PositiveIntegerField(default=0)
    source_uri = models.TextField(blank=True)
    context = models.TextField(blank=True)
    metadata = models.JSONField(default=dict)
    tags = ArrayField(models.TextField(), default=list)  # as NodeTag, for showing
    occurred_start = models.DateTimeField(null=True)
    occurred_end = models.DateTimeField(null=True)
    mentioned_at = models.DateTimeField(null=True)
    trust = models.FloatField(default=0.6)
    proof_count = models.PositiveIntegerField(default=1)  # distinct sources
    superseded_at = models.DateTimeField(null=True)  # lost to a newer fact, and since when
    term_count = models.PositiveIntegerField(default=0)  # the length that BM25 divides by
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("memory")
        verbose_name_plural = _("memories")
        constraints = [
            models.UniqueConstraint(fields=("tenant", "id"), name="node_tenant_id"),
            models.UniqueConstraint(fields=("tenant", "id", "level"), name="node_tenant_id_level"),
            models.UniqueConstraint(fields=("tenant", "number"), name="node_number_once"),
            models.UniqueConstraint(
                fields=("tenant", "document_id", "level", "ordinal"),
                condition=models.Q(ordinal__isnull=False),
                name="node_place_once",
            ),
            models.CheckConstraint(
                condition=models.Q(char_end__gte=models.F("char_start")), name="node_span_ordered"
            ),
            models.CheckConstraint(
                condition=models.Q(level__in=[level.value for level in Level]), name="node_level"
            ),
            models.CheckConstraint(condition=_TYPES_OF_LEVEL, name="node_type_of_level"),
            models.CheckConstraint(
                condition=models.Q(occurred_start=None)
                | models.Q(occurred_end=None)
                | models.Q(occurred_end__gte=models.F("occurred_start")),
                name="node_times_ordered",
            ),
        ]
        indexes = [
            models.Index(fields=("tenant", "bank", "level", "language"), name="node_bank_level"),
            models.Index(
                fields=("tenant", "bank", "level", "fact_type"),
                condition=~models.Q(fact_type=""),
                name="node_bank_type",
            ),
            models.Index(fields=("tenant", "document_id"), name="node_document"),
            models.Index(fields=("tenant", "chunk_id"), name="node_chunk"),
            models.Index(fields=("tenant", "sha"), name="node_sha"),
            models.Index(
                fields=("tenant", "bank", "level", "occurred_start"),
                condition=models.Q(occurred_start__isnull=False),
                name="node_occurred",
            ),
            models.Index(
                fields=("tenant", "bank", "level", "mentioned_at"),
                condition=models.Q(mentioned_at__isnull=False),
                name="node_mentioned",
            ),
        ]

    def __str__(self) -> str:
        return self.sha[:12]

    @property
    def said(self) -> str:
        """The text with who said it, for people."""
        return attribution.said(self.speaker, self.text)


class NodeTag(TenantModel):
    """A tag of a node: rows in a b-tree, for the reason that ``Term`` has."""

    pk = models.CompositePrimaryKey("tenant_id", "bank_id", "tag", "node_id")
    bank = ref("memory.Bank", db_index=False)
    tag = models.TextField()
    node = ref("memory.Node", db_index=False)

    class Meta:
        indexes = [models.Index(fields=("tenant", "node"), name="nodetag_node")]


class Vector(TenantModel):
    """A node's vector under one recipe. Vectors of different recipes never meet in one query."""

    pk = models.CompositePrimaryKey("tenant_id", "node_id", "recipe")
    node = ref("memory.Node", db_index=False)
    bank = ref("memory.Bank", db_index=False)
    recipe = models.CharField(max_length=120)
    level = models.CharField(max_length=2, choices=[(level.value, level.value) for level in Level])
    embedding = HalfVectorField()

    class Meta:
        indexes = [
            models.Index(fields=("tenant", "recipe"), name="vector_recipe"),
            models.Index(fields=("tenant", "bank", "level", "recipe"), name="vector_bank_level"),
        ]
