from __future__ import annotations

from django.apps import AppConfig


class MemoryConfig(AppConfig):
    name = "memory"
    verbose_name = "Organisation"  # what of it the administration shows
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from memory import audit_kinds, checks, grants, tenancy  # noqa: F401  (they register themselves)

        grants.connect(self)
        tenancy.connect()
