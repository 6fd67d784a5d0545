"""Who: users, the tenants they belong to, and the keys they hand to scripts."""

from __future__ import annotations

import uuid

from django.contrib.auth.models import AbstractUser
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from memory.models.base import TenantEntity


class User(AbstractUser):
    """A person. What a user may do comes from a membership, never from the flags of this row."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)

    class Meta:
        verbose_name = _("account")
        verbose_name_plural = _("accounts")
        swappable = "AUTH_USER_MODEL"

    def __str__(self) -> str:
        return self.get_full_name() or self.username


class Tenant(models.Model):
    """An organisation."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=200)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("organisation")
        verbose_name_plural = _("organisations")
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name


class Role(models.TextChoices):
    READER = "reader", _("Reader")
    EDITOR = "editor", _("Editor")
    ADMIN = "admin", _("Admin")


class Membership(models.Model):
    """A user's place in a tenant. Read before the tenant is known, so it is not under row security."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tenant = models.ForeignKey(Tenant, on_delete=models.PROTECT, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.READER)
    groups = ArrayField(models.CharField(max_length=60), default=list, blank=True)
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("member")
        verbose_name_plural = _("members")
        ordering = ("tenant", "user")
        constraints = [
            models.UniqueConstraint(fields=("tenant", "user"), name="membership_once_per_tenant"),
            models.CheckConstraint(
                condition=models.Q(role__in=Role.values), name="membership_role_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} · {self.tenant} · {self.role}"

    @property
    def is_admin(self) -> bool:
        return self.role == Role.ADMIN

    @property
    def can_write(self) -> bool:
        return self.role in (Role.EDITOR, Role.ADMIN)


class ApiKey(TenantEntity):
    """A key for scripts. Only the digest of its secret is kept; the tenant id is in clear in the key."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=100, blank=True)
    digest = models.CharField(max_length=64)
    scopes = ArrayField(models.CharField(max_length=20), default=list)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("API key")
        verbose_name_plural = _("API keys")
        ordering = ("-created_at",)
        constraints = [
            models.UniqueConstraint(fields=("tenant", "id"), name="apikey_tenant_id"),
            models.UniqueConstraint(fields=("tenant", "digest"), name="apikey_digest_once"),
        ]

    def __str__(self) -> str:
        return self.name or f"key {str(self.id)[:8]}"
