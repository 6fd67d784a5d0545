from __future__ import annotations

from typing import Any

from rest_framework import serializers

from memory.api.fields import OPTIONAL, TagsField
from memory.rest.strict import StrictSerializer


class ConsolidateSerializer(StrictSerializer):
    """Only these sets of tags; without them all."""

    observation_scopes = serializers.ListField(child=TagsField(), **OPTIONAL, max_length=100)


class ConsolidationSerializer(serializers.Serializer[Any]):
    """``deduplicated``: there was such work waiting already, and this is it."""

    operation_id = serializers.CharField()
    deduplicated = serializers.BooleanField()


class RecoveredSerializer(serializers.Serializer[Any]):
    retried_count = serializers.IntegerField()
