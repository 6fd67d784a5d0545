from __future__ import annotations

from typing import Any

from rest_framework import serializers

from memory.api.fields import OPTIONAL, FlagField, TextField
from memory.api.shapes.pages import PageSerializer
from memory.api.shapes.queries import TaggedQuery, WindowedQuery
from memory.api.shapes.recall import TYPES
from memory.browsing.memories import ConsolidationState, State
from memory.browsing.memories import TimeField as TimeAxis
from memory.rest.moments import TimeField
from memory.rest.strict import StrictQuery, StrictSerializer

STATES = [one.value for one in State]
_MOST_ENTITIES = 100
_CHANGES = (
    "text",
    "context",
    "occurred_start",
    "occurred_end",
    "mentioned_at",
    "fact_type",
    "entities",
    "state",
)


class MemoryListQuery(TaggedQuery, WindowedQuery):
    """A memory that has no value for ``time_field`` is left out of a list that is bounded by it."""

    type = serializers.ChoiceField(TYPES, required=False)
    q = serializers.CharField(
        required=False, max_length=300, help_text="Part of the text, the context or the speaker."
    )
    consolidation_state = serializers.ChoiceField(
        [one.value for one in ConsolidationState], required=False
    )
    state = serializers.ChoiceField(STATES, required=False)
    document_id = TextField(line=True, required=False)
    entity_id = serializers.UUIDField(required=False)
    time_field = serializers.ChoiceField([one.value for one in TimeAxis], required=False)
    start_date = TimeField(required=False, help_text="Included.")
    end_date = TimeField(required=False, help_text="Not included.")


class TypeQuery(StrictQuery):
    type = serializers.ChoiceField(TYPES, required=False)


class MemoryChangeSerializer(StrictSerializer):
    """What is not sent, or null, stays as it is; something must be said. ``state`` invalidated takes it
    out of recall. Only facts can be changed: observations follow them."""

    text = TextField(**OPTIONAL, max_length=20_000)
    context = TextField(**OPTIONAL, allow_blank=True, max_length=2_000)  # type: ignore[assignment]
    occurred_start = TimeField(**OPTIONAL)
    occurred_end = TimeField(**OPTIONAL)
    mentioned_at = TimeField(**OPTIONAL)
    fact_type = serializers.ChoiceField(["world", "experience"], **OPTIONAL)
    entities = serializers.ListField(
        child=TextField(line=True, max_length=200),
        required=False,
        allow_null=True,
        max_length=_MOST_ENTITIES,
    )
    resolve_entities = FlagField(**OPTIONAL)
    state = serializers.ChoiceField(STATES, **OPTIONAL)
    reason = TextField(**OPTIONAL, allow_blank=True, max_length=2_000)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if all(attrs.get(name) is None for name in _CHANGES):
            raise serializers.ValidationError("Say what shall be otherwise.")
        return attrs


class MemorySerializer(serializers.Serializer[Any]):
    """``entities`` in one text, set apart by commas."""

    id = serializers.CharField()
    text = serializers.CharField()
    context = serializers.CharField()  # type: ignore[assignment]
    date = serializers.CharField()
    fact_type = serializers.ChoiceField(TYPES)
    document_id = serializers.CharField(allow_null=True)
    mentioned_at = serializers.DateTimeField(allow_null=True)
    occurred_start = serializers.DateTimeField(allow_null=True)
    occurred_end = serializers.DateTimeField(allow_null=True)
    entities = serializers.CharField()
    chunk_id = serializers.CharField(allow_null=True)
    proof_count = serializers.IntegerField()
    tags = serializers.ListField(child=serializers.CharField())
    metadata = serializers.DictField(child=serializers.CharField())
    speaker = serializers.CharField(allow_null=True)
    heading_path = serializers.ListField(child=serializers.CharField())
    consolidated_at = serializers.DateTimeField(allow_null=True)
    consolidation_failed_at = serializers.DateTimeField(allow_null=True)
    state = serializers.ChoiceField(STATES)
    invalidation_reason = serializers.CharField(allow_null=True)
    invalidated_at = serializers.DateTimeField(allow_null=True)
    edited_at = serializers.DateTimeField(allow_null=True)
    updated_at = serializers.DateTimeField()
    source_memory_ids = serializers.ListField(child=serializers.CharField())


class MemoryDetailSerializer(MemorySerializer):
    """``entities`` as a list here."""

    entities = serializers.ListField(child=serializers.CharField())  # type: ignore[assignment]
    bank_id = serializers.CharField()
    level = serializers.CharField()
    sha = serializers.CharField()
    char_start = serializers.IntegerField(help_text="Code points of the document's text.")
    char_end = serializers.IntegerField()


class MemoryListSerializer(PageSerializer):
    items = MemorySerializer(many=True)


class MemoryEventSerializer(serializers.Serializer[Any]):
    kind = serializers.CharField()
    at = serializers.DateTimeField()
    reason = serializers.CharField()
    by = serializers.CharField(allow_null=True)
    before = serializers.DictField()


class MemoryHistorySerializer(serializers.Serializer[Any]):
    memory_id = serializers.CharField()
    history = MemoryEventSerializer(many=True)


class ClearedObservationsSerializer(serializers.Serializer[Any]):
    deleted_count = serializers.IntegerField()


class GraphQuery(TaggedQuery):
    type = serializers.ChoiceField(TYPES, required=False)
    limit = serializers.IntegerField(default=1000, min_value=0, max_value=5000)
    q = serializers.CharField(required=False, max_length=300)
    document_id = TextField(line=True, required=False)
    chunk_id = TextField(line=True, required=False)


class GraphNodeDataSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    text = serializers.CharField()
    date = serializers.CharField()
    context = serializers.CharField()  # type: ignore[assignment]
    entities = serializers.CharField()
    color = serializers.CharField(allow_null=True)


class GraphNodeSerializer(serializers.Serializer[Any]):
    data = GraphNodeDataSerializer()  # type: ignore[assignment]


class GraphEdgeDataSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]
    target = serializers.CharField()
    linkType = serializers.CharField()
    weight = serializers.FloatField()
    entityName = serializers.CharField()
    color = serializers.CharField(allow_null=True)
    lineStyle = serializers.CharField(allow_null=True)


class GraphEdgeSerializer(serializers.Serializer[Any]):
    data = GraphEdgeDataSerializer()  # type: ignore[assignment]


class GraphRowSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    text = serializers.CharField()
    context = serializers.CharField()  # type: ignore[assignment]
    occurred_start = serializers.DateTimeField(allow_null=True)
    occurred_end = serializers.DateTimeField(allow_null=True)
    mentioned_at = serializers.DateTimeField(allow_null=True)
    date = serializers.CharField(allow_null=True)
    entities = serializers.CharField()
    document_id = serializers.CharField(allow_null=True)
    chunk_id = serializers.CharField(allow_null=True)
    fact_type = serializers.ChoiceField(TYPES)
    tags = serializers.ListField(child=serializers.CharField())
    created_at = serializers.DateTimeField()
    proof_count = serializers.IntegerField()


class MemoryGraphSerializer(serializers.Serializer[Any]):
    nodes = GraphNodeSerializer(many=True)
    edges = GraphEdgeSerializer(many=True)
    table_rows = GraphRowSerializer(many=True)
    total_units = serializers.IntegerField()
    limit = serializers.IntegerField()
    edges_left_out = serializers.IntegerField(
        help_text="Beyond ten for each of the limit, or 20,000. Ours."
    )
