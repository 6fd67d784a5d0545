"""Every address of the memory API: who gets what. The bank is shared, and the page owner's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memory.api.not_offered import NOT_OFFERED
from tests.sweep.replies import Reply, members

EVERY_MEMBER = ("reader", "editor", "owner", "admin", "outsider")


def own(status: int, data: Mapping[str, Any] | None = None) -> Reply:
    """The bank's owner and admins; whoever else sees it is told that they may not."""
    return Reply(dict.fromkeys(("owner", "admin"), status) | {"reader": 403, "editor": 403}, data)


def anywhere(status: int, data: Mapping[str, Any] | None = None) -> Reply:
    """A member of any organisation, in their own."""
    return Reply(dict.fromkeys(EVERY_MEMBER, status), data)


ITEMS = {"items": [{"content": "The tide is high."}]}

MEMORY: dict[str, dict[str, Reply]] = {
    "memory-banks": {"GET": anywhere(200)},
    "memory-bank": {
        "PUT": Reply(dict(own(200).who) | {"outsider": 200}, {"mission": "Help."}),
        "PATCH": own(200, {"mission": "Help."}),
        "DELETE": own(200),
    },
    "memory-stats": {"GET": members(200)},
    "memory-growth": {"GET": members(200)},
    "memory-config": {
        "GET": members(200),
        "PATCH": own(200, {"updates": {"enable_reranking": False}}),
        "DELETE": own(200),
    },
    "memory-model-health": {"POST": members(200)},
    "memory-profile": {"GET": anywhere(410), "PUT": anywhere(410)},
    "memory-background": {"POST": anywhere(410)},
    "memory-memories": {"POST": anywhere(200, ITEMS), "DELETE": own(200)},
    "memory-recall": {"POST": members(200, {"query": "fee"})},
    "memory-dry-run": {"POST": members(200, {"content": "The tide is high."})},
    "memory-reflect": {"POST": members(200, {"query": "What is the fee?"})},
    "memory-list": {"GET": members(200)},
    "memory-one": {"GET": members(200), "PATCH": members(200, {"text": "The tide is low."})},
    "memory-history": {"GET": members(200)},
    "memory-own-observations": {"DELETE": members(200)},
    "memory-observations": {"DELETE": own(200)},
    "memory-graph": {"GET": members(200)},
    "memory-documents": {"GET": members(200)},
    "memory-document": {
        "GET": members(200),
        "PATCH": members(200, {"tags": ["new"]}),
        "DELETE": members(200),
    },
    "memory-chunks": {"GET": members(200)},
    "memory-chunk": {"GET": members(200)},
    "memory-reprocess": {"POST": members(200)},
    "memory-entities": {"GET": members(200)},
    "memory-entity-graph": {"GET": members(200)},
    "memory-entity": {"GET": members(200)},
    "memory-tags": {"GET": members(200)},
    "memory-scopes": {"GET": members(200)},
    "memory-directives": {
        "GET": members(200),
        "POST": members(200, {"name": "Tone", "content": "Be kind."}),
    },
    "memory-directive": {
        "GET": members(200),
        "PATCH": members(200, {"priority": 2}),
        "DELETE": members(200),
    },
    "memory-models": {
        "GET": members(200),
        "POST": members(200, {"name": "Tides", "source_query": "When is high tide?"}),
    },
    "memory-model": {
        "GET": members(200),
        "PATCH": members(200, {"name": "Tides"}),
        "DELETE": members(200),
    },
    "memory-model-refresh": {"POST": members(200)},
    "memory-model-clear": {"POST": members(200)},
    "memory-model-history": {"GET": members(200)},
    "memory-operations": {"GET": members(200)},
    "memory-operation": {"GET": members(200), "DELETE": members(409)},
    "memory-operation-retry": {"POST": members(200)},
    "memory-operation-delete": {"DELETE": members(200)},
    "memory-consolidate": {"POST": members(200)},
    "memory-recover": {"POST": members(200)},
    "memory-files": {"POST": Reply(dict.fromkeys(EVERY_MEMBER, 415))},
    **{call.name: dict.fromkeys(call.methods, anywhere(501)) for call in NOT_OFFERED},
}
