"""Mental models over HTTP: standing questions, their answers, and asking them again."""

from __future__ import annotations

from typing import Any

from django.utils.decorators import method_decorator
from django_ratelimit.decorators import ratelimit
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.response import Response

from memory import mental_models, refreshing
from memory.api.base import MemoryView, body_of, query_of, stated, tags_of
from memory.api.describing import IN_BANK, operation, reply
from memory.api.examples import mental_models as examples
from memory.api.recall_requests import refuse_long
from memory.api.rendering import mental_models as rendering
from memory.api.shapes.directives import RemovedSerializer
from memory.api.shapes.mental_models import (
    DetailQuery,
    MentalModelChangeSerializer,
    MentalModelCreatedSerializer,
    MentalModelHistorySerializer,
    MentalModelListQuery,
    MentalModelListSerializer,
    MentalModelSerializer,
    NewMentalModelSerializer,
    RefreshSerializer,
    SubmittedSerializer,
)
from memory.browsing.filters import page_of_list
from memory.models import Bank, MentalModel, Operation
from memory.rest.limits import BURST_SECONDS, burst, caller
from memory.rest.permissions import member_of

TAG = "Mental models"
_ONE = reply(MentalModelSerializer, "The mental model.", {"Mental model": examples.MODEL})
_NAMES = {"name": "title", "source_query": "query"}


class MentalModelListView(MemoryView):
    @operation(
        "memory_models_list",
        "List mental models",
        tag=TAG,
        query=MentalModelListQuery,
        replies={
            200: reply(MentalModelListSerializer, "Mental models.", {"List": examples.MODELS})
        },
    )
    def get(self, request: Request, bank_id: str) -> Response:
        """By name. Without ``detail`` their answers are left out."""
        wanted = query_of(request, MentalModelListQuery)
        bank = self.bank(bank_id)
        scope = tags_of(bank, wanted)
        page = page_of_list(
            mental_models.listed(bank, scope), limit=wanted["limit"], offset=wanted["offset"]
        )
        return Response(rendering.model_list(bank, page, detail=wanted["detail"]))

    @operation(
        "memory_models_create",
        "Make a mental model",
        tag=TAG,
        request=NewMentalModelSerializer,
        request_example=examples.NEW,
        replies={
            200: reply(MentalModelCreatedSerializer, "It is made.", {"Made": examples.CREATED})
        },
        errors=(*IN_BANK, 409),
    )
    def post(self, request: Request, bank_id: str) -> Response:
        """Its question is asked in the background; the operation says when it has an answer."""
        given = body_of(request, NewMentalModelSerializer)
        bank = self.bank(bank_id)
        model = mental_models.create(bank, _values(given), name=given.get("id"))
        asked = _refresh(request, bank, model)
        return Response({"mental_model_id": model.name, "operation_id": str(asked.pk)})


class MentalModelView(MemoryView):
    @operation(
        "memory_models_read", "Read a mental model", tag=TAG, query=DetailQuery, replies={200: _ONE}
    )
    def get(self, request: Request, bank_id: str, model_id: str) -> Response:
        wanted = query_of(request, DetailQuery)
        bank = self.bank(bank_id)
        found = mental_models.find(bank, model_id)
        return Response(rendering.model(bank, found, detail=wanted["detail"]))

    @operation(
        "memory_models_change",
        "Change a mental model",
        tag=TAG,
        request=MentalModelChangeSerializer,
        request_example=examples.CHANGE,
        replies={200: _ONE},
    )
    def patch(self, request: Request, bank_id: str, model_id: str) -> Response:
        """Another question leaves the old answer until it is refreshed; it is stale meanwhile."""
        given = body_of(request, MentalModelChangeSerializer)
        bank = self.bank(bank_id)
        model = mental_models.find(bank, model_id)
        values = _values(given)
        if "trigger" in values:
            values["trigger"] = model.trigger | values["trigger"]
        return Response(rendering.model(bank, mental_models.change(model, values), detail="full"))

    @operation(
        "memory_models_delete",
        "Remove a mental model",
        tag=TAG,
        replies={200: reply(RemovedSerializer, "Gone.", {"Removed": examples.REMOVED})},
    )
    def delete(self, request: Request, bank_id: str, model_id: str) -> Response:
        mental_models.delete(mental_models.find(self.bank(bank_id), model_id))
        return Response({"success": True, "message": "The mental model was removed."})


class MentalModelRefreshView(MemoryView):
    @operation(
        "memory_models_refresh",
        "Ask a mental model's question again",
        tag=TAG,
        request=RefreshSerializer,
        request_example=examples.REFRESH,
        replies={200: reply(SubmittedSerializer, "Taken on.", {"Taken on": examples.SUBMITTED})},
        errors=(*IN_BANK, 429),
    )
    @method_decorator(ratelimit(key=caller, rate=burst, block=False))
    def post(self, request: Request, bank_id: str, model_id: str) -> Response:
        """In the background. Where a refresh waits already, it is that one."""
        if getattr(request, "limited", False):
            raise Throttled(wait=BURST_SECONDS)
        body_of(request, RefreshSerializer)
        bank = self.bank(bank_id)
        asked = _refresh(request, bank, mental_models.find(bank, model_id))
        return Response({"operation_id": str(asked.pk), "status": asked.status})


class MentalModelClearView(MemoryView):
    @operation(
        "memory_models_clear", "Forget a mental model's answer", tag=TAG, replies={200: _ONE}
    )
    def post(self, request: Request, bank_id: str, model_id: str) -> Response:
        """It stays in the history."""
        bank = self.bank(bank_id)
        model = mental_models.clear(mental_models.find(bank, model_id))
        return Response(rendering.model(bank, model, detail="full"))


class MentalModelHistoryView(MemoryView):
    @operation(
        "memory_models_history",
        "See a mental model's former answers",
        tag=TAG,
        replies={
            200: reply(MentalModelHistorySerializer, "Latest first.", {"History": examples.HISTORY})
        },
    )
    def get(self, request: Request, bank_id: str, model_id: str) -> Response:
        """At most 50."""
        model = mental_models.find(self.bank(bank_id), model_id)
        return Response({"mental_model_id": model.name, "history": mental_models.former(model)})


def _refresh(request: Request, bank: Bank, model: MentalModel) -> Operation:
    return refreshing.submit(bank.pk, model.name, actor=member_of(request).user)


def _values(given: dict[str, Any]) -> dict[str, Any]:
    """What was stated, by the names of the model's fields; of the trigger too."""
    values = {
        _NAMES.get(name, name): value for name, value in stated(given).items() if name != "id"
    }
    if "query" in values:
        refuse_long(values["query"])
    if "trigger" in values:
        values["trigger"] = stated(values["trigger"])
    return values
