from __future__ import annotations

from typing import Any

from rest_framework import serializers

from memory.api.fields import (
    OPTIONAL,
    AnyField,
    FlagField,
    NumberField,
    TagsField,
    TextField,
    WholeField,
)
from memory.hits import Budget
from memory.levels import FactType, Level
from memory.rest.moments import LastMomentField, TimeField
from memory.rest.strict import StrictSerializer
from memory.tags import TagMatch

TYPES = [kind.value for kind in FactType]
LEVELS = [level.value for level in Level]


class EntityOptionsSerializer(StrictSerializer):
    max_tokens = WholeField(default=500, help_text="Accepted and without effect.")


class ChunkOptionsSerializer(StrictSerializer):
    max_tokens = WholeField(default=8192)


class SourceFactOptionsSerializer(StrictSerializer):
    """-1 is no limit; ``max_tokens_per_observation`` from 0 on takes the other's place."""

    max_tokens = WholeField(default=4096)
    max_tokens_per_observation = WholeField(default=-1)


class RecallIncludeSerializer(StrictSerializer):
    """``entities`` come along unless null. ``chunks`` and ``source_facts`` come when they are named."""

    entities = EntityOptionsSerializer(**OPTIONAL)
    chunks = ChunkOptionsSerializer(**OPTIONAL)
    source_facts = SourceFactOptionsSerializer(**OPTIONAL)


class MinScoresSerializer(StrictSerializer):
    """Inclusive. ``semantic`` and ``keyword`` prune their arm, ``reranker`` and ``final`` the results."""

    semantic = NumberField(**OPTIONAL)
    keyword = NumberField(**OPTIONAL)
    reranker = NumberField(**OPTIONAL)
    final = NumberField(**OPTIONAL)


class TemporalWindowSerializer(StrictSerializer):
    """Both ends are inside. Without a zone they are UTC; an end without a time is the whole day."""

    start = TimeField()
    end = LastMomentField()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["end"] < attrs["start"]:
            raise serializers.ValidationError({"end": ["The end lies before the start."]})
        return attrs


class TagScopeSerializer(StrictSerializer):
    """``tags`` and ``tag_groups`` exclude each other, an empty list too."""

    tags = TagsField(**OPTIONAL)
    tags_match = serializers.ChoiceField(
        [mode.value for mode in TagMatch], default=TagMatch.ANY.value
    )
    tag_groups = AnyField(
        required=False,
        allow_null=True,
        help_text="A list of {tags, match, resolve}, {and: […]}, {or: […]} and {not: …}.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs.get("tags") is not None and attrs.get("tag_groups") is not None:
            raise serializers.ValidationError(
                {"tag_groups": ["Give either tags or tag_groups, not both."]}
            )
        return attrs


class RecallSerializer(TagScopeSerializer):
    """``levels`` and ``min_score`` are ours. Without ``min_score`` no floor applies."""

    query = TextField()
    types = serializers.ListField(child=serializers.ChoiceField([*TYPES, "opinion"]), **OPTIONAL)
    prefer_observations = FlagField(**OPTIONAL)
    budget = serializers.ChoiceField([one.value for one in Budget], **OPTIONAL)
    max_tokens = WholeField(**OPTIONAL)
    trace = FlagField(**OPTIONAL)
    query_timestamp = TextField(**OPTIONAL)
    include = RecallIncludeSerializer(**OPTIONAL)
    min_scores = MinScoresSerializer(**OPTIONAL)
    temporal_window = TemporalWindowSerializer(**OPTIONAL)
    levels = serializers.ListField(
        child=serializers.ChoiceField(LEVELS),
        required=False,
        allow_null=True,
        min_length=1,
    )
    min_score = NumberField(**OPTIONAL)


class HitScoresSerializer(serializers.Serializer[Any]):
    """Null: that stage did not see it, or gives no score by design."""

    final = serializers.FloatField()
    reranker = serializers.FloatField(allow_null=True)
    semantic = serializers.FloatField(allow_null=True)
    keyword = serializers.FloatField(allow_null=True)


class RecallResultSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    text = serializers.CharField()
    type = serializers.ChoiceField(TYPES, allow_null=True)
    entities = serializers.ListField(child=serializers.CharField(), allow_null=True)
    context = serializers.CharField(allow_null=True)  # type: ignore[assignment]
    occurred_start = serializers.DateTimeField(allow_null=True)
    occurred_end = serializers.DateTimeField(allow_null=True)
    mentioned_at = serializers.DateTimeField(allow_null=True)
    document_id = serializers.CharField(allow_null=True)
    metadata = serializers.DictField(child=serializers.CharField(), allow_null=True)
    chunk_id = serializers.CharField(allow_null=True)
    tags = serializers.ListField(child=serializers.CharField())
    source_fact_ids = serializers.ListField(child=serializers.CharField(), allow_null=True)
    scores = HitScoresSerializer(allow_null=True)
    level = serializers.ChoiceField(LEVELS)
    sha = serializers.CharField()
    speaker = serializers.CharField(allow_null=True)
    heading_path = serializers.ListField(child=serializers.CharField())
    source_uri = serializers.CharField(allow_null=True)
    superseded_at = serializers.DateTimeField(allow_null=True)
    over_budget = serializers.BooleanField()


class RecallChunkSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    text = serializers.CharField()
    chunk_index = serializers.IntegerField()
    truncated = serializers.BooleanField()


class EntityStateSerializer(serializers.Serializer[Any]):
    """``observations`` is always empty, as in the Hindsight API."""

    entity_id = serializers.CharField()
    canonical_name = serializers.CharField()
    observations = serializers.ListField(child=serializers.CharField())


class RecallReplySerializer(serializers.Serializer[Any]):
    """From ``levels`` on it is ours. ``abstained``: something was found, and all of it below the floor."""

    results = RecallResultSerializer(many=True)
    trace = AnyField(allow_null=True)
    entities = serializers.DictField(child=EntityStateSerializer(), allow_null=True)
    chunks = serializers.DictField(child=RecallChunkSerializer(), allow_null=True)
    source_facts = serializers.DictField(child=RecallResultSerializer(), allow_null=True)
    source_facts_truncated = serializers.BooleanField(allow_null=True)
    levels = serializers.ListField(child=serializers.CharField())
    min_score = serializers.FloatField(allow_null=True)
    abstained = serializers.BooleanField()
    best_score = serializers.FloatField(allow_null=True)
    floor = serializers.FloatField(allow_null=True)
    reranker = serializers.CharField()
    degraded = serializers.ListField(child=serializers.CharField())
    message = serializers.CharField(allow_null=True)
