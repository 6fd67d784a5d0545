"""Invitations: who was asked to join, and taking it back. The link itself is shown once."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, reverse
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from unfold.decorators import action, display

from memory.admin.accounts import ROLE_COLOURS
from memory.admin.base import actor, moment
from memory.admin.filters import StateFilter
from memory.admin.forms import InvitationForm
from memory.admin.shown_once import ShownOnceAdmin
from memory.admin_site import site
from memory.models import Invitation
from memory.people import invitations, mailing
from memory.people.invitations import InvitationEnded, InvitationState

_STATES: dict[str, Promise] = {
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


class InvitationStateFilter(StateFilter):
    names = _STATES

    def conditions(self, now: datetime) -> dict[str, Q]:
        waiting = Q(accepted_at=None, revoked_at=None)
        return {
            InvitationState.OPEN: waiting & Q(expires_at__gt=now),
            InvitationState.EXPIRED: waiting & Q(expires_at__lte=now),
            InvitationState.ACCEPTED: Q(accepted_at__isnull=False),
            InvitationState.REVOKED: Q(accepted_at=None, revoked_at__isnull=False),
        }


@admin.register(Invitation, site=site)
class InvitationAdmin(ShownOnceAdmin):
    change_form_template = "admin/invitation.html"
    list_display = ("whom", "role_badge", "group_names", "state", "invited_by", "expires", "made")
    list_filter = (InvitationStateFilter,)
    list_before_template = "admin/invitations_lead.html"
    search_fields = ("email", "username", "accepted_by__username")
    add_title = gettext_lazy("Invite somebody")
    add_form = InvitationForm
    add_fields = ("email", "username", "role", "groups", "days")
    shown_fields = (
        "whom",
        "role",
        "group_names",
        "state_name",
        "created_by",
        "created_at",
        "expires_at",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Invitation]:
        found = super().get_queryset(request).select_related("created_by", "accepted_by")
        return found.defer("digest")

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

    def facts(self, request: HttpRequest, obj: Any) -> dict[str, Any]:
        is_waiting = invitations.state(obj) in (InvitationState.OPEN, InvitationState.EXPIRED)
        return {"is_waiting": is_waiting, "can_mail": mailing.is_configured()}

    @action(description=gettext_lazy("Take the chosen invitations back"), permissions=("revoke",))
    def revoke_chosen(self, request: HttpRequest, queryset: QuerySet[Invitation]) -> None:
        count = invitations.revoke(actor(request), queryset)
        said = ngettext(
            "%(count)s invitation taken back.", "%(count)s invitations taken back.", count
        )
        messages.success(request, said % {"count": count})

    def get_urls(self) -> list[URLPattern]:
        return [self.posted("renew", self._renew_view), *super().get_urls()]

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
        return self.to_row(object_id)

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
