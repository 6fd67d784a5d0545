"""What connects nodes: edges, and the entities that they mention."""

from __future__ import annotations

from django.db import models

from memory.levels import EdgeType, Level
from memory.models.base import TenantEntity, TenantModel, ref


class Edge(TenantEntity):
    """Child to parent, typed and weighted.

    The levels are in the row, so that a composite foreign key ties them to the nodes' and a CHECK
    keeps level R without edges.
    """

    bank = ref("memory.Bank", db_index=False)
    child = ref("memory.Node", db_index=False)
    child_level = models.CharField(max_length=2)
    parent = ref("memory.Node", db_index=False)
    parent_level = models.CharField(max_length=2)
    type = models.CharField(max_length=12, choices=[(kind.value, kind.value) for kind in EdgeType])
    weight = models.FloatField(default=1.0)  # 0-1
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=("tenant", "id"), name="edge_tenant_id"),
            models.UniqueConstraint(fields=("tenant", "child", "type", "parent"), name="edge_once"),
            models.CheckConstraint(
                condition=~models.Q(child_level=Level.R.value)
                & ~models.Q(parent_level=Level.R.value),
                name="edge_never_of_reference",
            ),
            models.CheckConstraint(
                condition=~models.Q(type=EdgeType.DERIVED_FROM.value)
                | models.Q(child_level=Level.L1.value, parent_level=Level.L0.value)
                | models.Q(child_level=Level.L2.value, parent_level=Level.L1.value),
                name="edge_derived_one_level_down",
            ),
            models.CheckConstraint(
                condition=models.Q(type__in=[kind.value for kind in EdgeType]), name="edge_type"
            ),
            models.CheckConstraint(
                condition=models.Q(weight__gte=0, weight__lte=1), name="edge_weight"
            ),
            models.CheckConstraint(
                condition=~models.Q(child=models.F("parent")), name="edge_not_to_itself"
            ),
        ]
        indexes = [models.Index(fields=("tenant", "parent", "type"), name="edge_parent")]

    def __str__(self) -> str:
        return f"{self.child_id} {self.type} {self.parent_id}"


class Entity(TenantEntity):
    """A name that memories mention, as it is written best. ``folded`` is how names are compared."""

    bank = ref("memory.Bank", db_index=False)
    name = models.TextField()
    folded = models.CharField(max_length=300)
    kind = models.CharField(max_length=60, blank=True)
    first_seen = models.DateTimeField()
    last_seen = models.DateTimeField()

    class Meta:
        verbose_name_plural = "entities"
        constraints = [
            models.UniqueConstraint(fields=("tenant", "id"), name="entity_tenant_id"),
            models.UniqueConstraint(fields=("tenant", "bank", "folded"), name="entity_once"),
        ]

    def __str__(self) -> str:
        return self.name


class EntityTrigram(TenantModel):
    """A trigram of an entity's folded name: candidates for a name that is written otherwise."""

    pk = models.CompositePrimaryKey("tenant_id", "bank_id", "trigram", "entity_id")
    bank = ref("memory.Bank", db_index=False)
    trigram = models.CharField(max_length=12)
    entity = ref("memory.Entity", db_index=False)

    class Meta:
        indexes = [models.Index(fields=("tenant", "entity"), name="entitytrigram_entity")]


class NodeEntity(TenantModel):
    """A node mentions an entity."""

    pk = models.CompositePrimaryKey("tenant_id", "node_id", "entity_id")
    node = ref("memory.Node", db_index=False)
    entity = ref("memory.Entity", db_index=False)

    class Meta:
        indexes = [models.Index(fields=("tenant", "entity", "node"), name="nodeentity_entity")]
