"""Asking over HTTP, one's own history, and what one thinks of an answer."""

from __future__ import annotations

from uuid import UUID

from django.http import StreamingHttpResponse
from django.utils.decorators import method_decorator
from django_ratelimit.decorators import ratelimit
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import Throttled
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from kb import exporting, feedback, history, presenting
from kb.api import examples
from kb.api.describing import FILE, operation, reply
from kb.api.filters import ExportQuery, HistoryQuery
from kb.api.permissions import HasScope, IsMember, MayAsk, member_of
from kb.api.serializers import (
    FeedbackSerializer,
    PastReplySerializer,
    QuestionSerializer,
    ReplySerializer,
    VoteSerializer,
    paged,
)
from kb.asking import AskRequest, ask
from kb.exporting import Export, ExportFormat
from memory import tenancy
from memory.rest.limits import BURST_SECONDS, burst, caller

_TAG = "Questions"
_IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    location=OpenApiParameter.HEADER,
    description="Any text of at most 200 characters. The same question sent again with"
    " the same key is not asked, nor counted, a second time.",
)


class AskView(APIView):
    """Opens short scopes of its own: no transaction is held while a model thinks."""

    permission_classes = [IsMember, MayAsk]

    @operation(
        "docs_ask",
        "Ask a page",
        tag=_TAG,
        request=QuestionSerializer,
        request_example=examples.QUESTION,
        replies={
            200: reply(
                ReplySerializer,
                "An answer with a footnote on every claim, or a decline that says why.",
                {"Answer": examples.ANSWER, "Decline": examples.DECLINE},
            )
        },
        errors=(400, 401, 403, 404, 409, 429),
        headers=[_IDEMPOTENCY_KEY],
    )
    @method_decorator(ratelimit(key=caller, rate=burst, block=False))
    def post(self, request: Request, doc_id: UUID) -> Response:
        """The page and those it links to are read. A decline is a success: 200, with a ``reason``."""
        return _reply(request, doc_id)


class BaseAskView(APIView):
    """As ``AskView``, of everything that the caller may read."""

    permission_classes = [IsMember, MayAsk]

    @operation(
        "kb_ask",
        "Ask the whole knowledge base",
        tag=_TAG,
        request=QuestionSerializer,
        request_example=examples.QUESTION,
        replies={
            200: reply(
                ReplySerializer,
                "As a page's answer, without a `doc_id`: each footnote names its page.",
                {"Answer": examples.BASE_ANSWER, "Decline": examples.BASE_DECLINE},
            )
        },
        errors=(400, 401, 403, 409, 429),
        headers=[_IDEMPOTENCY_KEY],
    )
    @method_decorator(ratelimit(key=caller, rate=burst, block=False))
    def post(self, request: Request) -> Response:
        """The best passages of all pages that you may read. Counts as a question to a page does."""
        return _reply(request, doc_id=None)


def _reply(request: Request, doc_id: UUID | None) -> Response:
    if getattr(request, "limited", False):
        raise Throttled(wait=BURST_SECONDS)
    member = member_of(request)
    given = QuestionSerializer(data=request.data if isinstance(request.data, dict) else {})
    given.is_valid(raise_exception=True)
    record = ask(
        AskRequest(
            member=member,
            doc_id=doc_id,
            question=given.validated_data["question"],
            client_token=request.headers.get("Idempotency-Key", "")[:200] or None,
        )
    )
    with tenancy.scope(member.tenant_id):
        return Response(presenting.reply(record, member))


class HistoryPagination(PageNumberPagination):
    page_size = 50


class HistoryView(APIView):
    permission_classes = [IsMember, HasScope]

    @operation(
        "qa_history",
        "What was asked",
        tag=_TAG,
        query=HistoryQuery,
        replies={
            200: reply(
                paged("History", PastReplySerializer),
                "Newest first.",
                {"History": examples.page_of(examples.PAST_ANSWER)},
            )
        },
        errors=(400, 401, 403, 404),
    )
    def get(self, request: Request) -> Response:
        """Your own questions; an admin's are everybody's. Each citation says what became of it."""
        member = member_of(request)
        wanted = HistoryQuery(data=request.query_params, context={"member": member})
        wanted.is_valid(raise_exception=True)
        questions = history.questions_for(member, wanted.history_filter())
        pages = HistoryPagination()
        page = pages.paginate_queryset(questions, request, view=self) or []
        return pages.get_paginated_response(history.present(member, page))


class ExportView(APIView):
    """Opens scopes of its own, one for each batch that is streamed."""

    permission_classes = [IsMember, HasScope]

    @operation(
        "qa_export",
        "The history as a file",
        tag=_TAG,
        query=ExportQuery,
        replies={
            (200, "text/csv"): reply(str, "The file.", {"CSV": examples.EXPORT_LINE}),
            (200, exporting.MEDIA_TYPES[ExportFormat.XLSX]): reply(FILE, "The file."),
            (200, "application/json"): reply(
                PastReplySerializer(many=True), "The file.", {"JSON": examples.PAST_ANSWER}
            ),
        },
        errors=(400, 401, 403),
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        """The same questions and filters as the history, all pages of it."""
        member = member_of(request)
        wanted = ExportQuery(data=request.query_params, context={"member": member})
        wanted.is_valid(raise_exception=True)
        return download(
            exporting.export(
                member,
                wanted.history_filter(),
                ExportFormat(wanted.validated_data["format"]),
            )
        )


def download(export: Export) -> StreamingHttpResponse:
    return StreamingHttpResponse(
        export.content,
        content_type=export.media_type,
        headers={
            "Content-Disposition": f'attachment; filename="{export.filename}"',
            "Cache-Control": "private, no-store",
        },
    )


class FeedbackView(APIView):
    permission_classes = [IsMember, MayAsk]

    @operation(
        "qa_feedback",
        "Say what you think of a reply",
        tag=_TAG,
        request=VoteSerializer,
        request_example=examples.VOTE,
        replies={
            200: reply(
                FeedbackSerializer, "Your vote, as it counts now.", {"Vote": examples.FEEDBACK}
            )
        },
        errors=(400, 401, 403, 404),
    )
    def post(self, request: Request, question_id: UUID) -> Response:
        """On declines too. Your last vote counts; the history itself is not changed by it."""
        given = VoteSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        row = feedback.give(member_of(request), question_id, **given.validated_data)
        return Response({"question_id": str(question_id), **presenting.vote(row)})
