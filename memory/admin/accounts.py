"""The organisation, its members, and the people behind them.

All three tables are read before a tenant is known and so are not under row security: every query
here is narrowed to the request's tenant.
"""

from __future__ import annotations

import secrets
from typing import Any

from django.contrib import admin, messages
from django.db.models import Exists, Model, OuterRef, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.contrib.filters.admin import BooleanRadioFilter, ChoicesCheckboxFilter
from unfold.decorators import display

from memory import members, people_audit
from memory.admin.base import TenantModelAdmin, actor, moment, tenant
from memory.admin.forms import MemberForm, NewMemberForm, UserForm
from memory.admin_site import site
from memory.models import Membership, Role, Tenant, User

ROLE_COLOURS = {Role.ADMIN: "primary", Role.EDITOR: "info", Role.READER: ""}


@admin.register(Tenant, site=site)
class TenantAdmin(TenantModelAdmin):
    """There is one to see: one's own."""

    can_change = True
    fields = ("name", "slug", "created_at")
    readonly_fields = ("slug", "created_at")
    search_fields = ("name",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Tenant]:
        return Tenant.objects.filter(pk=tenant(request).pk)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        before = people_audit.tenant_state(Tenant.objects.get(pk=obj.pk))
        super().save_model(request, obj, form, change)
        people_audit.tenant_changed(actor(request), obj, before)

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return redirect(f"{self.admin_site.name}:memory_tenant_change", tenant(request).pk)


@admin.register(Membership, site=site)
class MembershipAdmin(TenantModelAdmin):
    """Members leave by becoming inactive: what they wrote and asked keeps its author."""

    can_add = True
    can_change = True
    list_display = ("person", "role_badge", "group_names", "is_active", "last_seen", "joined")
    list_filter = (("role", ChoicesCheckboxFilter), ("is_active", BooleanRadioFilter))
    search_fields = ("user__username", "user__first_name", "user__last_name", "user__email")
    ordering = ("user__username",)
    readonly_fields = ("user", "created_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Membership]:
        members_of = Membership.objects.filter(tenant=tenant(request))
        return members_of.select_related("user", "tenant").order_by("user__username")

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> tuple[str, ...]:
        if obj is None:
            return ("username", "role", "groups")
        return ("user", "role", "groups", "is_active", "created_at")

    def get_form(
        self, request: HttpRequest, obj: Model | None = None, change: bool = False, **kwargs: Any
    ) -> type[ModelForm]:
        # Django would look for "username" among the model's fields; the form declares it.
        kwargs["fields"] = None
        kwargs["form"] = NewMemberForm if obj is None else MemberForm
        form: Any = super().get_form(request, obj, change=change, **kwargs)
        form.actor = actor(request)
        return form

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        if change:
            members.change(
                actor(request), obj, role=obj.role, groups=obj.groups, is_active=obj.is_active
            )
            return
        username = form.cleaned_data["username"]
        is_new = not User.objects.filter(username=username).exists()
        password = secrets.token_urlsafe(12) if is_new else ""
        added = members.add(
            tenant(request),
            username,
            obj.role,
            groups=obj.groups,
            password=password,
            actor=actor(request),
        )
        obj.pk, obj.user, obj.tenant = added.pk, added.user, added.tenant
        if is_new:
            messages.warning(
                request,
                _("The first password of %(name)s is shown only now: %(password)s")
                % {"name": username, "password": password},
            )

    @display(description=gettext_lazy("Member"), header=True, ordering="user__username")
    def person(self, member: Membership) -> tuple[str, str, str]:
        name = str(member.user)
        under = member.user.email or member.user.username
        return name, under if under != name else "", name[:1]

    @display(description=gettext_lazy("Role"), label=ROLE_COLOURS, ordering="role")
    def role_badge(self, member: Membership) -> tuple[str, str]:
        return member.role, member.get_role_display()

    @display(description=gettext_lazy("Groups"))
    def group_names(self, member: Membership) -> str:
        return ", ".join(member.groups)

    @display(description=gettext_lazy("Last signed in"), ordering="user__last_login")
    def last_seen(self, member: Membership) -> str:
        return moment(member.user.last_login)

    @display(description=gettext_lazy("Member since"), ordering="created_at")
    def joined(self, member: Membership) -> str:
        return moment(member.created_at)


@admin.register(User, site=site)
class UserAdmin(TenantModelAdmin):
    """Names and addresses. Somebody who also belongs elsewhere is not one organisation's to change."""

    can_change = True
    form = UserForm
    list_display = ("username", "full_name", "email", "is_active", "last_seen")
    list_filter = (("is_active", BooleanRadioFilter),)
    search_fields = ("username", "first_name", "last_name", "email")
    ordering = ("username",)
    fields = (
        "username",
        "first_name",
        "last_name",
        "email",
        "is_active",
        "last_login",
        "date_joined",
    )
    readonly_fields = ("username", "last_login", "date_joined")

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        own = tenant(request)
        elsewhere = Membership.objects.filter(user=OuterRef("pk")).exclude(tenant=own)
        return (
            User.objects.filter(memberships__tenant=own)
            .annotate(belongs_elsewhere=Exists(elsewhere))
            .order_by("username")
        )

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        allowed = super().has_change_permission(request, obj)
        return allowed and (obj is None or getattr(obj, "belongs_elsewhere", True) is False)

    def get_form(
        self, request: HttpRequest, obj: Model | None = None, change: bool = False, **kwargs: Any
    ) -> type[ModelForm]:
        form: Any = super().get_form(request, obj, change=change, **kwargs)
        form.actor = actor(request)
        return form

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        members.change_account(actor(request), obj, form.changed_data)

    @display(description=gettext_lazy("Name"), ordering="first_name")
    def full_name(self, user: User) -> str:
        return user.get_full_name()

    @display(description=gettext_lazy("Last signed in"), ordering="last_login")
    def last_seen(self, user: User) -> str:
        return moment(user.last_login)
