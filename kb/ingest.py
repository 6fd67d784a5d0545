"""A page becomes a revision, links, chunks and keyword terms, in the caller's transaction.

    source ── render ──▶ Revision(html, text) ── chunk ──▶ Chunk ── same words? ──▶ keep its Node
                              └── links ──▶ DocLink                 └── new words ──▶ new Node, terms

A node whose words did not change keeps its row, its terms and its vectors; only its place moves.
Vectors of new nodes are computed later (``kb.index``).
"""

from __future__ import annotations

import uuid
from collections import Counter, defaultdict
from dataclasses import dataclass

from kb.models import Chunk, Doc, IndexState, Revision
from kb.rendering import Rendered, outline
from memory import banks, keywords
from memory.chunking import CHUNKER_VERSION, chunk
from memory.language.analysis import ANALYSER_VERSION
from memory.language.text import content_hash
from memory.language.tokens import count_tokens
from memory.models import Bank, Level, Node, User


def add_revision(
    doc: Doc,
    rendered: Rendered,
    *,
    title: str,
    source: str,
    source_format: str,
    created_by: User,
) -> Revision:
    """Store the next revision of a locked page. ``source`` is normalised, ``rendered`` is from it."""
    latest = Revision.objects.filter(doc=doc).order_by("-number").values_list("number", flat=True)
    return Revision.objects.create(
        tenant_id=doc.tenant_id,
        doc=doc,
        number=(latest.first() or 0) + 1,
        title=title,
        source=source,
        source_format=source_format,
        html=rendered.html,
        text=rendered.text,
        sha256=content_hash(source),
        created_by=created_by,
    )


@dataclass(frozen=True, slots=True)
class _Cut:
    """A chunk of the new revision, on its way to a node."""

    row: Chunk
    text: str
    sha: str


def rules(language: str) -> str:
    """What decides a text's chunks and terms besides the text. Pages of other rules are outdated."""
    return f"c{CHUNKER_VERSION}.a{ANALYSER_VERSION}.{language}"


def is_current(doc: Doc) -> bool:
    """Whether chunks and terms are those of the live revision, by today's rules."""
    is_live = doc.indexed_revision_id is not None and (
        doc.indexed_revision_id == doc.live_revision_id
    )
    return is_live and doc.index_rules == rules(doc.language)


def index_revision(doc: Doc, revision: Revision, *, anew: bool = False) -> None:
    """Make ``revision`` the page's live text: its chunks, nodes and terms replace the last one's.

    A node that is kept gets new terms where the rules changed, or with ``anew``. Raises whatever the
    chunker or the analyser raises; the caller's savepoint then keeps the last good revision live.
    """
    cuts = _cut(doc, revision)
    live: dict[str, list[Node]] = defaultdict(list)
    for node in Node.objects.filter(document_id=doc.pk).order_by("char_start"):
        live[node.sha].append(node)

    bank = banks.pages_bank()
    moved: list[Node] = []
    added: list[Node] = []
    for cut in cuts:
        if live[cut.sha]:
            node = live[cut.sha].pop(0)
            moved.append(node)
        else:
            node = Node(
                id=uuid.uuid4(),
                tenant_id=doc.tenant_id,
                bank=bank,
                level=Level.R,
                sha=cut.sha,
                text=cut.text,
                heading_path=cut.row.heading_path,
                language=doc.language,
                document_id=doc.pk,
            )
            added.append(node)
        node.chunk_id = cut.row.pk
        node.char_start, node.char_end = cut.row.char_start, cut.row.char_end

    _remove([node.pk for nodes in live.values() for node in nodes])
    Node.objects.bulk_update(moved, ("chunk_id", "char_start", "char_end"), batch_size=500)
    if anew or doc.index_rules != rules(doc.language):
        _analyse_again(bank, moved, title=revision.title, language=doc.language)
    _add(bank, added, title=revision.title, language=doc.language)
    doc.index_rules = rules(doc.language)
    doc.indexed_revision = revision
    doc.index_state = IndexState.PENDING
    doc.index_error = ""


def _cut(doc: Doc, revision: Revision) -> list[_Cut]:
    """The chunks of a revision: stored once per chunker version, then found again."""
    rows = list(
        Chunk.objects.filter(revision=revision, chunker=CHUNKER_VERSION).order_by("ordinal")
    )
    if not rows:
        text, blocks = outline(revision.html)
        rows = [
            Chunk(
                tenant_id=doc.tenant_id,
                doc=doc,
                revision=revision,
                chunker=CHUNKER_VERSION,
                ordinal=span.ordinal,
                char_start=span.char_start,
                char_end=span.char_end,
                heading_path=list(span.heading_path),
                kind=span.kind,
                token_count=span.token_count,
                header_start=span.header[0] if span.header else None,
                header_end=span.header[1] if span.header else None,
            )
            for span in chunk(text, blocks, count_tokens)
        ]
        Chunk.objects.bulk_create(rows, batch_size=500)
    return [
        _Cut(row, body, content_hash("\n".join((revision.title, *row.heading_path, body))))
        for row in rows
        for body in (revision.text[row.char_start : row.char_end],)
    ]


def _remove(node_ids: list[uuid.UUID]) -> None:
    # Terms and vectors go with their node, by the foreign keys' ON DELETE CASCADE.
    Node.objects.filter(pk__in=node_ids)._raw_delete("default")


def _add(bank: Bank, nodes: list[Node], *, title: str, language: str) -> None:
    counts = _count_terms(nodes, title=title, language=language)
    Node.objects.bulk_create(nodes, batch_size=500)
    keywords.add(bank.pk, Level.R, counts)


def _analyse_again(bank: Bank, nodes: list[Node], *, title: str, language: str) -> None:
    counts = _count_terms(nodes, title=title, language=language)
    for node in nodes:
        node.language = language
    Node.objects.bulk_update(nodes, ("language", "term_count"), batch_size=500)
    keywords.remove([node.pk for node in nodes])
    keywords.add(bank.pk, Level.R, counts)


def _count_terms(
    nodes: list[Node], *, title: str, language: str
) -> list[tuple[Node, Counter[str]]]:
    """Terms of each node, counted; their total is noted on the node."""
    counts: list[tuple[Node, Counter[str]]] = []
    for node in nodes:
        context = " ".join((title, *node.heading_path))
        found = keywords.count(f"{context}\n{node.text}", language)
        node.term_count = found.total()
        counts.append((node, found))
    return counts


def withdraw(doc: Doc) -> None:
    """Take a page out of the index: nothing of it can be found from this transaction on."""
    _remove(list(Node.objects.filter(document_id=doc.pk).values_list("pk", flat=True)))
    doc.indexed_revision = None
    doc.index_state = IndexState.PENDING
