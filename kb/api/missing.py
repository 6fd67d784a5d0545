"""What no address of the API matches is missing in the API's own words, not on a page for people."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from kb.api.permissions import IsMember


@extend_schema(exclude=True)
class MissingView(APIView):
    permission_classes = [IsMember]  # as everywhere: first who asks, then what there is

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        raise Http404
