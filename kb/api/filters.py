"""What may stand in the query of an address. An unknown or doubled name is refused: a filter that is
misspelt would otherwise show too much."""

from __future__ import annotations

import math
from typing import Any

from rest_framework import serializers

from kb.exporting import ExportFormat
from kb.history import HistoryFilter
from kb.models import Category, Status
from memory.models import Membership
from memory.rest.moments import MomentField
from memory.rest.strict import StrictQuery
from memory.types import AnswerKind


class PageQuery(StrictQuery):
    page = serializers.IntegerField(required=False, min_value=1, help_text="50 a page.")


class DocListQuery(PageQuery):
    q = serializers.CharField(
        required=False, max_length=300, help_text="Words of the title or the slug."
    )
    status = serializers.ChoiceField(Status.choices, required=False)
    language = serializers.CharField(required=False, max_length=12)
    category = serializers.ChoiceField(Category.choices, required=False)


class ScoreField(serializers.FloatField):
    """0 to 1. Not a number is no score: it is neither above a floor nor below it."""

    def to_internal_value(self, data: Any) -> float:
        value = super().to_internal_value(data)
        if not math.isfinite(value):
            self.fail("invalid")
        return value


class SearchQuery(PageQuery):
    q = serializers.CharField(allow_blank=True, max_length=300, help_text="What to look for.")
    status = serializers.ChoiceField(
        [Status.DRAFT.value, Status.PUBLISHED.value],
        required=False,
        help_text="Drafts that were never published are found by editors.",
    )
    language = serializers.CharField(required=False, max_length=12)
    category = serializers.ChoiceField(Category.choices, required=False)
    limit = serializers.IntegerField(
        required=False, min_value=1, max_value=50, help_text="Results a page; 10 unless given."
    )
    min_score = ScoreField(
        required=False,
        min_value=0,
        max_value=1,
        help_text="In place of the reranker's own floor; 0 switches it off.",
    )

    def get_fields(self) -> dict[str, serializers.Field]:
        fields = super().get_fields()
        fields["page"].help_text = "`limit` results a page."
        return fields


class HistoryQuery(PageQuery):
    """``from`` and ``to`` bound the time of asking. ``user`` is for admins, who see everybody's."""

    kind = serializers.ChoiceField([kind.value for kind in AnswerKind], required=False)
    doc_id = serializers.UUIDField(required=False)
    user = serializers.CharField(
        required=False, max_length=150, help_text="A username. For admins."
    )
    q = serializers.CharField(
        required=False,
        max_length=300,
        help_text="A trace id, a question id, or words that all stand in the question.",
    )

    def get_fields(self) -> dict[str, serializers.Field]:
        # ``from`` is no name that Python lets a class use.
        return super().get_fields() | {
            "from": MomentField(
                required=False, help_text="A date (from its start, UTC) or a date-time; included."
            ),
            "to": MomentField(
                required=False,
                ends_day=True,
                help_text="A date (to its end, UTC), or a date-time; that moment is excluded.",
            ),
        }

    def validate_user(self, value: str) -> str:
        member: Membership = self.context["member"]
        if not member.is_admin and value != member.user.username:
            raise serializers.ValidationError("Only admins see the questions of others.")
        return value

    def history_filter(self) -> HistoryFilter:
        given = self.validated_data
        return HistoryFilter(
            kind=given.get("kind", ""),
            doc_id=given.get("doc_id"),
            username=given.get("user", ""),
            since=given.get("from"),
            until=given.get("to"),
            query=given.get("q", ""),
        )


class ExportQuery(HistoryQuery):
    format = serializers.ChoiceField(
        [one.value for one in ExportFormat], default=ExportFormat.CSV.value
    )

    def get_fields(self) -> dict[str, serializers.Field]:
        fields = super().get_fields()
        del fields["page"]
        return fields
