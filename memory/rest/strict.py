"""Bodies and queries that refuse what they do not know. A misspelt filter would be no filter."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.http import QueryDict
from django.utils.dateparse import parse_date, parse_datetime
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers


class StrictSerializer(serializers.Serializer[Any]):
    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict) and (unknown := sorted(set(data) - set(self.fields))):
            raise serializers.ValidationError(
                {name: ["This field is not known."] for name in unknown}
            )
        return super().to_internal_value(data)


class StrictQuery(StrictSerializer):
    """Blank is not given, so that a form may send all of its fields. ``several``: may be repeated."""

    several: frozenset[str] = frozenset()

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, QueryDict):
            doubled = [
                name
                for name, values in data.lists()
                if len(values) > 1 and name not in self.several
            ]
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
