from __future__ import annotations

from typing import Any

from rest_framework import serializers

from memory.api.fields import FlagField, TagsField, TextField, WholeField
from memory.api.shapes.queries import TaggedQuery, WindowedQuery
from memory.rest.strict import StrictSerializer

_MOST = 20_000


class DirectiveListQuery(TaggedQuery, WindowedQuery):
    """Untagged ones are always in it."""

    active_only = serializers.BooleanField(default=True)


class NewDirectiveSerializer(StrictSerializer):
    name = TextField(line=True, max_length=200)
    content = TextField(max_length=_MOST)
    priority = WholeField(required=False, allow_null=True)
    is_active = FlagField(required=False, allow_null=True)
    tags = TagsField(required=False, allow_null=True)


class DirectiveChangeSerializer(StrictSerializer):
    """What is not sent, or null, stays as it is."""

    name = TextField(line=True, max_length=200, required=False, allow_null=True)
    content = TextField(max_length=_MOST, required=False, allow_null=True)
    priority = WholeField(required=False, allow_null=True)
    is_active = FlagField(required=False, allow_null=True)
    tags = TagsField(required=False, allow_null=True)


class DirectiveSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    bank_id = serializers.CharField()
    name = serializers.CharField()
    content = serializers.CharField()
    priority = serializers.IntegerField()
    is_active = serializers.BooleanField()
    tags = serializers.ListField(child=serializers.CharField())
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()


class DirectiveListSerializer(serializers.Serializer[Any]):
    items = DirectiveSerializer(many=True)
    total = serializers.IntegerField()
    limit = serializers.IntegerField()
    offset = serializers.IntegerField()


class RemovedSerializer(serializers.Serializer[Any]):
    success = serializers.BooleanField()
    message = serializers.CharField()
