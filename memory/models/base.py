"""What every tenant's table has in common."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar

from django.db import models


class TenantModel(models.Model):
    """A row that belongs to one tenant and is under row security.

    ORM foreign keys between such tables carry no database constraint of their own: a migration
    adds the composite one, ``(tenant_id, x_id) -> (tenant_id, id)``, so that a row can never point
    into another tenant (``memory.schema``). ``append_only`` tables lose UPDATE, DELETE and TRUNCATE
    by grants (``memory.grants``).
    """

    append_only: ClassVar[bool] = False

    tenant = models.ForeignKey(
        "memory.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False
    )

    class Meta:
        abstract = True


class TenantEntity(TenantModel):
    """A tenant's row with a UUID of its own."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)

    class Meta:
        abstract = True


def ref(to: str, **options: Any) -> models.ForeignKey[Any, Any]:
    """A foreign key inside one tenant. Its constraint is composite and written in SQL."""
    options.setdefault("on_delete", models.DO_NOTHING)
    options.setdefault("related_name", "+")
    return models.ForeignKey(to, db_constraint=False, **options)
