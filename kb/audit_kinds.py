"""The audit kinds of the knowledge base, and the fields that each must carry.

Changes name their actor and what was before and after; page text is never in a body.
"""

from __future__ import annotations

from memory import audit

_ASK = ("question_id", "doc_id", "asked_by", "question_sha256")
_OUTCOME = (*_ASK, "answer_kind", "confidence", "answer_sha256", "citations")

QA_ASKED = audit.register("kb.qa_asked", *_ASK)
QA_ANSWERED = audit.register("kb.qa_answered", *_OUTCOME)
QA_DECLINED = audit.register("kb.qa_declined", *_OUTCOME)
QA_FAILED = audit.register("kb.qa_failed", *_ASK, "failure")
QA_ERASED = audit.register("kb.qa_erased", "question_ids", "erased_by", "user_id")

_CHANGE = ("actor", "doc_id", "before", "after")

DOCUMENT_CREATED = audit.register("kb.document_created", *_CHANGE)
DOCUMENT_VERSIONED = audit.register("kb.document_versioned", *_CHANGE)
DOCUMENT_CHANGED = audit.register("kb.document_changed", *_CHANGE)
DOCUMENT_ARCHIVED = audit.register("kb.document_archived", *_CHANGE)
DOCUMENT_DELETED = audit.register("kb.document_deleted", *_CHANGE)
DOCUMENT_RESTORED = audit.register("kb.document_restored", *_CHANGE)
PERMISSION_SET = audit.register("kb.permission_set", *_CHANGE)
SHARE_LINK_CREATED = audit.register("kb.share_link_created", *_CHANGE, "link_id")
SHARE_LINK_REVOKED = audit.register("kb.share_link_revoked", *_CHANGE, "link_id")
SHARE_LINK_USED = audit.register("kb.share_link_used", "doc_id", "link_id")

HISTORY_EXPORTED = audit.register("kb.history_exported", "actor", "format", "filters")
