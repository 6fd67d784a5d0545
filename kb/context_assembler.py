"""What an answer may be built from: the page's chunks, and the top 3 of each page one link away.

At most 50,000 tokens. Chunks of linked pages leave first, then the page's own that match least;
what stays keeps its order in the document, and what was left out is said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

import numpy as np

from kb import selectors
from kb.models import Chunk, Doc, Revision
from memory import banks, recall
from memory.backends import registry
from memory.language.analysis import query_terms
from memory.models import Membership, Node
from memory.types import Passage

MAX_TOKENS = 50_000
PER_LINKED_PAGE = 3
_FRAME_TOKENS = 24  # number, title and heading path around a passage in a prompt


@dataclass(frozen=True, slots=True)
class Context:
    """Passages in the order of their documents, the asked page first."""

    doc_id: UUID
    revision: Revision
    language: str
    passages: tuple[Passage, ...]
    linked_revisions: tuple[tuple[UUID, int], ...]
    left_out: int  # chunks that did not fit
    left_out_home: int  # of those, the page's own: part of the page was not read
    vectors_missing: bool
    stale: bool

    @property
    def is_empty(self) -> bool:
        return not self.passages


@dataclass(frozen=True, slots=True)
class _Scored:
    passage: Passage
    tokens: int
    score: float


def assemble(
    member: Membership, doc: Doc, question: str, query_vector: np.ndarray | None
) -> Context:
    """Everything this reader may have read for them. Runs in one scope."""
    revision = doc.indexed_revision
    assert revision is not None, "a page without an index is declined before this"
    recipe = registry.encoder().recipe
    query = recall.RecallQuery(
        text=question,
        terms=tuple(dict.fromkeys(query_terms(question, doc.language))),
        vector=query_vector,
        recipe=recipe,
    )
    semantic = recall.semantic_scores(query, document_id=doc.pk)
    home = _home(doc, revision, query, semantic)
    linked, linked_revisions = _linked(member, doc, query)
    kept_home, kept_linked = fit(home, linked)
    passages = tuple(
        replace(one.passage, number=number)
        for number, one in enumerate((*kept_home, *kept_linked), start=1)
    )
    return Context(
        doc_id=doc.pk,
        revision=revision,
        language=doc.language,
        passages=passages,
        linked_revisions=linked_revisions,
        left_out=len(home) + len(linked) - len(passages),
        left_out_home=len(home) - len(kept_home),
        vectors_missing=query_vector is None or None in semantic.values(),
        stale=doc.live_revision_id != revision.pk,
    )


def _home(
    doc: Doc,
    revision: Revision,
    query: recall.RecallQuery,
    semantic: Mapping[UUID, float | None],
) -> list[_Scored]:
    """All chunks of the page, in order. Their scores matter only where they do not all fit.

    They are those of its nodes: until a page is cut anew, the older chunker's chunks answer.
    """
    live = Node.objects.filter(document_id=doc.pk).values("chunk_id")
    chunks = list(Chunk.objects.filter(revision=revision, pk__in=live).order_by("ordinal"))
    scores: dict[UUID, float] = {}
    if sum(chunk.token_count + _FRAME_TOKENS for chunk in chunks) > MAX_TOKENS:
        scores = recall.keyword_scores(query, document_id=doc.pk)
    return [
        _scored(
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
    member: Membership, doc: Doc, query: recall.RecallQuery
) -> tuple[list[_Scored], tuple[tuple[UUID, int], ...]]:
    """The best chunks of each readable page one hop away, in the order of their documents."""
    documents = selectors.linked_docs(member, doc).filter(indexed_revision__isnull=False)
    if not documents.exists():
        return [], ()
    candidates = recall.propose(query, documents=documents, bank_id=banks.pages_bank().pk)
    best = recall.rerank_per_document(
        query.text, candidates, registry.reranker(), keep=PER_LINKED_PAGE
    )
    if not best:
        return [], ()
    found = {one.candidate.chunk_id: one for one in best}
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
        _scored(
            chunk,
            texts[chunk.revision_id],
            chunk.doc,
            is_home=False,
            score=-found[chunk.pk].rank,
            semantic=found[chunk.pk].candidate.semantic,
        )
        for chunk in chunks
    ]
    revisions = sorted({(one.doc_id, one.number) for one in texts.values()}, key=str)
    return scored, tuple(revisions)


def _scored(
    chunk: Chunk,
    revision: Revision,
    doc: Doc,
    *,
    is_home: bool,
    score: float,
    semantic: float | None,
) -> _Scored:
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
    return _Scored(passage, chunk.token_count + len(header) // 4 + _FRAME_TOKENS, score)


def fit(
    home: Sequence[_Scored], linked: Sequence[_Scored], *, limit: int = MAX_TOKENS
) -> tuple[list[_Scored], list[_Scored]]:
    """What stays within ``limit`` tokens: linked chunks leave first, then the page's lowest."""
    excess = sum(one.tokens for one in (*home, *linked)) - limit
    kept_linked, excess = _drop_lowest(linked, excess)
    kept_home, _ = _drop_lowest(home, excess)
    return kept_home, kept_linked


def _drop_lowest(scored: Sequence[_Scored], excess: int) -> tuple[list[_Scored], int]:
    dropped: set[UUID] = set()
    for one in sorted(scored, key=lambda candidate: candidate.score):
        if excess <= 0:
            break
        dropped.add(one.passage.chunk_id)
        excess -= one.tokens
    return [one for one in scored if one.passage.chunk_id not in dropped], excess
