"""Bodies and queries that refuse what they do not know. A misspelt filter would be no filter."""

from __future__ import annotations

from typing import Any

from django.http import QueryDict
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
