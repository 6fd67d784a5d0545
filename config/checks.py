"""System checks of settings that only make sense together."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.utils.module_loading import import_string

SEAMS = ("ENCODER", "RERANKER", "GENERATOR")


@register
def limits_are_ordered(**_: Any) -> list[CheckMessage]:
    soft, hard = settings.CELERY_TASK_SOFT_TIME_LIMIT, settings.CELERY_TASK_TIME_LIMIT
    visible: Any = settings.CELERY_BROKER_TRANSPORT_OPTIONS["visibility_timeout"]
    if soft < hard < visible:
        return []
    return [
        Error(
            f"Task limits are out of order: soft {soft}, hard {hard}, visibility {visible}.",
            hint="A task that outlives the visibility timeout is handed to a second worker.",
            id="footnote.E001",
        )
    ]


@register
def seams_can_be_imported(**_: Any) -> list[CheckMessage]:
    paths = {name: settings.FOOTNOTE[name] for name in SEAMS}
    paths |= {f"JUDGES[{n}]": path for n, path in enumerate(settings.FOOTNOTE["JUDGES"])}
    problems: list[CheckMessage] = []
    for name, path in paths.items():
        try:
            import_string(path)
        except ImportError as error:
            problems.append(Error(f"FOOTNOTE['{name}'] is {path!r}: {error}", id="footnote.E002"))
    return problems
