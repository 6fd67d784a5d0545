"""What the sweep looks for in the memory API: a bank for each page of its world.

That of the open page is shared, that of the secret page is its owner's own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memory import banks, directives, keyword_packing, mental_models
from memory.chunk_ids import ChunkId
from memory.facts.records import Mention
from memory.levels import Level
from memory.models import (
    Access,
    Bank,
    ChangeKind,
    Corpus,
    Document,
    Entity,
    Membership,
    MemoryChange,
    Node,
    Operation,
    OperationStatus,
    OperationType,
)
from memory.retain import engine
from memory.retain.items import RetainItem

# Parts of addresses of what is not offered; nothing stands behind them.
NOWHERE = dict.fromkeys(("page_id", "node_id", "key", "webhook_id", "alias", "log_id"), "nothing")
MISSING = {
    "bank_id": "no-such-bank",
    "document_id": "no/such/document",
    "chunk_id": "no-such-bank_document_0",
    "model_id": "no-such-model",
}


def bank_of(owner: Membership, *, title: str, text: str, is_private: bool) -> dict[str, Any]:
    """A bank with one of everything. Its parts by the names that addresses use."""
    word = title.split()[0].lower()
    access = Access.PRIVATE if is_private else Access.TENANT
    bank = banks.open_or_create(owner, f"{word}-bank", access=access)
    document = f"notes/{word}.md"
    done = engine.retain(
        bank.pk,
        [
            RetainItem(
                content=text,
                context=word,
                metadata={"about": word},
                document_name=document,
                tags=(word,),
                entities=(Mention(title, resolve=False),),
            )
        ],
    )
    [memory_id, *_] = done.fact_ids
    common = {"tenant_id": bank.tenant_id, "bank_id": bank.pk}
    MemoryChange.objects.create(
        node_id=memory_id, kind=ChangeKind.EDITED, before={"text": word}, reason=word, **common
    )
    Corpus.objects.create(name=word, **common)
    operation = Operation.objects.create(
        type=OperationType.CONSOLIDATION,
        status=OperationStatus.FAILED,
        payload={"scopes": [[word]]},
        error=word,
        created_by=owner.user,
        **common,
    )
    directive = directives.create(bank, {"name": word, "content": f"Speak of {word}."})
    model = mental_models.create(
        bank, {"title": word, "query": f"What about {word}?"}, name=f"{word}-model"
    )
    keyword_packing.pack(bank.pk, Level.L1)
    entity = Entity.objects.filter(bank_id=bank.pk).latest("pk")
    return NOWHERE | {
        "bank_id": bank.name,
        "memory_id": memory_id,
        "document_id": document,
        "chunk_id": str(ChunkId(bank.name, document, 0)),
        "entity_id": entity.pk,
        "operation_id": operation.pk,
        "directive_id": directive.pk,
        "model_id": model.name,
    }


def rows_of(values: dict[str, Any]) -> dict[type, Callable[[], Any]]:
    """For each model of banks that the administration shows, the row that ``values`` names."""
    return {
        Bank: lambda: Bank.objects.get(name=values["bank_id"]),
        Document: lambda: Document.objects.get(name=values["document_id"]),
        Node: lambda: Node.objects.get(pk=values["memory_id"]),
        Entity: lambda: Entity.objects.get(pk=values["entity_id"]),
        Operation: lambda: Operation.objects.get(pk=values["operation_id"]),
    }
