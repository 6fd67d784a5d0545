from __future__ import annotations

from typing import Any

from django.conf import settings as shipped

from config import checks


def test_shipped_limits_are_ordered_and_seams_import() -> None:
    assert checks.limits_are_ordered() == []
    assert checks.seams_can_be_imported() == []


def test_task_that_outlives_the_visibility_timeout_is_an_error(settings: Any) -> None:
    settings.CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 200}
    assert [problem.id for problem in checks.limits_are_ordered()] == ["footnote.E001"]


def test_seam_that_cannot_be_imported_is_named(settings: Any) -> None:
    settings.FOOTNOTE = shipped.FOOTNOTE | {"ENCODER": "nowhere.Encoder"}
    (problem,) = checks.seams_can_be_imported()
    assert problem.id == "footnote.E002"
    assert "FOOTNOTE['ENCODER'] is 'nowhere.Encoder'" in problem.msg
