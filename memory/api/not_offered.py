"""What the Hindsight client can call and this product does not do. One table: addresses, docs, tests.

Each answers 501 with its sentence, to members alone and without looking at the bank.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

_TREE = "The knowledge tree is not offered: pages live in the knowledge base itself, under /v1/kb."
_TRANSFER = "Moving whole banks or documents between installations is not offered."
_WEBHOOKS = "Webhooks are not offered: watch the operation instead."
_ALIASES = "A bank has one id here; aliases are not offered."
_TEMPLATES = "Bank templates are not offered."
_AUDIT = "The audit is kept for the whole organisation and read in the administration."
_TRACES = "Calls of language models are not recorded."
_PREVIEW = "There are no prompts or strategies to preview: consolidation follows rules."
_ATTACHMENTS = "Attachments are not kept."


@dataclass(frozen=True, slots=True)
class NotOfferedCall:
    """``name`` is that of the address; ``path`` stands under ``/v1/default``."""

    name: str
    methods: tuple[str, ...]
    path: str
    sentence: str


_BANK = "banks/<id:bank_id>/"

NOT_OFFERED: Final = tuple(
    NotOfferedCall(f"memory-not-offered-{name}", tuple(methods.split()), path, sentence)
    for name, methods, path, sentence in (
        (
            "document-history",
            "GET",
            _BANK + "documents/<long_id:document_id>/history",
            "What happened to a document is not recorded; a memory's history is.",
        ),
        ("tree", "GET", _BANK + "knowledge-base/tree", _TREE),
        ("folders", "POST", _BANK + "knowledge-base/folders", _TREE),
        ("pages", "POST", _BANK + "knowledge-base/pages", _TREE),
        ("page", "GET", _BANK + "knowledge-base/pages/<id:page_id>", _TREE),
        ("tree-node", "PATCH DELETE", _BANK + "knowledge-base/nodes/<id:node_id>", _TREE),
        ("tree-search", "GET", _BANK + "knowledge-base/search", _TREE),
        ("tree-export", "GET", _BANK + "knowledge-base/export", _TREE),
        ("clone", "POST", _BANK + "clone", _TRANSFER),
        ("transfer-export", "POST", _BANK + "transfer/export", _TRANSFER),
        ("transfer-import", "POST", _BANK + "transfer/import", _TRANSFER),
        ("documents-transfer", "GET POST", _BANK + "document-transfer", _TRANSFER),
        ("documents-export", "POST", _BANK + "document-transfer/export", _TRANSFER),
        ("download", "GET", "files/download/<long_id:key>", _TRANSFER),
        ("webhooks", "GET POST", _BANK + "webhooks", _WEBHOOKS),
        ("webhook", "PATCH DELETE", _BANK + "webhooks/<id:webhook_id>", _WEBHOOKS),
        (
            "webhook-deliveries",
            "GET",
            _BANK + "webhooks/<id:webhook_id>/deliveries",
            _WEBHOOKS,
        ),
        ("aliases", "GET POST", _BANK + "aliases", _ALIASES),
        ("alias", "PATCH DELETE", _BANK + "aliases/<id:alias>", _ALIASES),
        ("template-export", "GET", _BANK + "export", _TEMPLATES),
        ("template-import", "POST", _BANK + "import", _TEMPLATES),
        ("audit", "GET", _BANK + "audit-logs", _AUDIT),
        ("audit-stats", "GET", _BANK + "audit-logs/stats", _AUDIT),
        ("audit-entry", "GET", _BANK + "audit-logs/<id:log_id>", _AUDIT),
        ("llm-requests", "GET", _BANK + "llm-requests", _TRACES),
        ("llm-stats", "GET", _BANK + "llm-requests/stats", _TRACES),
        ("prompts", "POST", _BANK + "prompts/preview", _PREVIEW),
        ("strategies", "POST", _BANK + "consolidation-strategies/preview", _PREVIEW),
        ("attachment", "GET", _BANK + "attachments/<long_id:attachment_id>", _ATTACHMENTS),
        (
            "regenerate",
            "POST",
            _BANK + "entities/<id:entity_id>/regenerate",
            "Observations are made by consolidation, not for one entity.",
        ),
        (
            "dry-refresh",
            "POST",
            _BANK + "mental-models/<id:model_id>/dry-run-refresh",
            "A refresh cannot be tried without effect; what it replaces is kept in the history.",
        ),
    )
)
