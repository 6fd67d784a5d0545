"""Searching the pages over HTTP."""

from __future__ import annotations

from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from kb import search_replies, searching
from kb.api import examples
from kb.api.describing import operation, reply
from kb.api.filters import SearchQuery
from kb.api.permissions import HasScope, IsMember, member_of
from kb.api.serializers import SearchSerializer
from kb.searching import MAX_RESULTS, SearchRequest


class SearchPagination(PageNumberPagination):
    page_size = 10
    page_size_query_param = "limit"
    max_page_size = MAX_RESULTS


class SearchView(APIView):
    """Opens a short scope of its own: none is held while the query is encoded."""

    permission_classes = [IsMember, HasScope]

    @operation(
        "kb_search",
        "Search the pages",
        tag="Search",
        query=SearchQuery,
        replies={
            200: reply(
                SearchSerializer,
                "The best passages, at most 50. None is a success: `message` says why.",
                {"Found": examples.SEARCH, "Nothing": examples.EMPTY_SEARCH},
            )
        },
        errors=(400, 401, 403, 404),
    )
    def get(self, request: Request) -> Response:
        """Pages that the query names come first, then passages by their relevance. `marks` are
        half-open ranges of code points in `snippet`; `char_start` and `char_end` count the page."""
        wanted = SearchQuery(data=request.query_params)
        wanted.is_valid(raise_exception=True)
        member = member_of(request)
        given = wanted.validated_data
        found = searching.search(
            SearchRequest(
                tenant_id=member.tenant_id,
                member=member,
                query=given["q"],
                status=given.get("status", ""),
                language=given.get("language", ""),
                category=given.get("category", ""),
                min_score=given.get("min_score"),
            )
        )
        pages = SearchPagination()
        page = pages.paginate_queryset(found.results, request, view=self) or []
        slug = member.tenant.slug
        response = pages.get_paginated_response([search_replies.as_dict(slug, one) for one in page])
        response.data |= {
            "abstained": found.abstained,
            "best_score": found.best_score,
            "floor": found.floor,
            "reranker": found.reranker,
            "degraded": list(found.degraded),
            "message": search_replies.message(found),
        }
        return response
