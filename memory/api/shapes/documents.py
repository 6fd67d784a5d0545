from __future__ import annotations

from typing import Any

from rest_framework import serializers

from memory.api.fields import OPTIONAL, AnyField, TagsField
from memory.api.shapes.pages import PageSerializer
from memory.api.shapes.queries import TaggedQuery, WindowedQuery
from memory.api.shapes.retain import ScopesField
from memory.browsing.documents import DocumentTimeField
from memory.rest.moments import TimeField
from memory.rest.strict import StrictSerializer


class DocumentListQuery(TaggedQuery, WindowedQuery):
    q = serializers.CharField(
        required=False, max_length=300, help_text="Part of the id or the text."
    )
    time_field = serializers.ChoiceField(
        [one.value for one in DocumentTimeField], default=DocumentTimeField.UPDATED_AT.value
    )
    start_date = TimeField(required=False, help_text="Included.")
    end_date = TimeField(required=False, help_text="Not included.")


class DocumentChangeSerializer(StrictSerializer):
    """One of the two at least. Tags of the document and of every memory from it, in place of what they
    have; within which tags its facts are merged into observations."""

    tags = TagsField(**OPTIONAL)
    observation_scopes = ScopesField(**OPTIONAL)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs.get("tags") is None and attrs.get("observation_scopes") is None:
            raise serializers.ValidationError("Say which tags or which observation_scopes.")
        return attrs


class DocumentItemSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    bank_id = serializers.CharField()
    content_hash = serializers.CharField()
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()
    text_length = serializers.IntegerField()
    memory_unit_count = serializers.IntegerField()
    retain_params = serializers.DictField(allow_null=True)
    document_metadata = serializers.DictField(child=serializers.CharField(), allow_null=True)
    tags = serializers.ListField(child=serializers.CharField())
    matched_fields = serializers.ListField(child=serializers.CharField())


class DocumentListSerializer(PageSerializer):
    items = DocumentItemSerializer(many=True)
    total_is_estimate = serializers.BooleanField()


class DocumentSerializer(serializers.Serializer[Any]):
    """Offsets of its memories count ``original_text``."""

    id = serializers.CharField()
    bank_id = serializers.CharField()
    original_text = serializers.CharField()
    content_hash = serializers.CharField()
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()
    memory_unit_count = serializers.IntegerField()
    nodes_by_fact_type = serializers.DictField(child=serializers.IntegerField())
    tags = serializers.ListField(child=serializers.CharField())
    document_metadata = serializers.DictField(child=serializers.CharField(), allow_null=True)
    retain_params = serializers.DictField(allow_null=True)
    observation_scopes = AnyField(allow_null=True)


class DocumentChangedSerializer(serializers.Serializer[Any]):
    success = serializers.BooleanField()


class DocumentDeletedSerializer(serializers.Serializer[Any]):
    success = serializers.BooleanField()
    message = serializers.CharField()
    document_id = serializers.CharField()
    memory_units_deleted = serializers.IntegerField()


class ReprocessedSerializer(serializers.Serializer[Any]):
    success = serializers.BooleanField()
    operation_id = serializers.CharField()
    items_count = serializers.IntegerField()


class ChunkSerializer(serializers.Serializer[Any]):
    chunk_id = serializers.CharField()
    document_id = serializers.CharField()
    bank_id = serializers.CharField()
    chunk_index = serializers.IntegerField()
    chunk_text = serializers.CharField()
    created_at = serializers.DateTimeField()


class ChunkListSerializer(PageSerializer):
    items = ChunkSerializer(many=True)
