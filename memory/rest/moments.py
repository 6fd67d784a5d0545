"""Times in bodies and addresses."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from typing import Any

from django.utils.dateparse import parse_date
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from memory.dates import parse_datetime
from memory.errors import InvalidTime

# In an address, a plus sign that was not escaped arrives as a space.
_PLUS = re.compile(r"(?<=:[0-9]{2}) (?=[0-9]{2}:?[0-9]{2}$)")


@extend_schema_field({"type": "string", "format": "date-time"})
class TimeField(serializers.Field):
    """ISO 8601; without a zone it is UTC, without a time midnight."""

    def to_internal_value(self, data: Any) -> datetime:
        try:
            return parse_datetime(_PLUS.sub("+", data) if isinstance(data, str) else data)
        except InvalidTime as error:
            raise serializers.ValidationError(str(error)) from None

    def to_representation(self, value: Any) -> str:
        return str(value)


class LastMomentField(TimeField):
    """The same for an end that is inside: a date without a time means all of its day."""

    def to_internal_value(self, data: Any) -> datetime:
        moment = super().to_internal_value(data)
        is_day = isinstance(data, str) and parse_date(data.strip()) is not None
        return moment + timedelta(days=1, microseconds=-1) if is_day else moment


@extend_schema_field(OpenApiTypes.STR)
class MomentField(TimeField):
    """The same, said in fewer words where it is wrong. ``ends_day``: a date means all of its day."""

    default_error_messages = {"invalid": "A date, as in 2026-11-03, or a date with a time."}

    def __init__(self, *, ends_day: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.ends_day = ends_day

    def to_internal_value(self, data: Any) -> datetime:
        try:
            moment = super().to_internal_value(data)
        except serializers.ValidationError:
            self.fail("invalid")
        day = parse_date(data.strip()) if self.ends_day else None
        return moment if day in (None, date.max) else moment + timedelta(days=1)
