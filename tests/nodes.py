"""Memory in tests: a bank, and nodes put into it as they are, without retaining anything."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from memory import keywords, tenancy, vectors
from memory.backends import registry
from memory.language.text import content_hash
from memory.levels import EdgeType, FactType, Level
from memory.models import Bank, Document, Edge, Entity, Node, NodeEntity, NodeTag, Tenant

_TYPES = {Level.L1: FactType.WORLD, Level.L2: FactType.OBSERVATION}


def make_tenant() -> Tenant:
    slug = f"org-{uuid.uuid4().hex[:8]}"
    return Tenant.objects.create(slug=slug, name=slug)


def make_bank(tenant: Tenant, name: str = "bank", **fields: Any) -> Bank:
    return Bank.objects.create(tenant=tenant, name=name, **fields)


def make_document(bank: Bank, name: str, text: str = "") -> Document:
    return Document.objects.create(
        tenant_id=bank.tenant_id, bank=bank, name=name, text=text, content_hash=content_hash(text)
    )


def add_nodes(
    bank: Bank,
    texts: Sequence[str],
    *,
    level: Level = Level.L1,
    tags: Sequence[str] = (),
    encode: bool = True,
    **fields: Any,
) -> list[Node]:
    """Nodes of the level with their keyword terms, tags and vectors, in one go."""
    fields.setdefault("language", "en")
    fields.setdefault("fact_type", _TYPES.get(level, ""))
    counted = [keywords.count(text, fields["language"]) for text in texts]
    nodes = [
        Node(
            tenant_id=bank.tenant_id,
            bank=bank,
            level=level,
            sha=content_hash(text),
            text=text,
            tags=list(tags),
            term_count=found.total(),
            **fields,
        )
        for text, found in zip(texts, counted, strict=True)
    ]
    Node.objects.bulk_create(nodes)
    keywords.add(bank.pk, level, list(zip(nodes, counted, strict=True)))
    NodeTag.objects.bulk_create(
        NodeTag(tenant_id=bank.tenant_id, bank=bank, tag=tag, node=node)
        for node in nodes
        for tag in tags
    )
    if encode:
        encoder = registry.encoder()
        embeddings = encoder.encode_passages([vectors.indexed_text(node) for node in nodes])
        vectors.store([node.pk for node in nodes], embeddings, encoder.recipe)
    return nodes


def add_node(bank: Bank, text: str, **fields: Any) -> Node:
    return add_nodes(bank, [text], **fields)[0]


def link(
    child: Node, parent: Node, kind: EdgeType = EdgeType.DERIVED_FROM, weight: float = 1.0
) -> Edge:
    return Edge.objects.create(
        tenant_id=tenancy.require(),
        bank_id=child.bank_id,
        child=child,
        child_level=child.level,
        parent=parent,
        parent_level=parent.level,
        type=kind,
        weight=weight,
    )


def mention(name: str, *nodes: Node) -> Entity:
    """The nodes mention this entity, which is made on first use."""
    bank_id = nodes[0].bank_id
    now = nodes[0].created_at
    entity, _ = Entity.objects.get_or_create(
        tenant_id=tenancy.require(),
        bank_id=bank_id,
        folded=name.casefold(),
        defaults={"name": name, "first_seen": now, "last_seen": now},
    )
    NodeEntity.objects.bulk_create(
        NodeEntity(tenant_id=tenancy.require(), node=node, entity=entity) for node in nodes
    )
    return entity
