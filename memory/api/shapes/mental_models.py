from __future__ import annotations

from typing import Any

from rest_framework import serializers

from memory.api.fields import AnyField, FlagField, TagsField, TextField, WholeField
from memory.api.shapes.queries import TaggedQuery, WindowedQuery
from memory.api.shapes.recall import TYPES
from memory.hits import Budget
from memory.rest.strict import StrictQuery, StrictSerializer
from memory.tags import TagMatch

_MOST_QUERY = 4_000
DETAILS = ("metadata", "content", "full")


class TriggerSerializer(StrictSerializer):
    """When it is refreshed, and from what. The clock, ``delta`` and limits of parts have no effect here."""

    budget = serializers.ChoiceField([one.value for one in Budget], required=False, allow_null=True)
    mode = serializers.ChoiceField(["full", "delta"], required=False, allow_null=True)
    refresh_after_consolidation = FlagField(required=False, allow_null=True)
    refresh_cron = TextField(required=False, allow_null=True, allow_blank=True, max_length=100)
    full_refresh_cron = TextField(required=False, allow_null=True, allow_blank=True, max_length=100)
    min_refresh_interval_seconds = WholeField(required=False, allow_null=True, min_value=0)
    fact_types = serializers.ListField(
        child=serializers.ChoiceField(TYPES), required=False, allow_null=True
    )
    exclude_mental_models = FlagField(required=False, allow_null=True)
    exclude_mental_model_ids = serializers.ListField(
        child=TextField(), required=False, allow_null=True
    )
    tags_match = serializers.ChoiceField(
        [mode.value for mode in TagMatch], required=False, allow_null=True
    )
    tag_groups = AnyField(required=False, allow_null=True)
    include_chunks = FlagField(required=False, allow_null=True)
    recall_max_tokens = WholeField(required=False, allow_null=True)
    recall_chunks_max_tokens = WholeField(required=False, allow_null=True)
    reflect_search_observations_max_tokens = WholeField(
        required=False, allow_null=True, min_value=1
    )
    reflect_search_observations_include_entities = FlagField(required=False, allow_null=True)
    response_schema = AnyField(required=False, allow_null=True)
    keep_trace = FlagField(required=False, allow_null=True)


class NewMentalModelSerializer(StrictSerializer):
    id = TextField(line=True, required=False, allow_null=True, max_length=200)
    name = TextField(line=True, max_length=300)
    source_query = TextField(max_length=_MOST_QUERY)
    tags = TagsField(required=False, allow_null=True)
    max_tokens = WholeField(required=False, allow_null=True, min_value=256, max_value=8192)
    trigger = TriggerSerializer(required=False, allow_null=True)


class MentalModelChangeSerializer(StrictSerializer):
    """What is not sent, or null, stays as it is; of the trigger too."""

    name = TextField(line=True, max_length=300, required=False, allow_null=True)
    source_query = TextField(max_length=_MOST_QUERY, required=False, allow_null=True)
    tags = TagsField(required=False, allow_null=True)
    max_tokens = WholeField(required=False, allow_null=True, min_value=256, max_value=8192)
    trigger = TriggerSerializer(required=False, allow_null=True)


class RefreshSerializer(StrictSerializer):
    mode = serializers.ChoiceField(["full"], required=False, allow_null=True)


class DetailQuery(StrictQuery):
    detail = serializers.ChoiceField(DETAILS, default="full")


class MentalModelListQuery(TaggedQuery, WindowedQuery):
    detail = serializers.ChoiceField(DETAILS, default="metadata")
    exclude_knowledge_pages = serializers.BooleanField(
        default=False, help_text="Without effect: there are none."
    )


class MentalModelSerializer(serializers.Serializer[Any]):
    """What ``detail`` leaves out is null. ``is_stale``: memories that it rests on have changed."""

    id = serializers.CharField()
    bank_id = serializers.CharField()
    name = serializers.CharField()
    source_query = serializers.CharField(allow_null=True)
    content = serializers.CharField(allow_null=True)
    tags = serializers.ListField(child=serializers.CharField())
    max_tokens = serializers.IntegerField(allow_null=True)
    trigger = TriggerSerializer(allow_null=True)
    last_refreshed_at = serializers.DateTimeField(allow_null=True)
    last_memory_seen_at = serializers.DateTimeField(allow_null=True)
    last_refresh_failed_at = serializers.DateTimeField(allow_null=True)
    last_full_refreshed_at = serializers.DateTimeField(allow_null=True)
    created_at = serializers.DateTimeField()
    is_knowledge_page = serializers.BooleanField()
    reflect_response = serializers.DictField(allow_null=True)
    is_stale = serializers.BooleanField()


class MentalModelListSerializer(serializers.Serializer[Any]):
    items = MentalModelSerializer(many=True)
    total = serializers.IntegerField()
    limit = serializers.IntegerField()
    offset = serializers.IntegerField()


class MentalModelCreatedSerializer(serializers.Serializer[Any]):
    mental_model_id = serializers.CharField()
    operation_id = serializers.CharField()


class SubmittedSerializer(serializers.Serializer[Any]):
    operation_id = serializers.CharField()
    status = serializers.CharField()


class FormerAnswerSerializer(serializers.Serializer[Any]):
    content = serializers.CharField()
    refreshed_at = serializers.DateTimeField()


class MentalModelHistorySerializer(serializers.Serializer[Any]):
    mental_model_id = serializers.CharField()
    history = FormerAnswerSerializer(many=True)
