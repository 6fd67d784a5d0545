"""The audit kinds of the knowledge base, and the fields that each must carry."""

from __future__ import annotations

from memory import audit

_ASK = ("question_id", "doc_id", "asked_by", "question_sha256")
_OUTCOME = (*_ASK, "answer_kind", "confidence", "answer_sha256", "citations")

QA_ASKED = audit.register("kb.qa_asked", *_ASK)
QA_ANSWERED = audit.register("kb.qa_answered", *_OUTCOME)
QA_DECLINED = audit.register("kb.qa_declined", *_OUTCOME)
QA_FAILED = audit.register("kb.qa_failed", *_ASK, "failure")
