"""The recall playground: ask a bank, and see why it answered what it did.

A view that opens its own scopes: no transaction is held while a model thinks.
"""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from memory import tenancy
from memory.admin import badges, tracing
from memory.admin.base import actor
from memory.admin.playground_form import RecallForm
from memory.admin.reach import readable_banks
from memory.admin_site import site
from memory.attribution import said
from memory.errors import InvalidQuery, InvalidTags
from memory.hits import Arm, Recalled
from memory.levels import Level
from memory.middleware import opens_own_scopes
from memory.models import Bank
from memory.recall import engine
from memory.recall.request import RecallRequest

_DEFAULTS: Final[dict[str, Any]] = {
    "levels": [Level.L1.value, Level.L2.value],
    "arms": [arm.value for arm in Arm],
    "rerank": True,
    "budget": "low",
    "match": "any",
    "k": 10,
}
_NARROWING: Final = ("types", "tags", "floor", "asked_at", "start", "superseded")


@opens_own_scopes
@require_GET
def show(request: HttpRequest) -> HttpResponse:
    tenant_id = actor(request).tenant_id
    with tenancy.scope(tenant_id):
        banks = readable_banks(request)
        form = _form(request, banks)
        wanted = form.request() if form.is_bound and form.is_valid() else None
        # The choices are read here: the template is rendered outside of every scope.
        field: Any = form.fields["bank"]
        choices = list(field.choices)
    field.choices = choices
    context: dict[str, Any] = {
        **site.each_context(request),
        "title": _("Recall playground"),
        "form": form,
        "narrowed": any(request.GET.get(name) for name in _NARROWING),
        "has_banks": any(value for value, _name in choices),
    }
    if wanted is not None:
        context |= _asked(tenant_id, wanted, form)
    return TemplateResponse(request, "admin/memory/playground.html", context).render()


def _form(request: HttpRequest, banks: QuerySet[Bank]) -> RecallForm:
    if "q" in request.GET:
        given = request.GET.copy()
        for name in ("levels", "arms"):  # none chosen is no way to ask
            if not given.getlist(name):
                given.setlist(name, _DEFAULTS[name])
        return RecallForm(banks, given)
    initial: dict[str, Any] = dict(_DEFAULTS)
    if chosen := request.GET.get("bank"):
        initial["bank"] = chosen
    return RecallForm(banks, initial=initial)


def _asked(tenant_id: UUID, wanted: RecallRequest, form: RecallForm) -> dict[str, Any]:
    try:
        found = engine.recall_as(tenant_id, wanted)
    except (InvalidQuery, InvalidTags) as error:
        form.add_error(None, str(error))
        return {}
    return {
        "found": found,
        "hits": [
            {
                "hit": hit,
                "said": said(hit.speaker, hit.text),
                "level_name": badges.LEVEL_NAMES[hit.level],
                "level_colour": badges.LEVEL_COLOURS[hit.level],
            }
            for hit in found.hits
        ],
        "message": _message(found),
        "pictures": tracing.pictures(found),
    }


def _message(found: Recalled) -> str:
    """Why nothing came back; empty where something did."""
    if found.hits:
        return ""
    if "reranker" in found.degraded:
        return _("The reranker failed, and nothing it did not score is shown.")
    if found.abstained and found.floor is not None and found.best_score is not None:
        return _("Nothing reaches the floor of {floor:.3f}: the best is at {best:.3f}.").format(
            floor=found.floor, best=found.best_score
        )
    return _("Nothing was found.")
