from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpResponseBase
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memory.api.base import MemoryView
from memory.api.errors import NotOffered
from memory.api.not_offered import NotOfferedCall
from memory.rest.permissions import IsMember


class NotOfferedView(MemoryView):
    """A member is told that it is not offered, whatever the key may do."""

    permission_classes = [IsMember]
    sentence = ""

    @extend_schema(exclude=True)
    def refuse(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        raise NotOffered(self.sentence)


def view_of(call: NotOfferedCall) -> Callable[..., HttpResponseBase]:
    handlers = {method.lower(): NotOfferedView.refuse for method in call.methods}
    view: type[NotOfferedView] = type("NotOfferedCallView", (NotOfferedView,), handlers)
    return view.as_view(sentence=call.sentence)
