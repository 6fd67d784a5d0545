"""A stage for the panel: real templates, styles and scripts in a real browser, without a server.

Pages are rendered from Markdown by the product's own renderer and served to the browser by
intercepting its requests, under the product's own content security policy. Replies are built from
the words they cite, so a test states a quote and never an offset.
"""

from __future__ import annotations

import json
import mimetypes
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from csp.utils import build_policy
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.template.loader import render_to_string
from django.test import RequestFactory
from playwright.sync_api import BrowserContext, Page, Route

from kb.limits import Allowance
from kb.marking import MarkedSpan, mark_spans
from kb.models import Doc, IndexState, Revision, SourceFormat, Status
from kb.rendering import render
from kb.views.pages import title_apart
from kb.views.panel import Panel
from memory.models import Membership, Role, Tenant, User

ORIGIN = "https://footnote.test"
STATIC = Path(settings.BASE_DIR) / "static"
Answer = Callable[[str], "tuple[int, dict[str, Any]]"]


@dataclass
class StagedPage:
    """A page that was never saved."""

    title: str
    source: str
    slug: str = "hr/overtime"
    language: str = "en"
    number: int = 3
    status: str = Status.PUBLISHED
    id: uuid.UUID = field(default_factory=uuid.uuid4)

    def __post_init__(self) -> None:
        rendered = render(self.source, SourceFormat.MARKDOWN)
        tenant = Tenant(slug="demo", name="Lantern Works")
        self.tenant = tenant
        self.revision = Revision(
            number=self.number,
            title=self.title,
            source=self.source,
            html=rendered.html,
            text=rendered.text,
            created_at=datetime(2026, 11, 3, 9, 30, tzinfo=UTC),
        )
        self.doc = Doc(
            id=self.id,
            tenant=tenant,
            title=self.title,
            slug=self.slug,
            language=self.language,
            status=self.status,
            index_state=IndexState.READY,
        )

    @property
    def url(self) -> str:
        return f"{ORIGIN}/demo/p/{self.slug}"

    def cite(self, n: int, quote: str, *, occurrence: int = 1, **more: Any) -> dict[str, Any]:
        """The citation of a quote, as the API gives it."""
        text, start = self.revision.text, -1
        for _ in range(occurrence):
            start = text.index(quote, start + 1)
        end = start + len(quote)
        return {
            "n": n,
            "doc_id": str(self.id),
            "doc_title": self.title,
            "revision": self.number,
            "chunk_id": str(uuid.uuid4()),
            "char_start": start,
            "char_end": end,
            "quote": quote,
            "snippet": quote,
            "before": text[max(0, start - 120) : start],
            "after": text[end : end + 120],
            "heading_path": [],
            "revised_at": self.revision.created_at.isoformat(),
            "url": f"/demo/p/{self.slug}?cite={start}-{end}&rev={self.number}#cite",
        } | more


def reply(
    page: StagedPage,
    claims: Sequence[tuple[str, Sequence[int]]] = (),
    citations: Sequence[dict[str, Any]] = (),
    **more: Any,
) -> dict[str, Any]:
    return {
        "question_id": str(uuid.uuid4()),
        "trace_id": uuid.uuid4().hex,
        "answer_kind": "confident",
        "answer_text": " ".join(text for text, _ in claims),
        "confidence_score": 0.92,
        "reason": None,
        "citations": list(citations),
        "claims": [
            {"text": text, "citations": list(numbers), "verdict": "supported", "checks": {}}
            for text, numbers in claims
        ],
        "missing": [],
        "unseen": [],
        "stale": False,
        "degraded": [],
        "doc_id": str(page.id),
        "doc_revision": page.number,
        "offset_unit": "codepoint",
        "remaining": 41,
        "model": "",
    } | more


class Stage:
    """Serves staged pages to one browser context."""

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        self.pages: dict[str, str] = {}
        self.answer: Answer = lambda question: (500, {})
        self.asked: list[str] = []
        self.strangers: list[str] = []  # addresses outside the stage that the browser asked for
        context.route("**/*", self._serve)

    def open(
        self,
        page: StagedPage,
        *,
        answer: dict[str, Any] | Answer | None = None,
        shown: dict[str, Any] | None = None,
        at: str = "",
        role: str = Role.EDITOR,
        links: Sequence[StagedPage] = (),
        past: Sequence[Any] = (),
        theme: str = "",
    ) -> Page:
        """Show a page. ``answer`` is what asking gives, ``shown`` an answer rendered by the server."""
        if answer is not None:
            self.answer = answer if callable(answer) else (lambda question: (200, answer))
        self.pages[f"/demo/p/{page.slug}"] = self._html(
            page, shown=shown, role=role, links=links, past=past, theme=theme
        )
        for linked in links:
            self.pages[f"/demo/p/{linked.slug}"] = self._html(linked, theme=theme)
        tab = self.context.new_page()
        tab.goto(page.url + at)
        return tab

    @staticmethod
    def _html(
        page: StagedPage,
        *,
        shown: dict[str, Any] | None = None,
        role: str = Role.EDITOR,
        links: Sequence[StagedPage] = (),
        past: Sequence[Any] = (),
        theme: str = "",
    ) -> str:
        request: Any = RequestFactory().get(f"/demo/p/{page.slug}")
        request.COOKIES["theme"] = theme
        request.tenant = page.tenant
        user = User(username="mai")
        request.member = Membership(tenant=page.tenant, user=user, role=role) if role else None
        request.user = user if role else AnonymousUser()
        spans = [
            MarkedSpan(cited["char_start"], cited["char_end"], cited["n"])
            for cited in (shown["citations"] if shown else ())
            if cited["doc_id"] == str(page.id)
        ]
        heading, html = title_apart(page.revision, mark_spans(page.revision.html, spans))
        return render_to_string(
            "kb/page.html",
            {
                "doc": page.doc,
                "revision": page.revision,
                "heading": heading,
                "html": html,
                "can_edit": role == Role.EDITOR,
                "links": [linked.doc for linked in links],
                "backlinks": [],
                "notices": [],
                "panel": Panel(
                    action=f"/demo/ask/{page.slug}",
                    can_ask=bool(role),
                    ask_api=f"/v1/kb/docs/{page.id}/ask",
                    linked_count=len(links),
                    past=past,
                    reply=shown,
                    allowance=Allowance(42, 50) if role else None,
                ),
            },
            request=request,
        )

    def _serve(self, route: Route) -> None:
        url = urlsplit(route.request.url)
        if f"{url.scheme}://{url.netloc}" != ORIGIN:
            self.strangers.append(route.request.url)
            route.abort()
        elif url.path.startswith("/static/"):
            file = STATIC / url.path.removeprefix("/static/")
            route.fulfill(path=file, content_type=mimetypes.guess_type(file.name)[0])
        elif route.request.method == "POST":
            question = json.loads(route.request.post_data or "{}")["question"]
            self.asked.append(question)
            status, body = self.answer(question)
            headers = {"Retry-After": str(body["retry_after"])} if "retry_after" in body else {}
            route.fulfill(status=status, json=body, headers=headers)
        elif url.path in self.pages:
            route.fulfill(
                body=self.pages[url.path],
                content_type="text/html; charset=utf-8",
                headers={"Content-Security-Policy": build_policy()},
            )
        else:
            route.fulfill(status=404, body="not staged")
