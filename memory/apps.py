from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class MemoryConfig(AppConfig):
    name = "memory"
    verbose_name = _("Organisation")  # what of it the administration shows
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from memory import audit_kinds, checks, grants, tenancy, vector_indexes  # noqa: F401  (they register themselves)

        grants.connect(self)
        vector_indexes.connect(self)
        tenancy.connect()
