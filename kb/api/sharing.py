"""Share links over HTTP."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.urls import reverse
from django.utils import timezone
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers, status
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from kb import selectors, sharing
from kb.api import examples
from kb.api.describing import operation, reply
from kb.api.filters import PageQuery
from kb.api.permissions import HasScope, IsMember, member_of
from kb.api.serializers import paged
from kb.models import ShareLink
from kb.sharing import LinkState
from memory.rest.strict import StrictSerializer

_TAG = "Share links"


class MayShare(HasScope):
    """Seeing a link is having it, so reading them needs the scope to write as well."""

    read = "kb:write"


class NewShareLinkSerializer(StrictSerializer):
    expires_at = serializers.DateTimeField(
        required=False, help_text="In the future, within a year. Default: in 24 hours."
    )
    max_uses = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=sharing.MAX_USES,
        help_text="0, the default: no limit. A use is an opening of the page.",
    )


class ShareLinkSerializer(serializers.Serializer[ShareLink]):
    id = serializers.UUIDField()
    url = serializers.SerializerMethodField()
    state = serializers.SerializerMethodField()
    created_by = serializers.CharField(source="created_by.username")
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    revoked_at = serializers.DateTimeField(allow_null=True)
    max_uses = serializers.IntegerField()
    used_count = serializers.IntegerField()

    @extend_schema_field(serializers.URLField())
    def get_url(self, link: ShareLink) -> str:
        path = reverse("shared-page", args=[sharing.token_of(link)])
        url: str = self.context["request"].build_absolute_uri(path)
        return url

    @extend_schema_field(serializers.ChoiceField([state.value for state in LinkState]))
    def get_state(self, link: ShareLink) -> str:
        return sharing.state(link, timezone.now()).value


class ShareLinkPagination(PageNumberPagination):
    page_size = 50


class DocShareLinksView(APIView):
    permission_classes = [IsMember, MayShare]

    @operation(
        "share_links_list",
        "List a page's share links",
        tag=_TAG,
        query=PageQuery,
        replies={
            200: reply(
                paged("ShareLinkList", ShareLinkSerializer),
                "Newest first.",
                {"Links": examples.page_of(examples.SHARE_LINK)},
            )
        },
        errors=(400, 401, 403, 404),
    )
    def get(self, request: Request, doc_id: UUID) -> Response:
        """The links of a page, newest first."""
        wanted = PageQuery(data=request.query_params)
        wanted.is_valid(raise_exception=True)
        member = member_of(request)
        links = sharing.links_of(member, selectors.get_doc(member, doc_id))
        pages = ShareLinkPagination()
        page = pages.paginate_queryset(links, request, view=self)
        return pages.get_paginated_response(_shown(request, page or [], many=True))

    @operation(
        "share_links_create",
        "Share a page",
        tag=_TAG,
        request=NewShareLinkSerializer,
        request_example=examples.NEW_SHARE_LINK,
        replies={201: reply(ShareLinkSerializer, "The link.", {"Link": examples.SHARE_LINK})},
        errors=(400, 401, 403, 404),
    )
    def post(self, request: Request, doc_id: UUID) -> Response:
        """Let anybody who has the address read the page's published revision, and never ask it."""
        member = member_of(request)
        doc = selectors.get_doc(member, doc_id)
        given = NewShareLinkSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        link = sharing.create_link(member, doc, **given.validated_data)
        return Response(_shown(request, link), status=status.HTTP_201_CREATED)


class ShareLinkView(APIView):
    permission_classes = [IsMember, MayShare]

    @operation(
        "share_links_revoke",
        "Revoke a share link",
        tag=_TAG,
        replies={204: reply(None, "The link opens nothing any more.")},
        errors=(401, 403, 404),
    )
    def delete(self, request: Request, link_id: UUID) -> Response:
        """Revoke a link, for good. Revoking it again changes nothing."""
        member = member_of(request)
        sharing.revoke_link(member, sharing.get_link(member, link_id))
        return Response(status=status.HTTP_204_NO_CONTENT)


def _shown(request: Request, links: Any, *, many: bool = False) -> Any:
    return ShareLinkSerializer(links, many=many, context={"request": request}).data
