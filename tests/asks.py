"""Asking in tests: as a member, with a generator and a judge that say what the test tells them."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from django.utils import timezone

from kb.asking import AskRequest, ask
from kb.models import Doc, QaQuestion, QaTrace
from kb.outcome import Record
from memory import tenancy
from memory.backends import registry
from memory.backends.generators.fake import FakeGenerator
from memory.backends.judges.fake import FakeJudge
from memory.models import Membership
from memory.types import Passage
from memory.verification.replies import parse_reply


def ask_page(member: Membership, doc: Doc, question: str, **more: Any) -> Record:
    return ask(AskRequest(member=member, doc_id=doc.pk, question=question, **more))


@contextmanager
def models(
    *replies: Any, judge: float | Exception | None = 1.0, says: float | None = 1.0
) -> Iterator[FakeGenerator]:
    """A hosted model that gives ``reply``: raw text, a dict of the reply's JSON, an exception, or
    a function of the passages that makes one of these."""
    queue = list(replies)

    def draft(question: str, passages: Sequence[Passage], reading: Any) -> Any:
        reply = queue.pop(0) if len(queue) > 1 else queue[0]
        if callable(reply):
            reply = reply(passages)
        if isinstance(reply, Exception):
            raise reply
        raw = reply if isinstance(reply, str) else json.dumps(reply)
        return parse_reply(raw, passages, question=question)

    generator = FakeGenerator(draft)
    with (
        patch.object(registry, "generator", lambda: generator),
        patch.object(registry, "judges", lambda: (FakeJudge(answers=judge, says=says),)),
    ):
        yield generator


def cite(passages: Sequence[Passage], words: str) -> dict[str, Any]:
    """A citation of ``words`` with offsets relative to the passage that holds them."""
    for passage in passages:
        if (start := passage.text.find(words)) >= 0:
            return {
                "doc_id": str(passage.doc_id),
                "chunk_id": str(passage.chunk_id),
                "char_start": start,
                "char_end": start + len(words),
                "quote": words,
            }
    raise AssertionError(f"no passage holds {words!r}")


def reply(
    passages: Sequence[Passage], answer: str, *words: str, confidence: Any = 0.9
) -> dict[str, Any]:
    return {
        "answer": answer,
        "confidence_score": confidence,
        "citations": [cite(passages, one) for one in words],
    }


def past_question(member: Membership, doc: Doc, question: str, **fields: Any) -> QaQuestion:
    """A question of the past as it is stored, without the engine: by default a decline."""
    defaults = {
        "trace_id": uuid.uuid4().hex,
        "answer_kind": "decline_no_evidence",
        "answer_text": "Nothing was found.",
        "created_at": timezone.now(),
    }
    with tenancy.scope(member.tenant_id):
        row = QaQuestion.objects.create(
            tenant_id=member.tenant_id,
            doc_id=doc.pk,
            question_text=question,
            asked_by=member.user_id,
            **defaults | fields,
        )
        QaTrace.objects.create(tenant_id=member.tenant_id, question_id=row.question_id)
    return row
