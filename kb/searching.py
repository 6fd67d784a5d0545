"""Search across the pages that a reader may open: named pages first, then passages by the core.

    checked ─▶ encode ─▶ pages by name ─┐
                       └▶ passages ─────┴▶ merge ─▶ snippets with marks

What is typed is data: no character of it is syntax. The reranker's floor holds unless the caller
sets another, and a search that finds nothing above it says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from uuid import UUID

from django.db.models import Q, QuerySet
from django.db.models.functions import Length

from kb import access, page_recall
from kb.models import Chunk, Doc, Revision
from kb.page_recall import PageQuery
from kb.snippets import Snippet, snippet
from memory import tenancy
from memory.hits import Hit, Recalled, Scores
from memory.language.analysis import query_terms, tokenise
from memory.language.analysis import terms as index_terms
from memory.language.queries import is_common
from memory.language.text import clean_text
from memory.models import Membership
from memory.recall.encoding import encode
from memory.recall.request import Floor

MAX_QUERY = 300  # code points; what is longer is cut, since people paste
MAX_RESULTS = 50
PER_PAGE = 3  # passages of one page
_NAMED = 8  # pages found by their name
_LOOKED_AT = 60  # titles that hold the words, of which the best are named


class Nothing(StrEnum):
    """Why a search has no results."""

    BLANK = "blank"
    COMMON = "common"  # only words that every text has, or signs
    BELOW_FLOOR = "below_floor"  # something was found, and none of it is near enough
    NOT_FOUND = "not_found"


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest:
    """``member`` None: an anonymous reader of public pages. Filters that are empty do not narrow.

    ``min_score`` None is the reranker's own floor, 0 none at all. ``limit`` counts passages.
    """

    tenant_id: UUID
    member: Membership | None
    query: str
    status: str = ""
    language: str = ""
    category: str = ""
    min_score: float | None = None
    limit: int = MAX_RESULTS
    per_page: int = PER_PAGE


@dataclass(frozen=True, kw_only=True)  # no slots: the snippet is made once, of what is shown
class Result:
    """A passage of a page, or (without ``scores``) the opening of a page that the query names."""

    doc: Doc
    revision: int
    text: str
    start: int  # of the passage, in code points of the revision's text
    terms: frozenset[str]
    heading_path: tuple[str, ...] = ()
    scores: Scores | None = None

    @cached_property
    def snippet(self) -> Snippet:
        """With offsets of the revision's text."""
        shown = snippet(self.text, self.terms, self.doc.language)
        return replace(shown, start=shown.start + self.start, end=shown.end + self.start)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Best first. ``nothing`` says why there are no results."""

    query: str
    results: tuple[Result, ...] = ()
    nothing: Nothing | None = None
    abstained: bool = False
    best_score: float | None = None
    floor: float | None = None
    reranker: str = ""
    degraded: tuple[str, ...] = ()


def search(request: SearchRequest) -> Found:
    """Opens short scopes of its own: none is held while a model thinks."""
    query = clean_text(request.query)[:MAX_QUERY]
    if not query:
        return Found(query=query, nothing=Nothing.BLANK)
    if not any(character.isalnum() for character in query):
        return Found(query=query, nothing=Nothing.COMMON)
    encoded = encode(query)
    documents = _documents(request)
    with tenancy.scope(request.tenant_id):
        terms = _Terms(query, _languages(documents))
        named = _named(documents, query, is_common=terms.is_common)
        if terms.is_common:
            nothing = None if named else Nothing.COMMON
            return Found(query=query, results=_of_pages(named, terms), nothing=nothing)
    recalled = page_recall.recall_as(
        request.tenant_id,
        PageQuery(
            text=query,
            encoded=encoded,
            documents=documents,
            k=request.limit,
            per_document=request.per_page,
            floor=Floor.OF_RERANKER if request.min_score is None else request.min_score,
        ),
    )
    with tenancy.scope(request.tenant_id):
        results = _merged(named, _of_hits(recalled.hits, documents, terms), terms)
    return _found(query, results[: request.limit], recalled)


def _found(query: str, results: tuple[Result, ...], recalled: Recalled) -> Found:
    nothing = None
    if not results:
        nothing = Nothing.BELOW_FLOOR if recalled.abstained else Nothing.NOT_FOUND
    return Found(
        query=query,
        results=results,
        nothing=nothing,
        abstained=nothing is Nothing.BELOW_FLOOR,
        best_score=recalled.best_score,
        floor=recalled.floor,
        reranker=recalled.reranker,
        degraded=recalled.degraded,
    )


def _documents(request: SearchRequest) -> QuerySet[Doc]:
    docs = access.searchable_docs(request.member).filter(indexed_revision__isnull=False)
    wanted = {
        name: value
        for name in ("status", "language", "category")
        if (value := getattr(request, name))
    }
    return docs.filter(**wanted)


def _languages(documents: QuerySet[Doc]) -> list[str]:
    return list(documents.order_by("language").values_list("language", flat=True).distinct())


@dataclass(slots=True)
class _Terms:
    """The terms of a query, in each language that the pages are written in."""

    query: str
    languages: Sequence[str]
    _known: dict[str, frozenset[str]] = field(default_factory=dict)

    def of(self, language: str) -> frozenset[str]:
        if language not in self._known:
            self._known[language] = frozenset(query_terms(self.query, language))
        return self._known[language]

    @property
    def is_common(self) -> bool:
        """Whether it is common words and nothing else."""
        return is_common(self.query, self.languages)

    @property
    def identifiers(self) -> frozenset[str]:
        """Terms with a digit: who writes POL-0054 wants no other number."""
        return frozenset(term for term in self.of("") if any(map(str.isdigit, term)))


# -- pages by their name --------------------------------------------------------------------------


def _named(documents: QuerySet[Doc], query: str, *, is_common: bool) -> list[Doc]:
    """Pages whose title or address is the query, then those whose title holds its words.

    The last word may still be typed: it counts as the beginning of one. Common words name a page
    only as its whole title.
    """
    wanted = _folded(query)
    rows = documents
    for word in tokenise(query):
        rows = rows.filter(Q(title__icontains=word.text) | Q(slug__icontains=word.text))
    found = list(rows.order_by(Length("title"), "pk")[:_LOOKED_AT])
    exact = [doc for doc in found if wanted in (_folded(doc.title), _folded(doc.slug))]
    if is_common:
        return exact
    words = wanted.split()
    holding = [doc for doc in found if doc not in exact and _holds(_folded(doc.title), words)]
    return (exact + holding)[:_NAMED]


def _folded(text: str) -> str:
    return " ".join(token.folded for token in tokenise(text))


def _holds(title: str, words: Sequence[str]) -> bool:
    held = title.split()
    *whole, last = words
    return all(word in held for word in whole) and any(word.startswith(last) for word in held)


def _of_pages(docs: Sequence[Doc], terms: _Terms) -> tuple[Result, ...]:
    """Each with the passage that opens it. Two queries."""
    if not docs:
        return ()
    revision_ids = [doc.indexed_revision_id for doc in docs if doc.indexed_revision_id]
    revisions = Revision.objects.only("number", "text", "title").in_bulk(revision_ids)
    openings = {
        chunk.revision_id: chunk
        for chunk in Chunk.objects.filter(revision__in=revision_ids, ordinal=0)
    }
    return tuple(
        Result(
            doc=doc,
            revision=revisions[doc.indexed_revision_id].number,
            text=revisions[doc.indexed_revision_id].text[opening.char_start : opening.char_end],
            start=opening.char_start,
            terms=terms.of(doc.language),
        )
        for doc in docs
        if doc.indexed_revision_id and (opening := openings.get(doc.indexed_revision_id))
    )


# -- passages -------------------------------------------------------------------------------------


def _of_hits(hits: Sequence[Hit], documents: QuerySet[Doc], terms: _Terms) -> tuple[Result, ...]:
    """The rights are in this query too: between the two a page may have been restricted."""
    docs = documents.select_related("indexed_revision").defer(
        "indexed_revision__source", "indexed_revision__html", "indexed_revision__text"
    )
    by_id = docs.in_bulk({hit.document_id for hit in hits})
    return tuple(
        _passage(by_id[hit.document_id], hit, terms) for hit in hits if hit.document_id in by_id
    )


def _passage(doc: Doc, hit: Hit, terms: _Terms) -> Result:
    assert doc.indexed_revision is not None
    return Result(
        doc=doc,
        revision=doc.indexed_revision.number,
        text=hit.text,
        start=hit.char_start,
        terms=terms.of(doc.language),
        heading_path=tuple(heading for heading in hit.heading_path if heading != doc.title),
        scores=hit.scores,
    )


# -- together -------------------------------------------------------------------------------------


def _merged(named: Sequence[Doc], passages: Sequence[Result], terms: _Terms) -> tuple[Result, ...]:
    """Pages that are named so, then passages that hold the query's identifiers, then pages whose
    title holds its words, then the rest. A page that a passage stands for is not listed twice."""
    wanted, identifiers = _folded(terms.query), terms.identifiers
    named_ids = {doc.pk for doc in named}
    found_ids = {one.doc.pk for one in passages}
    alone = _of_pages([doc for doc in named if doc.pk not in found_ids], terms)

    def tier(one: Result) -> int:
        if wanted in (_folded(one.doc.title), _folded(one.doc.slug)):
            return 0
        if identifiers and identifiers <= _written(one):
            return 1
        return 2 if one.doc.pk in named_ids else 3

    return tuple(sorted((*alone, *passages), key=tier))


def _written(one: Result) -> frozenset[str]:
    text = "\n".join((one.doc.title, *one.heading_path, one.text))
    return frozenset(index_terms(text, one.doc.language))


def group_by_page(results: Iterable[Result]) -> Mapping[UUID, list[Result]]:
    """In the order in which the pages first come up."""
    groups: dict[UUID, list[Result]] = {}
    for one in results:
        groups.setdefault(one.doc.pk, []).append(one)
    return groups
