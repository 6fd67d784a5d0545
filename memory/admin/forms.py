"""Forms of the administration. ``actor`` is set by the admin class: the admin who acts."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, ClassVar

from django import forms
from django.contrib.postgres.forms import SimpleArrayField
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminEmailInputWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
)

from memory.language.text import clean_text
from memory.models import ApiKey, Invitation, Membership, Role, User
from memory.people import invitations, keys, members

_LIFETIMES = (
    (30, gettext_lazy("30 days")),
    (90, gettext_lazy("90 days")),
    (365, gettext_lazy("one year")),
    (0, gettext_lazy("no end")),
)
_INVITED_FOR = (
    (1, gettext_lazy("a day")),
    (7, gettext_lazy("a week")),
    (30, gettext_lazy("30 days")),
)


class ActorForm(forms.ModelForm):
    actor: ClassVar[Membership]


class _GroupsForm(ActorForm):
    groups = SimpleArrayField(
        forms.CharField(max_length=60),
        required=False,
        widget=UnfoldAdminTextInputWidget(attrs={"placeholder": "engineering, hr"}),
        help_text=gettext_lazy(
            "Separated by commas. Restricted pages name the groups that may read them."
        ),
    )

    def clean_groups(self) -> list[str]:
        named = (clean_text(group).strip() for group in self.cleaned_data["groups"])
        return sorted({group for group in named if group})


class InvitationForm(_GroupsForm):
    email = forms.EmailField(
        label=gettext_lazy("E-mail address"),
        required=False,
        widget=UnfoldAdminEmailInputWidget(attrs={"autocomplete": "off"}),
    )
    username = forms.CharField(
        label=gettext_lazy("User name"),
        max_length=150,
        required=False,
        validators=[User.username_validator],
        widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "off"}),
        help_text=gettext_lazy(
            "A suggestion: whoever accepts may choose another, or join as who they are."
        ),
    )
    days = forms.TypedChoiceField(
        label=gettext_lazy("Works for"),
        choices=_INVITED_FOR,
        coerce=int,
        initial=invitations.LIFETIME.days,
        widget=UnfoldAdminSelectWidget,
    )

    class Meta:
        model = Invitation
        fields = ("email", "username", "role", "groups")

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        email, username = cleaned.get("email", ""), cleaned.get("username", "")
        if not (email or username) and not self.errors:
            raise ValidationError(_("Say who is meant: an e-mail address, a user name, or both."))
        # Accounts of other organisations are not asked about: the answer would give them away.
        known = Q(user__email__iexact=email) if email else Q(user__username=username)
        members_of = Membership.objects.filter(tenant=self.actor.tenant, is_active=True)
        if (email or username) and members_of.filter(known).exists():
            name = {"name": email or username}
            raise ValidationError(_("%(name)s is a member already.") % name)
        waiting = Invitation.objects.filter(
            accepted_at=None, revoked_at=None, expires_at__gt=timezone.now()
        )
        if email and waiting.filter(email__iexact=email).exists():
            raise ValidationError(
                _("%(name)s is invited already. Renew that invitation for a new link.")
                % {"name": email}
            )
        return cleaned

    def lifetime(self) -> timedelta:
        return timedelta(days=self.cleaned_data["days"])


class MemberForm(_GroupsForm):
    class Meta:
        model = Membership
        fields = ("role", "groups", "is_active")

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        stays_admin = cleaned.get("role") == Role.ADMIN and cleaned.get("is_active")
        if not stays_admin and not members.other_admins(self.instance).exists():
            raise ValidationError(_("An organisation needs an admin, and there is no other."))
        return cleaned


class UserForm(ActorForm):
    class Meta:
        model = User
        fields = ("first_name", "last_name", "email", "is_active")

    def clean_is_active(self) -> bool:
        is_active = bool(self.cleaned_data["is_active"])
        if not is_active and self.instance.pk == self.actor.user_id:
            raise ValidationError(_("You cannot lock yourself out."))
        return is_active


class NewKeyForm(ActorForm):
    scopes = forms.MultipleChoiceField(
        choices=[(scope, scope) for scope in keys.ALL_SCOPES],
        required=False,
        widget=UnfoldAdminCheckboxSelectMultipleWidget,
        help_text=gettext_lazy("None chosen: all that the member's role allows."),
    )
    lifetime = forms.TypedChoiceField(
        choices=_LIFETIMES, coerce=int, initial=90, widget=UnfoldAdminSelectWidget
    )

    class Meta:
        model = ApiKey
        fields = ("user", "name", "scopes")

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if user := cleaned.get("user"):
            self.member = self._member(user)
            refused = set(cleaned.get("scopes", ())) - set(keys.allowed_scopes(self.member))
            if refused:
                role, names = self.member.get_role_display(), ", ".join(sorted(refused))
                self.add_error(
                    "scopes",
                    _("Not allowed for a %(role)s: %(names)s.") % {"role": role, "names": names},
                )
        return cleaned

    def _member(self, user: User) -> Membership:
        member = Membership.objects.filter(
            tenant=self.actor.tenant, user=user, is_active=True, user__is_active=True
        ).first()
        if member is None:
            raise ValidationError({"user": _("A key needs an active member.")})
        return member

    def expires_at(self) -> datetime | None:
        days = self.cleaned_data["lifetime"]
        return timezone.now() + timedelta(days=days) if days else None
