from __future__ import annotations

from django.apps import AppConfig


class FootnoteConfig(AppConfig):
    name = "config"
    label = "footnote"
    verbose_name = "Footnote"

    def ready(self) -> None:
        # Checks register themselves; shared tasks need the application before one is called.
        from config import celery, checks  # noqa: F401
