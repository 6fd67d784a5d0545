"""The exchange of a corpus's old pages for its new ones, in the caller's transaction.

old nodes ──┬── same words in the same page, or in one that is gone ──▶ kept, at their new place
            └── none ──▶ removed, once new nodes have taken over vectors of equal words
sections without an old node ──▶ new nodes with terms
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet

from memory import keywords, tenancy, vectors
from memory.corpus_pages import CorpusPage, Section
from memory.language.text import content_hash
from memory.levels import Level
from memory.models import Bank, Corpus, Document, Node

_ROWS_AT_ONCE = 1_000

# Places are unique, so all that move or leave give theirs up before any is taken.
_FREE_PLACES = """
    UPDATE memory_node SET ordinal = NULL WHERE tenant_id = %(tenant)s AND id = ANY(%(nodes)s)
"""

_MOVE = """
    UPDATE memory_node node
    SET document_id = moved.document_id, ordinal = moved.ordinal, char_start = moved.char_start,
        char_end = moved.char_end, source_uri = moved.source_uri, updated_at = now()
    FROM unnest(%(nodes)s::uuid[], %(documents)s::uuid[], %(ordinals)s::int[], %(starts)s::int[],
                %(ends)s::int[], %(uris)s::text[])
        AS moved (id, document_id, ordinal, char_start, char_end, source_uri)
    WHERE node.tenant_id = %(tenant)s AND node.id = moved.id
"""
_PLACE = ("document_id", "ordinal", "char_start", "char_end", "source_uri")


@dataclass(slots=True)
class Exchange:
    """``carry_out``, then ``remove_old``. Between the two, vectors can go over by sha."""

    bank: Bank
    corpus: Corpus  # locked
    pages: Sequence[CorpusPage]
    added: list[Node] = field(default_factory=list)
    kept: int = 0
    left: list[Node] = field(default_factory=list)  # old nodes without a place in the new corpus
    _old: dict[tuple[UUID | None, str], list[Node]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def carry_out(self) -> None:
        documents = {row.name: row for row in Document.objects.filter(corpus=self.corpus)}
        self._read_old(documents)
        self._store_documents(documents)
        moved: list[Node] = []
        for page in self.pages:
            document = documents[page.path]
            for ordinal, section in enumerate(page.sections):
                node = self._take(document, section)
                if node is None:
                    self.added.append(self._node(document, page, section, ordinal))
                    continue
                self.kept += 1
                if _move(node, document, section, ordinal):
                    moved.append(node)
        self.left += [node for nodes in self._old.values() for node in nodes]
        _free_places([*moved, *self.left])
        _store_places(moved)
        self._insert()
        self.corpus.documents = len(self.pages)
        self.corpus.sections = self.kept + len(self.added)
        self.corpus.save()

    def remove_old(self) -> None:
        delete_nodes([node.pk for node in self.left])
        wanted = [page.path for page in self.pages]
        stale = Document.objects.filter(corpus=self.corpus).exclude(name__in=wanted)
        stale._raw_delete("default")

    def _read_old(self, documents: dict[str, Document]) -> None:
        """Old nodes by page and sha. Those of pages that are gone are anybody's; those that were
        made by other rules are nobody's.
        """
        rules = {page.path: page.rules for page in self.pages}
        of_page = {row.pk: row for row in documents.values()}
        for node in nodes_of(self.corpus).order_by("document_id", "ordinal"):
            assert node.document_id is not None  # it was found by it
            row = of_page[node.document_id]
            wanted = rules.get(row.name)
            if wanted is None:
                self._old[None, node.sha].append(node)
            elif wanted == row.metadata.get("rules"):
                self._old[row.pk, node.sha].append(node)
            else:
                self.left.append(node)

    def _take(self, document: Document, section: Section) -> Node | None:
        for owner in (document.pk, None):
            if nodes := self._old.get((owner, section.sha)):
                return nodes.pop(0)
        return None

    def _store_documents(self, documents: dict[str, Document]) -> None:
        """A row for every page, as the page is now."""
        made = []
        for page in self.pages:
            fields = _fields(page)
            row = documents.get(page.path)
            if row is None:
                row = documents[page.path] = Document(
                    tenant_id=self.bank.tenant_id,
                    bank=self.bank,
                    corpus=self.corpus,
                    name=page.path,
                    **fields,
                )
                made.append(row)
            elif any(getattr(row, name) != value for name, value in fields.items()):
                for name, value in fields.items():
                    setattr(row, name, value)
                row.save()
        Document.objects.bulk_create(made, batch_size=200)

    def _node(self, document: Document, page: CorpusPage, section: Section, ordinal: int) -> Node:
        return Node(
            id=uuid.uuid4(),
            tenant_id=self.bank.tenant_id,
            bank=self.bank,
            level=Level.R.value,
            sha=section.sha,
            text=section.text,
            heading_path=list(section.heading_path),
            language=page.language,
            document_id=document.pk,
            ordinal=ordinal,
            char_start=section.char_start,
            char_end=section.char_end,
            source_uri=page.source_uri,
        )

    def _insert(self) -> None:
        for start in range(0, len(self.added), _ROWS_AT_ONCE):
            batch = self.added[start : start + _ROWS_AT_ONCE]
            counted = []
            for node in batch:
                found = keywords.count(vectors.indexed_text(node), node.language)
                node.term_count = found.total()
                counted.append((node, found))
            Node.objects.bulk_create(batch, batch_size=500)
            keywords.add(self.bank.pk, Level.R, counted)


def nodes_of(corpus: Corpus) -> QuerySet[Node]:
    documents = Document.objects.filter(corpus=corpus)
    return Node.objects.filter(bank_id=corpus.bank_id, document_id__in=documents.values("pk"))


def delete_nodes(node_ids: Sequence[UUID]) -> int:
    # Terms and vectors go with their node, by the foreign keys' ON DELETE CASCADE.
    return sum(
        Node.objects.filter(pk__in=node_ids[start : start + _ROWS_AT_ONCE])._raw_delete("default")
        for start in range(0, len(node_ids), _ROWS_AT_ONCE)
    )


def _fields(page: CorpusPage) -> dict[str, Any]:
    return {
        "text": page.text,
        "content_hash": content_hash(page.text),
        "source_uri": page.source_uri,
        "context": page.title,
        "metadata": {"language": page.language, "rules": page.rules},
    }


def _move(node: Node, document: Document, section: Section, ordinal: int) -> bool:
    """Give a kept node its new place. Whether that is another than its old one."""
    place = (document.pk, ordinal, section.char_start, section.char_end, document.source_uri)
    if tuple(getattr(node, name) for name in _PLACE) == place:
        return False
    for name, value in zip(_PLACE, place, strict=True):
        setattr(node, name, value)
    return True


def _free_places(nodes: Sequence[Node]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            _FREE_PLACES, {"tenant": tenancy.require(), "nodes": [node.pk for node in nodes]}
        )


def _store_places(nodes: Sequence[Node]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            _MOVE,
            {
                "tenant": tenancy.require(),
                "nodes": [node.pk for node in nodes],
                "documents": [node.document_id for node in nodes],
                "ordinals": [node.ordinal for node in nodes],
                "starts": [node.char_start for node in nodes],
                "ends": [node.char_end for node in nodes],
                "uris": [node.source_uri for node in nodes],
            },
        )
