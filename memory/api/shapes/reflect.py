from __future__ import annotations

from typing import Any

from rest_framework import serializers

from memory.api.fields import OPTIONAL, AnyField, FlagField, TextField, WholeField
from memory.api.shapes.recall import TYPES, TagScopeSerializer
from memory.api.shapes.retain import UsageSerializer
from memory.hits import Budget
from memory.reflecting.records import NoAnswer
from memory.rest.strict import StrictSerializer

REASONS = [one.value for one in NoAnswer]


class ToolCallOptionsSerializer(StrictSerializer):
    output = FlagField(default=True)


class ReflectIncludeSerializer(StrictSerializer):
    facts = serializers.DictField(
        **OPTIONAL, help_text="Has no options: that it is there is enough."
    )
    tool_calls = ToolCallOptionsSerializer(**OPTIONAL)


class ReflectSerializer(TagScopeSerializer):
    """``response_schema`` needs a language model; how much of each search it sees is not set here."""

    query = TextField()
    budget = serializers.ChoiceField([one.value for one in Budget], **OPTIONAL)
    context = TextField(**OPTIONAL, allow_blank=True, max_length=50_000)  # type: ignore[assignment]
    max_tokens = WholeField(**OPTIONAL, min_value=1)
    include = ReflectIncludeSerializer(**OPTIONAL)
    response_schema = AnyField(**OPTIONAL)
    apply_all_directives = FlagField(**OPTIONAL)
    fact_types = serializers.ListField(child=serializers.ChoiceField(TYPES), **OPTIONAL)
    exclude_mental_models = FlagField(**OPTIONAL)
    exclude_mental_model_ids = serializers.ListField(child=TextField(), **OPTIONAL)
    reflect_search_observations_max_tokens = WholeField(**OPTIONAL, min_value=1)
    reflect_search_observations_include_entities = FlagField(**OPTIONAL)


class ReflectFactSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    text = serializers.CharField()
    type = serializers.ChoiceField(TYPES)
    context = serializers.CharField(allow_null=True)  # type: ignore[assignment]
    occurred_start = serializers.DateTimeField(allow_null=True)
    occurred_end = serializers.DateTimeField(allow_null=True)
    mentioned_at = serializers.DateTimeField(allow_null=True)
    document_id = serializers.CharField(allow_null=True)
    chunk_id = serializers.CharField(allow_null=True)
    tags = serializers.ListField(child=serializers.CharField())
    metadata = serializers.DictField(child=serializers.CharField(), allow_null=True)
    speaker = serializers.CharField(allow_null=True)
    heading_path = serializers.ListField(child=serializers.CharField())


class ReflectModelSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    text = serializers.CharField()
    context = serializers.CharField(allow_null=True)  # type: ignore[assignment]


class ReflectDirectiveSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()
    content = serializers.CharField()


class BasedOnSerializer(serializers.Serializer[Any]):
    memories = ReflectFactSerializer(many=True)
    mental_models = ReflectModelSerializer(many=True)
    directives = ReflectDirectiveSerializer(many=True)


class ToolCallSerializer(serializers.Serializer[Any]):
    tool = serializers.CharField()
    input = serializers.DictField()
    output = serializers.DictField(allow_null=True)
    duration_ms = serializers.IntegerField()
    iteration = serializers.IntegerField()


class ModelCallSerializer(serializers.Serializer[Any]):
    scope = serializers.CharField()
    duration_ms = serializers.IntegerField()


class ReflectTraceSerializer(serializers.Serializer[Any]):
    tool_calls = ToolCallSerializer(many=True)
    llm_calls = ModelCallSerializer(many=True)


class ReflectReplySerializer(serializers.Serializer[Any]):
    """``text`` is the answer, or says why there is none. From ``abstained`` on it is ours."""

    text = serializers.CharField()
    based_on = BasedOnSerializer(allow_null=True)
    structured_output = serializers.DictField(allow_null=True)
    structured_output_error = serializers.CharField(allow_null=True)
    usage = UsageSerializer()
    trace = ReflectTraceSerializer(allow_null=True)
    abstained = serializers.BooleanField()
    reason = serializers.ChoiceField(REASONS, allow_null=True)
    confidence = serializers.FloatField(allow_null=True)
    left_out = serializers.IntegerField(help_text="Sentences that could not be verified.")
    missing = serializers.ListField(
        child=serializers.CharField(),
        help_text="What the answer does not tell, in the question's own words.",
    )
    model = serializers.CharField(allow_null=True)
    degraded = serializers.ListField(child=serializers.CharField())
    message = serializers.CharField(allow_null=True)
