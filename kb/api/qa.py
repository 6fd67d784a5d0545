"""Asking over HTTP, and one's own history."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.conf import settings
from django.utils.decorators import method_decorator
from django_ratelimit.decorators import ratelimit
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import Throttled
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from kb import history, presenting
from kb.api.permissions import HasScope, IsMember, MayAsk, member_of
from kb.api.serializers import QuestionSerializer, ReplySerializer
from kb.asking import AskRequest, ask
from memory import tenancy

BURST_SECONDS = 60


def burst(group: str, request: Any) -> str:
    """Bursts only; the limit of the day is ``kb.limits``."""
    return str(settings.FOOTNOTE["ASK_BURST"])


def caller(group: str, request: Any) -> str:
    """A burst belongs to a member; a stranger's to nobody, since a stranger is refused anyway."""
    member = getattr(request, "member", None)
    return f"{member.tenant_id}:{member.user_id}" if member is not None else "anonymous"


class AskView(APIView):
    """Opens short scopes of its own: no transaction is held while a model thinks."""

    permission_classes = [IsMember, MayAsk]

    @extend_schema(
        request=QuestionSerializer,
        responses=ReplySerializer,
        parameters=[OpenApiParameter("Idempotency-Key", location=OpenApiParameter.HEADER)],
    )
    @method_decorator(ratelimit(key=caller, rate=burst, block=False))
    def post(self, request: Request, doc_id: UUID) -> Response:
        if getattr(request, "limited", False):
            raise Throttled(wait=BURST_SECONDS)
        member = member_of(request)
        question = request.data.get("question") if isinstance(request.data, dict) else None
        record = ask(
            AskRequest(
                member=member,
                doc_id=doc_id,
                question=question,
                client_token=request.headers.get("Idempotency-Key", "")[:200] or None,
            )
        )
        with tenancy.scope(member.tenant_id):
            return Response(presenting.reply(record, member))


class HistoryPagination(PageNumberPagination):
    page_size = 50


class HistoryView(APIView):
    permission_classes = [IsMember, HasScope]

    @extend_schema(parameters=[OpenApiParameter("doc_id"), OpenApiParameter("page")])
    def get(self, request: Request) -> Response:
        member = member_of(request)
        questions = history.questions_for(member, doc_id=request.query_params.get("doc_id"))
        pages = HistoryPagination()
        page = pages.paginate_queryset(questions, request, view=self) or []
        return pages.get_paginated_response(history.present(member, page))
