"""What an answer may be built from: the page's chunks, and the top 3 of each page one link away.

At most 50,000 tokens. Chunks of linked pages leave first, then the page's own that match least;
what stays keeps its order in the document, and what was left out is said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

import numpy as np

from kb import page_recall, page_scores, selectors
from kb.context import MAX_TOKENS, Context, ScoredPassage, drop_lowest, numbered
from kb.models import Chunk, Doc, Revision
from kb.page_recall import PageQuery
from memory.language.analysis import query_terms
from memory.models import Membership, Node
from memory.recall.encoding import Encoded
from memory.types import Passage

PER_LINKED_PAGE = 3
_FRAME_TOKENS = 24  # number, title and heading path around a passage in a prompt


def assemble(
    member: Membership, doc: Doc, question: str, query_vector: np.ndarray | None
) -> Context:
    """Everything this reader may have read for them. Runs in one scope."""
    revision = doc.indexed_revision
    assert revision is not None, "a page without an index is declined before this"
    encoded = Encoded.of(query_vector)
    semantic = page_scores.semantic(encoded, document_id=doc.pk)
    home = _home(doc, revision, question, semantic)
    linked, linked_revisions = _linked(member, doc, question, encoded)
    kept_home, kept_linked = fit(home, linked)
    passages = numbered((*kept_home, *kept_linked))
    return Context(
        passages=passages,
        title=revision.title,
        doc_revision=revision.number,
        is_page_empty=not revision.text.strip(),
        linked_revisions=linked_revisions,
        left_out=len(home) + len(linked) - len(passages),
        left_out_home=len(home) - len(kept_home),
        vectors_missing=query_vector is None or None in semantic.values(),
        stale=doc.live_revision_id != revision.pk,
    )


def _home(
    doc: Doc,
    revision: Revision,
    question: str,
    semantic: Mapping[UUID, float | None],
) -> list[ScoredPassage]:
    """All chunks of the page, in order. Their scores matter only where they do not all fit.

    They are those of its nodes: until a page is cut anew, the older chunker's chunks answer.
    """
    live = Node.objects.filter(document_id=doc.pk).values("chunk_id")
    chunks = list(Chunk.objects.filter(revision=revision, pk__in=live).order_by("ordinal"))
    scores: dict[UUID, float] = {}
    if sum(chunk.token_count + _FRAME_TOKENS for chunk in chunks) > MAX_TOKENS:
        terms = query_terms(question, doc.language)
        scores = page_scores.keyword(terms, document_id=doc.pk)
    return [
        scored_passage(
            chunk,
            revision,
            doc,
            is_home=True,
            score=scores.get(chunk.pk, 0.0),
            semantic=semantic.get(chunk.pk),
        )
        for chunk in chunks
    ]


def _linked(
    member: Membership, doc: Doc, question: str, encoded: Encoded
) -> tuple[list[ScoredPassage], tuple[tuple[UUID, int], ...]]:
    """The best chunks of each readable page one hop away, in the order of their documents."""
    documents = selectors.linked_docs(member, doc).filter(indexed_revision__isnull=False)
    pages = documents.count()
    if not pages:
        return [], ()
    recalled = page_recall.recall(
        PageQuery(
            text=question,
            encoded=encoded,
            documents=documents,
            k=PER_LINKED_PAGE * pages,
            per_document=PER_LINKED_PAGE,
        )
    )
    of_nodes = page_recall.chunk_ids(hit.id for hit in recalled.hits)
    found = {of_nodes[hit.id]: hit for hit in recalled.hits if hit.id in of_nodes}
    if not found:
        return [], ()
    # The rights are in this query too: between the two a page may have been restricted.
    chunks = list(
        Chunk.objects.filter(pk__in=found, doc__in=documents)
        .select_related("doc")
        .order_by("doc__title", "doc_id", "ordinal")
    )
    # Not joined: a page's text would come once for each of its chunks.
    revision_ids = {chunk.revision_id for chunk in chunks}
    texts = Revision.objects.defer("source", "html").in_bulk(revision_ids)
    scored = [
        scored_passage(
            chunk,
            texts[chunk.revision_id],
            chunk.doc,
            is_home=False,
            score=-found[chunk.pk].rank,
            semantic=found[chunk.pk].scores.semantic,
        )
        for chunk in chunks
    ]
    revisions = sorted({(one.doc_id, one.number) for one in texts.values()}, key=str)
    return scored, tuple(revisions)


def scored_passage(
    chunk: Chunk,
    revision: Revision,
    doc: Doc,
    *,
    is_home: bool,
    score: float,
    semantic: float | None,
) -> ScoredPassage:
    header = ""
    if chunk.header_start is not None:
        header = revision.text[chunk.header_start : chunk.header_end]
    passage = Passage(
        number=0,
        doc_id=doc.pk,
        doc_title=revision.title,
        revision=revision.number,
        chunk_id=chunk.pk,
        text=revision.text[chunk.char_start : chunk.char_end],
        char_start=chunk.char_start,
        heading_path=tuple(chunk.heading_path),
        header=header,
        language=doc.language,
        is_home=is_home,
        semantic=semantic,
    )
    return ScoredPassage(passage, chunk.token_count + len(header) // 4 + _FRAME_TOKENS, score)


def fit(
    home: Sequence[ScoredPassage], linked: Sequence[ScoredPassage], *, limit: int = MAX_TOKENS
) -> tuple[list[ScoredPassage], list[ScoredPassage]]:
    """What stays within ``limit`` tokens: linked chunks leave first, then the page's lowest."""
    excess = sum(one.tokens for one in (*home, *linked)) - limit
    kept_linked, excess = drop_lowest(linked, excess)
    kept_home, _ = drop_lowest(home, excess)
    return kept_home, kept_linked
