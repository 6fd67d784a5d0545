from __future__ import annotations

from typing import Any

from rest_framework import serializers

from memory.api.fields import OPTIONAL, AnyField, FlagField, TagsField, TextField, WholeField
from memory.api.shapes.pages import PageSerializer
from memory.api.shapes.queries import TaggedQuery, WindowedQuery
from memory.api.shapes.recall import TYPES
from memory.hits import Budget
from memory.rest.strict import StrictQuery, StrictSerializer
from memory.tags import TagMatch

_MOST_QUERY = 4_000
DETAILS = ("metadata", "content", "full")


class TriggerSerializer(StrictSerializer):
    """When it is refreshed, and from what. The clock, ``delta`` and limits of parts have no effect here."""

    budget = serializers.ChoiceField([one.value for one in Budget], **OPTIONAL)
    mode = serializers.ChoiceField(["full", "delta"], **OPTIONAL)
    refresh_after_consolidation = FlagField(**OPTIONAL)
    refresh_cron = TextField(**OPTIONAL, allow_blank=True, max_length=100)
    full_refresh_cron = TextField(**OPTIONAL, allow_blank=True, max_length=100)
    min_refresh_interval_seconds = WholeField(**OPTIONAL, min_value=0)
    fact_types = serializers.ListField(child=serializers.ChoiceField(TYPES), **OPTIONAL)
    exclude_mental_models = FlagField(**OPTIONAL)
    exclude_mental_model_ids = serializers.ListField(child=TextField(), **OPTIONAL)
    tags_match = serializers.ChoiceField([mode.value for mode in TagMatch], **OPTIONAL)
    tag_groups = AnyField(**OPTIONAL)
    include_chunks = FlagField(**OPTIONAL)
    recall_max_tokens = WholeField(**OPTIONAL)
    recall_chunks_max_tokens = WholeField(**OPTIONAL)
    reflect_search_observations_max_tokens = WholeField(**OPTIONAL, min_value=1)
    reflect_search_observations_include_entities = FlagField(**OPTIONAL)
    response_schema = AnyField(**OPTIONAL)
    keep_trace = FlagField(**OPTIONAL)


class MentalModelChangeSerializer(StrictSerializer):
    """What is not sent, or null, stays as it is; of the trigger too."""

    name = TextField(line=True, max_length=300, **OPTIONAL)
    source_query = TextField(max_length=_MOST_QUERY, **OPTIONAL)
    tags = TagsField(**OPTIONAL)
    max_tokens = WholeField(**OPTIONAL, min_value=256, max_value=8192)
    trigger = TriggerSerializer(**OPTIONAL)


class NewMentalModelSerializer(MentalModelChangeSerializer):
    """Without ``id`` it gets one."""

    id = TextField(line=True, **OPTIONAL, max_length=200)
    name = TextField(line=True, max_length=300)
    source_query = TextField(max_length=_MOST_QUERY)


class RefreshSerializer(StrictSerializer):
    mode = serializers.ChoiceField(["full"], **OPTIONAL)


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


class MentalModelListSerializer(PageSerializer):
    items = MentalModelSerializer(many=True)


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
