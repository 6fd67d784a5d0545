"""The organisation, its members, and the people behind them.

All three tables are read before a tenant is known and so are not under row security: every query
here is narrowed to the request's tenant.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.db.models import Exists, Model, OuterRef, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST
from unfold.contrib.filters.admin import BooleanRadioFilter, ChoicesCheckboxFilter
from unfold.decorators import display

from memory.admin.base import TenantModelAdmin, actor, moment, tenant
from memory.admin.forms import MemberForm, UserForm
from memory.admin_site import site
from memory.models import Membership, Role, Tenant, User
from memory.people import members, passwords, people_audit
from memory.people.passwords import BelongsElsewhere

_ONCE = '<code class="fn-once">{}</code>'
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
        return self.to_row(tenant(request).pk)


@admin.register(Membership, site=site)
class MembershipAdmin(TenantModelAdmin):
    """Members join by invitation, and leave by becoming inactive: what they wrote keeps its author."""

    can_add = True
    can_change = True
    change_form_template = "admin/member.html"
    list_display = ("person", "role_badge", "group_names", "is_active", "last_seen", "joined")
    list_filter = (("role", ChoicesCheckboxFilter), ("is_active", BooleanRadioFilter))
    search_fields = ("user__username", "user__first_name", "user__last_name", "user__email")
    ordering = ("user__username",)
    readonly_fields = ("user", "created_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Membership]:
        members_of = Membership.objects.filter(tenant=tenant(request))
        return members_of.select_related("user", "tenant").order_by("user__username")

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> tuple[str, ...]:
        return ("user", "role", "groups", "is_active", "created_at")

    def get_form(
        self, request: HttpRequest, obj: Model | None = None, change: bool = False, **kwargs: Any
    ) -> type[ModelForm]:
        kwargs["form"] = MemberForm
        form: Any = super().get_form(request, obj, change=change, **kwargs)
        form.actor = actor(request)
        return form

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        members.change(
            actor(request), obj, role=obj.role, groups=obj.groups, is_active=obj.is_active
        )

    def facts(self, request: HttpRequest, obj: Any) -> dict[str, Any]:
        return {"show_save_and_add_another": False}

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return redirect(f"{self.admin_site.name}:memory_invitation_add")

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(require_POST(self._password_link_view))
        address = "<uuid:object_id>/password-link/"
        return [path(address, view, name="memory_membership_password"), *super().get_urls()]

    def _password_link_view(self, request: HttpRequest, object_id: UUID) -> HttpResponse:
        active = self.get_queryset(request).filter(is_active=True, user__is_active=True)
        member = get_object_or_404(active, pk=object_id)
        try:
            who, token = passwords.make_link(actor(request), member)
        except BelongsElsewhere:
            messages.error(
                request,
                _("This account also belongs elsewhere: its password is its owner's alone to set."),
            )
        else:
            link = request.build_absolute_uri(reverse("password-new", args=[who, token]))
            said = _(
                "Hand this link over yourself. It works once, for a day, and is shown only now: {}"
            )
            messages.warning(request, format_html(said, format_html(_ONCE, link)))
        return self.to_row(object_id)

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
