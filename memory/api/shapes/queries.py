"""Parts of queries that several lists share."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from memory.api.fields import TextField
from memory.rest.strict import StrictQuery
from memory.tags import TagMatch

MOST = 10_000


class WindowedQuery(StrictQuery):
    """``limit`` at most, after ``offset`` have been left out."""

    limit = serializers.IntegerField(default=100, min_value=0, max_value=MOST)
    offset = serializers.IntegerField(default=0, min_value=0, max_value=2**31 - 1)


class TaggedQuery(StrictQuery):
    several = frozenset({"tags"})

    tags = serializers.ListField(
        child=TextField(line=True, allow_blank=True), required=False, help_text="May be repeated."
    )
    tags_match = serializers.ChoiceField(
        [mode.value for mode in TagMatch], default=TagMatch.ANY.value
    )


@extend_schema_field(OpenApiTypes.STR)
class GroupsField(serializers.JSONField):
    def to_internal_value(self, data: Any) -> Any:
        try:
            return super().to_internal_value(data)
        except RecursionError:
            self.fail("invalid")


class GroupedQuery(TaggedQuery):
    tag_groups = GroupsField(
        required=False, help_text="Tag groups as JSON text. Not together with tags."
    )
