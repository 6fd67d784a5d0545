"""Ways in for people who are not members yet."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from memory.models.accounts import Role
from memory.models.base import TenantEntity


class Invitation(TenantEntity):
    """Whoever has the link joins, once. Only the digest of its secret is kept.

    ``email`` and ``username`` say who is meant, and are emptied when the invitation is accepted:
    from then on the account says it.
    """

    email = models.EmailField(_("e-mail address"), blank=True)
    username = models.CharField(_("user name"), max_length=150, blank=True)
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.READER)
    groups = ArrayField(models.CharField(max_length=60), default=list, blank=True)
    digest = models.CharField(max_length=64)
    created_by = models.ForeignKey("memory.User", on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    accepted_at = models.DateTimeField(null=True, blank=True)
    accepted_by = models.ForeignKey(
        "memory.User", on_delete=models.PROTECT, related_name="+", null=True, blank=True
    )

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        ordering = ("-created_at",)
        constraints = [
            models.UniqueConstraint(fields=("tenant", "id"), name="invitation_tenant_id"),
            models.UniqueConstraint(fields=("tenant", "digest"), name="invitation_digest_once"),
            models.CheckConstraint(
                condition=models.Q(role__in=Role.values), name="invitation_role_known"
            ),
            models.CheckConstraint(
                condition=models.Q(accepted_at=None, accepted_by=None)
                | models.Q(accepted_at__isnull=False, accepted_by__isnull=False),
                name="invitation_accepted_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return self.email or self.username or str(self.id)
