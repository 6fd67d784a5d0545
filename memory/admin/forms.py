"""Forms of the administration. ``actor`` is set by the admin class: the admin who acts."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, ClassVar

from django import forms
from django.contrib.postgres.forms import SimpleArrayField
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
)

from memory import keys, members
from memory.models import ApiKey, Membership, Role, User
from memory.text import clean_text

_LIFETIMES = (
    (30, gettext_lazy("30 days")),
    (90, gettext_lazy("90 days")),
    (365, gettext_lazy("one year")),
    (0, gettext_lazy("no end")),
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


class NewMemberForm(_GroupsForm):
    username = forms.CharField(
        max_length=150,
        validators=[User.username_validator],
        widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "off"}),
        help_text=gettext_lazy("Of somebody who has an account, or of a new one to be made."),
    )

    class Meta:
        model = Membership
        fields = ("role", "groups")

    def clean_username(self) -> str:
        username = User.normalize_username(self.cleaned_data["username"])
        if Membership.objects.filter(tenant=self.actor.tenant, user__username=username).exists():
            raise ValidationError(_("%(name)s is a member already.") % {"name": username})
        return username


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
