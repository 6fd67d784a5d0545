"""What may stand in the query of an address. An unknown or doubled name is refused: a filter that is
misspelt would otherwise show too much."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.http import QueryDict
from django.utils.dateparse import parse_date, parse_datetime
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from kb.api.serializers import StrictSerializer
from kb.exporting import ExportFormat
from kb.history import HistoryFilter
from kb.models import Category, Status
from memory.models import Membership
from memory.types import AnswerKind


class StrictQuery(StrictSerializer):
    """Blank is not given, so that a form may send all of its fields."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, QueryDict):
            doubled = [name for name, values in data.lists() if len(values) > 1]
            if doubled:
                raise serializers.ValidationError(
                    {name: ["Given more than once."] for name in doubled}
                )
        return super().to_internal_value(data)


@extend_schema_field(OpenApiTypes.STR)
class MomentField(serializers.Field):
    """``2026-11-03`` (UTC) or ``2026-11-03T10:00+02:00``. ``ends_day``: a date means all of its day."""

    default_error_messages = {"invalid": "A date, as in 2026-11-03, or a date with a time."}

    def __init__(self, *, ends_day: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.ends_day = ends_day

    def to_internal_value(self, data: Any) -> datetime:
        given = str(data)
        try:
            if (day := parse_date(given)) is not None:
                if self.ends_day and day < date.max:
                    day += timedelta(days=1)
                return datetime.combine(day, time.min, UTC)
            # In an address, a plus sign that was not escaped arrives as a space.
            moment = parse_datetime(given) or parse_datetime(given.replace(" ", "+"))
        except ValueError:
            moment = None
        if moment is None:
            self.fail("invalid")
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)

    def to_representation(self, value: Any) -> str:
        return str(value)


class PageQuery(StrictQuery):
    page = serializers.IntegerField(required=False, min_value=1, help_text="50 a page.")


class DocListQuery(PageQuery):
    q = serializers.CharField(
        required=False, max_length=300, help_text="Words of the title or the slug."
    )
    status = serializers.ChoiceField(Status.choices, required=False)
    language = serializers.CharField(required=False, max_length=12)
    category = serializers.ChoiceField(Category.choices, required=False)


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
