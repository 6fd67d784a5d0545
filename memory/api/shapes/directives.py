from __future__ import annotations

from typing import Any

from rest_framework import serializers

from memory.api.fields import OPTIONAL, FlagField, TagsField, TextField, WholeField
from memory.api.shapes.pages import PageSerializer
from memory.api.shapes.queries import TaggedQuery, WindowedQuery
from memory.rest.strict import StrictSerializer

_MOST = 20_000


class DirectiveListQuery(TaggedQuery, WindowedQuery):
    """Untagged ones are always in it."""

    active_only = serializers.BooleanField(default=True)


class DirectiveChangeSerializer(StrictSerializer):
    """What is not sent, or null, stays as it is."""

    name = TextField(line=True, max_length=200, **OPTIONAL)
    content = TextField(max_length=_MOST, **OPTIONAL)
    priority = WholeField(**OPTIONAL)
    is_active = FlagField(**OPTIONAL)
    tags = TagsField(**OPTIONAL)


class NewDirectiveSerializer(DirectiveChangeSerializer):
    """The rest has defaults: priority 0, active, for every question."""

    name = TextField(line=True, max_length=200)
    content = TextField(max_length=_MOST)


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


class DirectiveListSerializer(PageSerializer):
    items = DirectiveSerializer(many=True)


class RemovedSerializer(serializers.Serializer[Any]):
    success = serializers.BooleanField()
    message = serializers.CharField()
