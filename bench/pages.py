"""Pages for benchmarks, written from labelled data through the product's own intake."""

from __future__ import annotations

import random
from bisect import bisect_left
from collections.abc import Sequence
from html import escape
from pathlib import Path

from kb import intake
from kb.evaluation import datasets
from kb.evaluation.datasets import Document
from kb.intake import PageFields
from kb.models import Doc, SourceFormat, Status
from kb.rendering import render
from memory import tenancy
from memory.chunking import chunk
from memory.language.tokens import count_tokens
from memory.models import Membership, Role, Tenant
from memory.people import members

TENANT_SLUG = "bench"
SEED = 5


def prepare_member() -> Membership:
    tenant, _ = Tenant.objects.get_or_create(slug=TENANT_SLUG, defaults={"name": "Benchmarks"})
    return members.add(tenant, "bench-editor", Role.EDITOR)


def html_of(documents: Sequence[Document]) -> str:
    parts: list[str] = []
    title = ""
    for document in documents:
        if document.title != title:
            title = document.title
            parts.append(f"<h2>{escape(title)}</h2>")
        parts.append(f"<p>{escape(document.text)}</p>")
    return "".join(parts)


def chunks_of(source: str) -> int:
    rendered = render(source, SourceFormat.HTML)
    return len(chunk(rendered.text, rendered.blocks, count_tokens))


def first_with_chunks(documents: Sequence[Document], chunks: int) -> Sequence[Document]:
    """As many of the documents as make a page of ``chunks`` chunks."""
    count = bisect_left(
        range(len(documents)), chunks, key=lambda n: chunks_of(html_of(documents[:n]))
    )
    return documents[:count]


def save(member: Membership, slug: str, source: str, *, title: str) -> Doc:
    """The page under ``slug``, made or kept. Its vectors are left to the caller."""
    with tenancy.scope(member.tenant_id):
        doc = Doc.objects.filter(slug=slug, deleted_at=None).first()
        fields = PageFields(
            title=title,
            source=source,
            source_format=SourceFormat.HTML,
            slug=slug,
            status=Status.PUBLISHED,
        )
        if doc is None:
            return intake.create_page(member, fields, enqueue=False)
        return intake.update_page(member, doc, fields, enqueue=False)


def shuffled_questions(
    folder: Path, name: str, documents: Sequence[Document], count: int
) -> list[str]:
    """Questions of a set that these documents answer, the same ones every time."""
    shown = {document.doc_id for document in documents}
    asked = [
        one.text
        for one in datasets.load(folder, name).questions
        if one.doc_id in shown and one.is_answerable
    ]
    return random.Random(SEED).sample(asked, min(count, len(asked)))
