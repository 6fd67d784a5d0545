from __future__ import annotations

from django.apps import AppConfig


class FootnoteConfig(AppConfig):
    name = "config"
    label = "footnote"
    verbose_name = "Footnote"

    def ready(self) -> None:
        from config import checks  # noqa: F401  (checks register themselves)
