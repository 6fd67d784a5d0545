"""What requests and replies look like, for the schema and its page. Two small pages tell the story:
a decree on working hours, and the handbook that points at it."""

from __future__ import annotations

from typing import Any

_DOC, _HANDBOOK = "7d0a3c5e-41d2-4f0e-9a57-0c8b6e1f2a34", "1f6b2d90-8a3e-4c77-b1d5-5e9f0a7c6b21"
_QUESTION, _TRACE = "c9b1e6f4-2f3a-4b8d-8e5c-7a6d5b4c3f21", "4bf92f3577b34da6a3ce929d0e0e4736"
_CHUNK = "e4c0a7b2-6d5f-4e1a-9b3c-2f8d7c6b5a49"
_WORDS = "Overtime shall not exceed 12 hours per week."
_ASKED_AT = "2026-11-03T09:30:00+00:00"

DOC_SUMMARY: dict[str, Any] = {
    "id": _DOC,
    "title": "Decree on working hours",
    "slug": "hr/decree",
    "status": "published",
    "visibility": "org_only",
    "language": "en",
    "category": "policy",
    "index_state": "ready",
    "updated_at": "2026-11-02T08:00:00+00:00",
}
DOC = DOC_SUMMARY | {
    "text": f"Overtime\n{_WORDS}",
    "html": f"<h1>Overtime</h1>\n<p>{_WORDS}</p>",
    "source": f"# Overtime\n\n{_WORDS}",
    "source_format": "markdown",
    "revision": 3,
    "links": [],
    "backlinks": [{"id": _HANDBOOK, "title": "Handbook", "slug": "hr/handbook"}],
    "allowed_groups": [],
    "owner": "editor",
}
NEW_DOC = {
    "title": "Decree on working hours",
    "source": f"# Overtime\n\n{_WORDS}",
    "slug": "hr/decree",
    "status": "published",
}
CHANGED_DOC = {"source": f"# Overtime\n\n{_WORDS}", "base_revision": 2}

QUESTION = {"question": "How many hours of overtime are allowed?"}
_CITATION = {
    "n": 1,
    "doc_id": _DOC,
    "doc_title": "Decree on working hours",
    "revision": 3,
    "chunk_id": _CHUNK,
    "char_start": 9,
    "char_end": 9 + len(_WORDS),
    "quote": _WORDS,
    "snippet": _WORDS,
    "before": "Overtime\n",
    "after": "",
    "heading_path": ["Overtime"],
    "row": None,
    "columns": [],
    "revised_at": "2026-11-02T08:00:00+00:00",
    "url": f"/acme/p/hr/decree?cite=9-{9 + len(_WORDS)}&rev=3#cite",
}
ANSWER: dict[str, Any] = {
    "question_id": _QUESTION,
    "trace_id": _TRACE,
    "answer_kind": "confident",
    "answer_text": f"{_WORDS} [1]",
    "confidence_score": 0.93,
    "reason": None,
    "citations": [_CITATION],
    "claims": [
        {
            "text": _WORDS,
            "citations": [1],
            "verdict": "supported",
            "checks": {
                "quote": "ok",
                "figures": "ok",
                "names": "ok",
                "negation": "ok",
                "judge": "ok",
            },
        }
    ],
    "missing": [],
    "unseen": [],
    "stale": False,
    "degraded": [],
    "doc_id": _DOC,
    "doc_revision": 3,
    "offset_unit": "codepoint",
    "remaining": 49,
    "model": "extractive",
}
DECLINE = ANSWER | {
    "answer_kind": "decline_no_evidence",
    "answer_text": "“Decree on working hours” does not say. Try other words, or ask a page that does.",
    "confidence_score": None,
    "reason": "not_covered",
    "citations": [],
    "claims": [],
    "unseen": ["canteen"],
    "remaining": 48,
}
_FOUND = {
    "doc_id": _DOC,
    "title": "Decree on working hours",
    "slug": "hr/decree",
    "language": "en",
    "category": "policy",
    "revision": 3,
    "url": f"/acme/p/hr/decree?cite=9-{9 + len(_WORDS)}&rev=3#cite",
    "heading_path": ["Overtime"],
    "snippet": _WORDS,
    "marks": [[0, 8], [29, 34]],
    "char_start": 9,
    "char_end": 9 + len(_WORDS),
    "scores": {"final": 0.91, "reranker": 0.91, "semantic": 0.74, "keyword": 6.2},
}
_FOUND_NEAR = {
    "abstained": False,
    "best_score": 0.91,
    "floor": 0.2,
    "reranker": "embedded",
    "degraded": [],
    "message": None,
}
BASE_ANSWER = ANSWER | {"doc_id": None, "doc_revision": None}
BASE_DECLINE = DECLINE | {
    "doc_id": None,
    "doc_revision": None,
    "answer_text": "Not enough evidence in the pages that you can read. Try other words.",
}
VOTE = {"vote": "down", "comment": "The decree was changed in October."}
GIVEN_VOTE = VOTE | {"created_at": "2026-11-03T09:31:00+00:00"}
FEEDBACK = {"question_id": _QUESTION} | GIVEN_VOTE
PAST_ANSWER = ANSWER | {
    "remaining": None,
    "question_text": QUESTION["question"],
    "asked_by": "maria",
    "created_at": _ASKED_AT,
    "doc_title": "Decree on working hours",
    "citations": [_CITATION | {"state": "current"}],
    "feedback": GIVEN_VOTE,
}
EXPORT_LINE = (
    '"created_at","asked_by","page","question"\r\n'
    f'"{_ASKED_AT}","maria","Decree on working hours","{QUESTION["question"]}"\r\n'
)

_LINK = "0b9e8d7c-6f5a-4b3c-8d2e-1f0a9b8c7d6e"
NEW_SHARE_LINK = {"expires_at": "2026-11-10T00:00:00Z", "max_uses": 5}
SHARE_LINK = {
    "id": _LINK,
    "url": "https://kb.example/s/9f2c…",
    "state": "open",
    "created_by": "maria",
    "created_at": _ASKED_AT,
    "expires_at": "2026-11-10T00:00:00+00:00",
    "revoked_at": None,
    "max_uses": 5,
    "used_count": 0,
}


SEARCH = {"count": 1, "next": None, "previous": None, "results": [_FOUND]} | _FOUND_NEAR
EMPTY_SEARCH = SEARCH | {
    "count": 0,
    "results": [],
    "abstained": True,
    "best_score": 0.08,
    "message": "No page comes close enough. Try other words, or fewer.",
}


def page_of(*results: Any) -> dict[str, Any]:
    return {"count": len(results), "next": None, "previous": None, "results": list(results)}
