"""Fields that take what they say and nothing that only looks like it: ``"0"`` is no number."""

from __future__ import annotations

import math
from typing import Any, Final

from django.core.validators import ProhibitNullCharactersValidator
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.validators import ProhibitSurrogateCharactersValidator

from memory.language.text import clean_text, is_blank, normalise_source
from memory.retain.wanted import MAX_KEY, MAX_METADATA, MAX_VALUE

# Absent and null are the same.
OPTIONAL: Final[dict[str, Any]] = {"required": False, "allow_null": True}
_REPAIRED = (ProhibitNullCharactersValidator, ProhibitSurrogateCharactersValidator)


class TextField(serializers.CharField):
    """Text in its stored form: without NUL, half a pair is U+FFFD. A number is not a text.

    ``line``: white space inside is one space, none is left outside.
    """

    def __init__(self, *, line: bool = False, **options: Any) -> None:
        super().__init__(trim_whitespace=False, **options)
        self.line = line
        self.validators = [one for one in self.validators if not isinstance(one, _REPAIRED)]

    def run_validation(self, data: Any = serializers.empty) -> Any:
        if isinstance(data, str):
            data = clean_text(data) if self.line else normalise_source(data)
            if data and not self.allow_blank and is_blank(data):
                self.fail("blank")
        return super().run_validation(data)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class WholeField(serializers.IntegerField):
    """A whole number; of PostgreSQL's size unless narrower."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("min_value", -(2**31))
        options.setdefault("max_value", 2**31 - 1)
        super().__init__(**options)

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("invalid")
        return super().to_internal_value(data)


class NumberField(serializers.FloatField):
    def to_internal_value(self, data: Any) -> float:
        if isinstance(data, bool) or not isinstance(data, int | float) or not _is_finite(data):
            self.fail("invalid")
        return float(data)


class FlagField(serializers.BooleanField):
    default_error_messages = {"invalid": "Must be true or false."}

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid")
        return data


class MetadataField(serializers.DictField):
    """Texts by name."""

    child = TextField(allow_blank=True, max_length=MAX_VALUE)

    default_error_messages = {
        "too_many": "At most {most} entries.",
        "long_name": "A name has 1 to {most} characters.",
    }

    def to_internal_value(self, data: Any) -> dict[str, str]:
        found = super().to_internal_value(data)
        if len(found) > MAX_METADATA:
            self.fail("too_many", most=MAX_METADATA)
        clean = {normalise_source(name): value for name, value in found.items()}
        if any(not 1 <= len(name) <= MAX_KEY for name in clean):
            self.fail("long_name", most=MAX_KEY)
        return clean


@extend_schema_field(OpenApiTypes.ANY)
class AnyField(serializers.JSONField):
    """JSON that is checked further in."""


@extend_schema_field({"type": "array", "items": {"type": "string"}})
class TagsField(serializers.ListField):
    """Tags, cleaned. ``memory.tags`` decides which are tags."""

    child = TextField(line=True, allow_blank=True)


def _is_finite(number: float) -> bool:
    try:
        return math.isfinite(number)
    except OverflowError:  # a whole number beyond what a float can hold
        return False
