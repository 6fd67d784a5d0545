from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class KbConfig(AppConfig):
    name = "kb"
    verbose_name = _("Knowledge base")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from kb import audit_kinds  # noqa: F401  (registers the kinds)
