"""What an answer from the whole knowledge base may be built from: its best passages for the question.

At most a few dozen, and at most 50,000 tokens: the least relevant leave first. Passages of one page
stand together in the order of the page, the page with the best passage first. Nothing that is left
out counts as unread: of a whole knowledge base most is.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.db.models import QuerySet

from kb import access, page_recall
from kb.context import MAX_TOKENS, Context, ScoredPassage, drop_lowest, numbered
from kb.context_assembler import scored_passage
from kb.models import Chunk, Doc, Revision
from kb.page_recall import PageQuery
from memory import tenancy
from memory.errors import InvalidQuery
from memory.hits import Hit
from memory.models import Membership
from memory.recall.encoding import Encoded

PASSAGES = 36
PER_PAGE = 8  # of one page: a long page that is near in every part must not crowd out the others


def assemble(member: Membership, question: str, encoded: Encoded) -> Context:
    """The best of everything that this reader may read. Opens short scopes of its own."""
    documents = access.readable_docs(member).filter(indexed_revision__isnull=False)
    query = PageQuery(
        text=question, encoded=encoded, documents=documents, k=PASSAGES, per_document=PER_PAGE
    )
    try:
        hits = page_recall.recall_as(member.tenant_id, query).hits
    except InvalidQuery:  # not one word to look for
        hits = ()
    with tenancy.scope(member.tenant_id):
        return _context(documents, hits, encoded)


def _context(documents: QuerySet[Doc], hits: Sequence[Hit], encoded: Encoded) -> Context:
    chunk_ids = page_recall.chunk_ids(hit.id for hit in hits)
    of_chunk = {chunk_ids[hit.id]: hit for hit in hits if hit.id in chunk_ids}
    # The rights are in this query too: between the two a page may have been restricted.
    chunks = list(Chunk.objects.filter(pk__in=of_chunk, doc__in=documents).select_related("doc"))
    texts = Revision.objects.defer("source", "html").in_bulk(
        {chunk.revision_id for chunk in chunks}
    )
    scored = [
        scored_passage(
            chunk,
            texts[chunk.revision_id],
            chunk.doc,
            is_home=True,
            score=-of_chunk[chunk.pk].rank,
            semantic=of_chunk[chunk.pk].scores.semantic,
        )
        for chunk in chunks
    ]
    kept, _ = drop_lowest(scored, sum(one.tokens for one in scored) - MAX_TOKENS)
    pages = sorted({(one.doc_id, one.number) for one in texts.values()}, key=str)
    return Context(
        passages=numbered(_by_page(kept)),
        linked_revisions=tuple(pages),
        left_out=len(scored) - len(kept),
        # A page whose vectors are still to come is read by its words; the others by both.
        vectors_missing=encoded.vector is None
        or all(one.passage.semantic is None for one in scored),
        stale_pages=frozenset(
            chunk.doc_id for chunk in chunks if chunk.doc.live_revision_id != chunk.revision_id
        ),
    )


def _by_page(scored: Sequence[ScoredPassage]) -> list[ScoredPassage]:
    """Pages by their best passage, and the passages of each in their order."""
    best: dict[UUID, float] = {}
    for one in scored:
        page = one.passage.doc_id
        best[page] = max(best.get(page, one.score), one.score)

    def place(one: ScoredPassage) -> tuple[float, str, int]:
        page = one.passage.doc_id
        return -best[page], str(page), one.passage.char_start

    return sorted(scored, key=place)
