"""Invitations: who was asked to join, and taking it back. The link itself is shown once."""

from __future__ import annotations

from functools import partial
from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.db import transaction
from django.db.models import Model, Q, QuerySet
from django.forms import ModelForm
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST
from unfold.decorators import action, display

from memory import invitations, mailing
from memory.admin.accounts import ROLE_COLOURS
from memory.admin.base import TenantModelAdmin, actor, moment
from memory.admin.filters import ValuesFilter
from memory.admin.forms import InvitationForm
from memory.admin_site import is_admin, site
from memory.invitations import InvitationEnded, InvitationState
from memory.models import Invitation

_STATES = {
    InvitationState.OPEN: gettext_lazy("Open"),
    InvitationState.EXPIRED: gettext_lazy("Expired"),
    InvitationState.ACCEPTED: gettext_lazy("Accepted"),
    InvitationState.REVOKED: gettext_lazy("Taken back"),
}
_COLOURS = {
    InvitationState.OPEN: "info",
    InvitationState.EXPIRED: "warning",
    InvitationState.ACCEPTED: "success",
    InvitationState.REVOKED: "danger",
}


class StateFilter(ValuesFilter):
    title = gettext_lazy("state")
    parameter_name = "state"

    def values(self) -> list[tuple[str, str]]:
        return [(state.value, str(name)) for state, name in _STATES.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        now, waiting = timezone.now(), Q(accepted_at=None, revoked_at=None)
        wanted: dict[str, Q] = {
            InvitationState.OPEN: waiting & Q(expires_at__gt=now),
            InvitationState.EXPIRED: waiting & Q(expires_at__lte=now),
            InvitationState.ACCEPTED: Q(accepted_at__isnull=False),
            InvitationState.REVOKED: Q(accepted_at=None, revoked_at__isnull=False),
        }
        chosen = Q()
        for one in self.value() or ():
            chosen |= wanted.get(one, Q())
        return queryset.filter(chosen)


@admin.register(Invitation, site=site)
class InvitationAdmin(TenantModelAdmin):
    can_add = True
    change_form_template = "admin/invitation.html"
    list_display = ("whom", "role_badge", "group_names", "state", "invited_by", "expires", "made")
    list_filter = (StateFilter,)
    list_before_template = "admin/invitations_lead.html"
    search_fields = ("email", "username", "accepted_by__username")
    ordering = ("-created_at",)
    actions = ("revoke_chosen",)
    _SHOWN = ("whom", "role", "group_names", "state_name", "created_by", "created_at", "expires_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Invitation]:
        found = super().get_queryset(request).select_related("created_by", "accepted_by")
        return found.defer("digest")

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> tuple[str, ...]:
        return ("email", "username", "role", "groups", "days") if obj is None else self._SHOWN

    def get_readonly_fields(
        self, request: HttpRequest, obj: Model | None = None
    ) -> tuple[str, ...]:
        return () if obj is None else self._SHOWN

    def get_form(
        self, request: HttpRequest, obj: Model | None = None, change: bool = False, **kwargs: Any
    ) -> type[ModelForm]:
        if obj is None:
            kwargs |= {"form": InvitationForm, "fields": None}
        form: Any = super().get_form(request, obj, change=change, **kwargs)
        form.actor = actor(request)
        return form

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        # There is one way on from here: the list, where the link is shown.
        context = {
            "title": _("Invite somebody"),
            "show_save_and_add_another": False,
            "show_save_and_continue": False,
        }
        response: HttpResponse = super().add_view(
            request, form_url, context | (extra_context or {})
        )
        return response

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        chosen = form.cleaned_data
        made, token = invitations.invite(
            actor(request),
            role=chosen["role"],
            groups=chosen["groups"],
            email=chosen["email"],
            username=chosen["username"],
            lifetime=form.lifetime(),
        )
        obj.pk = made.pk
        _hand_over(request, made, token)

    def response_add(
        self, request: HttpRequest, obj: Model, post_url_continue: str | None = None
    ) -> HttpResponse:
        return redirect(f"{self.admin_site.name}:memory_invitation_changelist")

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        invitation = self.get_object(request, object_id) if object_id else None
        is_waiting = invitation is not None and invitations.state(invitation) in (
            InvitationState.OPEN,
            InvitationState.EXPIRED,
        )
        context = {"is_waiting": is_waiting, "can_mail": mailing.is_configured()}
        response: HttpResponse = super().changeform_view(
            request, object_id, form_url, context | (extra_context or {})
        )
        return response

    def has_revoke_permission(self, request: HttpRequest) -> bool:
        return is_admin(request)

    @action(description=gettext_lazy("Take the chosen invitations back"), permissions=("revoke",))
    def revoke_chosen(self, request: HttpRequest, queryset: QuerySet[Invitation]) -> None:
        self._revoke(request, queryset)

    def get_urls(self) -> list[URLPattern]:
        def posted(view: Any) -> Any:
            return self.admin_site.admin_view(require_POST(view))

        name = "memory_invitation_{}".format
        return [
            path("<uuid:object_id>/renew/", posted(self._renew_view), name=name("renew")),
            path("<uuid:object_id>/revoke/", posted(self._revoke_view), name=name("revoke")),
            *super().get_urls(),
        ]

    def _renew_view(self, request: HttpRequest, object_id: UUID) -> HttpResponse:
        invitation = get_object_or_404(self.get_queryset(request), pk=object_id)
        try:
            token = invitations.renew(actor(request), invitation)
        except InvitationEnded as ended:
            said = _("This invitation cannot be renewed: %(state)s.")
            messages.error(request, said % {"state": str(_STATES[ended.state]).lower()})
        else:
            invitation.refresh_from_db(fields=["expires_at", "created_by"])
            _hand_over(request, invitation, token)
        return redirect(f"{self.admin_site.name}:memory_invitation_change", object_id)

    def _revoke_view(self, request: HttpRequest, object_id: UUID) -> HttpResponse:
        found = self.get_queryset(request).filter(pk=object_id)
        if not found.exists():
            raise Http404
        self._revoke(request, found)
        return redirect(f"{self.admin_site.name}:memory_invitation_change", object_id)

    @staticmethod
    def _revoke(request: HttpRequest, queryset: QuerySet[Invitation]) -> None:
        count = invitations.revoke(actor(request), queryset)
        said = ngettext(
            "%(count)s invitation taken back.", "%(count)s invitations taken back.", count
        )
        messages.success(request, said % {"count": count})

    @display(description=gettext_lazy("Whom"))
    def whom(self, invitation: Invitation) -> str:
        return str(invitation.accepted_by or invitation)

    @display(description=gettext_lazy("Role"), label=ROLE_COLOURS, ordering="role")
    def role_badge(self, invitation: Invitation) -> tuple[str, str]:
        return invitation.role, invitation.get_role_display()

    @display(description=gettext_lazy("Groups"))
    def group_names(self, invitation: Invitation) -> str:
        return ", ".join(invitation.groups)

    @display(description=gettext_lazy("State"), label=_COLOURS)
    def state(self, invitation: Invitation) -> tuple[str, str]:
        state = invitations.state(invitation)
        return state, str(_STATES[state])

    @display(description=gettext_lazy("State"))
    def state_name(self, invitation: Invitation) -> str:
        return str(_STATES[invitations.state(invitation)])

    @display(description=gettext_lazy("Invited by"), ordering="created_by__username")
    def invited_by(self, invitation: Invitation) -> str:
        return str(invitation.created_by)

    @display(description=gettext_lazy("Ends"), ordering="expires_at")
    def expires(self, invitation: Invitation) -> str:
        return moment(invitation.expires_at)

    @display(description=gettext_lazy("Made"), ordering="created_at")
    def made(self, invitation: Invitation) -> str:
        return moment(invitation.created_at)


def _hand_over(request: HttpRequest, invitation: Invitation, token: str) -> None:
    """Show the link once, and mail it where that can be done, once the invitation is stored."""
    link = request.build_absolute_uri(reverse("join", args=[token]))
    shown = format_html('<code class="fn-once">{}</code>', link)
    if invitation.email and mailing.is_configured():
        context = {"invitation": invitation, "link": link}
        # After the commit: a server that is slow must not hold the audit's lock.
        send = partial(mailing.send, invitation.email, "invitation", context)
        transaction.on_commit(send, robust=True)
        said = _(
            "The link is on its way to {email}. Here it is once more, for the last time: {link}"
        )
        messages.success(request, format_html(said, email=invitation.email, link=shown))
    else:
        said = _("Hand this link over yourself. It is shown only now: {link}")
        messages.warning(request, format_html(said, link=shown))
