from __future__ import annotations

from typing import Any

from rest_framework import serializers

from memory.api.shapes.pages import PageSerializer
from memory.api.shapes.queries import GroupedQuery, WindowedQuery


class EntityListQuery(GroupedQuery, WindowedQuery):
    """Only memories that the tags let through are counted."""


class EntityGraphQuery(GroupedQuery):
    limit = serializers.IntegerField(default=1000, min_value=0, max_value=10_000)
    min_count = serializers.IntegerField(
        default=1,
        min_value=1,
        max_value=2**31 - 1,
        help_text="Mentioned together so often at least.",
    )


class TagListQuery(WindowedQuery):
    q = serializers.CharField(
        required=False, max_length=300, help_text="* stands for anything; case does not count."
    )
    source = serializers.ChoiceField(["memories", "mental_models"], default="memories")  # type: ignore[assignment]


class ScopeListQuery(WindowedQuery):
    """Of observations."""


class EntityItemSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    canonical_name = serializers.CharField()
    mention_count = serializers.IntegerField()
    first_seen = serializers.DateTimeField()
    last_seen = serializers.DateTimeField()
    metadata = serializers.DictField(allow_null=True)


class EntityListSerializer(PageSerializer):
    items = EntityItemSerializer(many=True)


class EntityObservationSerializer(serializers.Serializer[Any]):
    text = serializers.CharField()
    mentioned_at = serializers.DateTimeField(allow_null=True)


class EntityDetailSerializer(EntityItemSerializer):
    observations = EntityObservationSerializer(many=True)


class EntityNodeDataSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    mentionCount = serializers.IntegerField()
    color = serializers.CharField(allow_null=True)


class EntityNodeSerializer(serializers.Serializer[Any]):
    data = EntityNodeDataSerializer()  # type: ignore[assignment]


class EntityEdgeDataSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]
    target = serializers.CharField()
    linkType = serializers.CharField()
    weight = serializers.IntegerField()
    color = serializers.CharField(allow_null=True)
    lineStyle = serializers.CharField(allow_null=True)
    lastCooccurred = serializers.DateTimeField(allow_null=True)


class EntityEdgeSerializer(serializers.Serializer[Any]):
    data = EntityEdgeDataSerializer()  # type: ignore[assignment]


class EntityGraphSerializer(serializers.Serializer[Any]):
    nodes = EntityNodeSerializer(many=True)
    edges = EntityEdgeSerializer(many=True)
    total_entities = serializers.IntegerField()
    total_edges = serializers.IntegerField()
    limit = serializers.IntegerField()


class TagCountSerializer(serializers.Serializer[Any]):
    tag = serializers.CharField()
    count = serializers.IntegerField()


class TagListSerializer(PageSerializer):
    items = TagCountSerializer(many=True)


class ObservationScopeSerializer(serializers.Serializer[Any]):
    tags = serializers.ListField(child=serializers.CharField())
    count = serializers.IntegerField()


class ScopeListSerializer(PageSerializer):
    scopes = ObservationScopeSerializer(many=True)
