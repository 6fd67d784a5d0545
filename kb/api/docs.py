"""Pages over HTTP."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from kb import intake, presenting, selectors
from kb.api.permissions import HasScope, IsMember, member_of
from kb.api.serializers import DocDetailSerializer, DocSummarySerializer, PageSerializer


class DocPagination(PageNumberPagination):
    page_size = 50


class DocListView(APIView):
    permission_classes = [IsMember, HasScope]

    @extend_schema(
        parameters=[OpenApiParameter(name) for name in ("q", "status", "language", "page")],
        responses=DocSummarySerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        docs = selectors.list_docs(
            member_of(request),
            query=request.query_params.get("q", ""),
            status=request.query_params.get("status", ""),
            language=request.query_params.get("language", ""),
        )
        pages = DocPagination()
        page = pages.paginate_queryset(docs, request, view=self)
        return pages.get_paginated_response([presenting.doc_summary(doc) for doc in page or ()])

    @extend_schema(request=PageSerializer, responses={201: DocDetailSerializer})
    def post(self, request: Request) -> Response:
        given = PageSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        member = member_of(request)
        doc = intake.create_page(member, given.page_fields())
        return _detail(member, doc.pk, status.HTTP_201_CREATED)


class DocView(APIView):
    permission_classes = [IsMember, HasScope]

    @extend_schema(responses=DocDetailSerializer)
    def get(self, request: Request, doc_id: UUID) -> Response:
        return _detail(member_of(request), doc_id)

    @extend_schema(request=PageSerializer, responses=DocDetailSerializer)
    def patch(self, request: Request, doc_id: UUID) -> Response:
        member = member_of(request)
        doc = selectors.get_doc(member, doc_id)
        given = PageSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        intake.update_page(
            member,
            doc,
            given.page_fields(),
            base_revision=given.validated_data.get("base_revision"),
        )
        return _detail(member, doc_id)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, doc_id: UUID) -> Response:
        member = member_of(request)
        intake.delete_page(member, selectors.get_doc(member, doc_id))
        return Response(status=status.HTTP_204_NO_CONTENT)


def _detail(member: Any, doc_id: UUID, code: int = status.HTTP_200_OK) -> Response:
    return Response(presenting.doc_detail(member, selectors.get_doc(member, doc_id)), status=code)
