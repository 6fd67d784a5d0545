"""The rows of observations: nodes, terms, tags, vectors, and what connects them with their sources."""

from __future__ import annotations

from collections import defaultdict
from uuid import UUID

from django.db import connection

from memory import keywords, tenancy, vectors
from memory.levels import EdgeType, Level
from memory.models import Edge, Node, NodeEntity
from memory.retain import edges
from memory.retain.comparing import Fact
from memory.retain.edges import NewEdge
from memory.retain.writing import add_tags

REWRITTEN = (
    "text",
    "lead",
    "heading_path",
    "sha",
    "language",
    "speaker",
    "occurred_start",
    "occurred_end",
    "mentioned_at",
    "proof_count",
    "trust",
    "superseded_at",
    "term_count",
)

# An observation is indexed by the words of one of its sources, which have their vector.
_COPY_VECTORS = """
    INSERT INTO memory_vector (tenant_id, node_id, bank_id, recipe, level, embedding)
    SELECT known.tenant_id, given.observation, known.bank_id, known.recipe, 'L2', known.embedding
    FROM unnest(%(observations)s::uuid[], %(sources)s::uuid[]) AS given (observation, source)
    JOIN memory_vector known ON known.tenant_id = %(tenant)s AND known.node_id = given.source
    ON CONFLICT (tenant_id, node_id, recipe) DO UPDATE SET embedding = EXCLUDED.embedding
"""


def save(bank_id: UUID, written: list[tuple[Node, Fact, list[Fact]]]) -> None:
    if not written:
        return
    tenant_id = tenancy.require()
    nodes = [node for node, _, _ in written]
    counted = [(node, keywords.count(vectors.indexed_text(node), node.language)) for node in nodes]
    for node, found in counted:
        node.term_count = found.total()
    known = set(
        Node.objects.filter(pk__in=[node.pk for node in nodes]).values_list("pk", flat=True)
    )
    Node.objects.bulk_update([node for node in nodes if node.pk in known], REWRITTEN)
    Node.objects.bulk_create([node for node in nodes if node.pk not in known])
    keywords.remove(list(known))
    keywords.add(bank_id, Level.L2, counted)
    add_tags(nodes)
    with connection.cursor() as cursor:
        cursor.execute(
            _COPY_VECTORS,
            {
                "observations": [node.pk for node in nodes],
                "sources": [source.id for _, source, _ in written],
                "tenant": tenant_id,
            },
        )
    _connect(bank_id, tenant_id, written)


def _connect(bank_id: UUID, tenant_id: UUID, written: list[tuple[Node, Fact, list[Fact]]]) -> None:
    nodes = [node.pk for node, _, _ in written]
    Edge.objects.filter(child_id__in=nodes, type=EdgeType.DERIVED_FROM)._raw_delete("default")
    NodeEntity.objects.filter(node_id__in=nodes)._raw_delete("default")
    derived = (
        NewEdge(node.pk, EdgeType.DERIVED_FROM, source.id)
        for node, _, sources in written
        for source in sources
    )
    edges.add(bank_id, derived, child=Level.L2)
    mentioned: dict[UUID, set[UUID]] = defaultdict(set)
    for node_id, entity_id in NodeEntity.objects.filter(
        node_id__in=[source.id for _, _, sources in written for source in sources]
    ).values_list("node_id", "entity_id"):
        mentioned[node_id].add(entity_id)
    NodeEntity.objects.bulk_create(
        [
            NodeEntity(tenant_id=tenant_id, node_id=node.pk, entity_id=entity_id)
            for node, _, sources in written
            for entity_id in sorted({e for source in sources for e in mentioned[source.id]})
        ],
        ignore_conflicts=True,
    )
