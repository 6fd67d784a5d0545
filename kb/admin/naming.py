"""Names for the ids that the history keeps: a page of it costs two queries, however long it is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest
from unfold.views import ChangeList

from kb.models import AskedQuestion, BaseQuestion, Doc, QaQuestion
from memory.models import User


class NamedQuestions(ChangeList):
    """A page of the list, each question with its ``page`` and ``person`` (None where gone)."""

    result_list: Any

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        self.result_list = name(self.result_list)


def name(questions: Iterable[QaQuestion | BaseQuestion | AskedQuestion]) -> list[Any]:
    listed: list[Any] = list(questions)
    docs = Doc.objects.filter(pk__in={one.doc_id for one in listed if one.doc_id})
    pages = docs.only("pk", "title", "slug", "deleted_at").in_bulk()
    # Everybody who asked in this tenant; a former member keeps their name here.
    people = User.objects.in_bulk({one.asked_by for one in listed})
    for one in listed:
        one.page = pages.get(one.doc_id) if one.doc_id else None
        one.person = people.get(one.asked_by)
    return listed
