"""Pages over HTTP."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from rest_framework import status
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from kb import intake, presenting, selectors
from kb.api import examples
from kb.api.describing import operation, reply
from kb.api.filters import DocListQuery
from kb.api.permissions import HasScope, IsMember, member_of
from kb.api.serializers import DocDetailSerializer, DocSummarySerializer, PageSerializer, paged

_TAG = "Pages"
_PAGE = reply(DocDetailSerializer, "The page.", {"Page": examples.DOC})


class DocPagination(PageNumberPagination):
    page_size = 50


class DocListView(APIView):
    permission_classes = [IsMember, HasScope]

    @operation(
        "docs_list",
        "List pages",
        tag=_TAG,
        query=DocListQuery,
        replies={
            200: reply(
                paged("DocList", DocSummarySerializer),
                "The pages that you may open, last changed first.",
                {"Pages": examples.page_of(examples.DOC_SUMMARY)},
            )
        },
        errors=(400, 401, 403, 404),
    )
    def get(self, request: Request) -> Response:
        wanted = DocListQuery(data=request.query_params)
        wanted.is_valid(raise_exception=True)
        docs = selectors.list_docs(
            member_of(request),
            query=wanted.validated_data.get("q", ""),
            status=wanted.validated_data.get("status", ""),
            language=wanted.validated_data.get("language", ""),
            category=wanted.validated_data.get("category", ""),
        )
        pages = DocPagination()
        page = pages.paginate_queryset(docs, request, view=self)
        return pages.get_paginated_response([presenting.doc_summary(doc) for doc in page or ()])

    @operation(
        "docs_create",
        "Write a page",
        tag=_TAG,
        request=PageSerializer,
        request_example=examples.NEW_DOC,
        replies={201: _PAGE},
        errors=(400, 401, 403),
    )
    def post(self, request: Request) -> Response:
        """You become its owner. Without more it is a draft in Markdown for the organisation."""
        given = PageSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        member = member_of(request)
        doc = intake.create_page(member, given.page_fields())
        return _detail(member, doc.pk, status.HTTP_201_CREATED)


class DocView(APIView):
    permission_classes = [IsMember, HasScope]

    @operation("docs_read", "Read a page", tag=_TAG, replies={200: _PAGE}, errors=(401, 403, 404))
    def get(self, request: Request, doc_id: UUID) -> Response:
        """Readers get the published revision, editors the newest. Offsets count ``text``.

        ``source`` is what was written. Who may not edit the page, and has not every page that it links
        to, gets what they see instead, as HTML.
        """
        return _detail(member_of(request), doc_id)

    @operation(
        "docs_change",
        "Change a page",
        tag=_TAG,
        request=PageSerializer,
        request_example=examples.CHANGED_DOC,
        replies={200: _PAGE},
        errors=(400, 401, 403, 404, 409),
    )
    def patch(self, request: Request, doc_id: UUID) -> Response:
        """What is not sent stays. ``base_revision``: the revision you edited; a newer one is a 409."""
        member = member_of(request)
        doc = selectors.get_doc(member, doc_id)
        given = PageSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        doc = intake.update_page(
            member,
            doc,
            given.page_fields(),
            base_revision=given.validated_data.get("base_revision"),
        )
        # Whoever handed it over or restricted it may not find it again, but has just saved it.
        return Response(presenting.doc_detail(member, doc))

    @operation(
        "docs_delete",
        "Delete a page",
        tag=_TAG,
        replies={204: reply(None, "It is in the bin, and nothing of it answers any more.")},
        errors=(401, 403, 404),
    )
    def delete(self, request: Request, doc_id: UUID) -> Response:
        """It can be restored by an editor."""
        member = member_of(request)
        intake.delete_page(member, selectors.get_doc(member, doc_id))
        return Response(status=status.HTTP_204_NO_CONTENT)


def _detail(member: Any, doc_id: UUID, code: int = status.HTTP_200_OK) -> Response:
    return Response(presenting.doc_detail(member, selectors.get_doc(member, doc_id)), status=code)
