"""Banks of an organisation and nodes at their place in a document, as an engine would write them."""

from __future__ import annotations

from typing import Any

from memory import tenancy
from memory.language.text import content_hash
from memory.models import Access, Bank, Document, Level, Membership, Node
from tests import nodes
from tests.factories import Org


def make_bank(
    org: Org, name: str, *, owner: Membership | None = None, access: str = Access.TENANT
) -> Bank:
    """Opens the tenant's scope itself."""
    user_id = (owner or org.admin).user_id
    with tenancy.scope(org.tenant.pk):
        return nodes.make_bank(org.tenant, name, owner_id=user_id, access=access)


def make_document(bank: Bank, name: str, text: str, **fields: Any) -> Document:
    return Document.objects.create(
        tenant_id=bank.tenant_id,
        bank=bank,
        name=name,
        text=text,
        content_hash=content_hash(text),
        **fields,
    )


def place_node(document: Document, text: str, *, level: Level = Level.L1, **fields: Any) -> Node:
    """A node at the first place of its text in a document of its bank."""
    start = document.text.index(text)
    fields |= {"document_id": document.pk, "char_start": start, "char_end": start + len(text)}
    return nodes.add_node(document.bank, text, level=level, **fields)
