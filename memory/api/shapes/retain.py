from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from memory.api.fields import (
    OPTIONAL,
    AnyField,
    FlagField,
    MetadataField,
    TagsField,
    TextField,
    WholeField,
)
from memory.api.shapes.recall import TYPES
from memory.language.text import clean_json
from memory.rest.moments import TimeField
from memory.rest.strict import StrictSerializer
from memory.retain.items import ScopeRule, UpdateMode
from memory.retain.wanted import MAX_CONTEXT, MAX_ENTITY, MAX_ITEMS, MAX_KIND, MAX_NAME


@extend_schema_field(
    {
        "oneOf": [
            {"type": "string"},
            {"type": "array", "items": {"type": "object", "additionalProperties": {}}},
        ]
    }
)
class ContentField(serializers.Field):
    """A text; or a list of blocks ``{"type": "text", "text": …}`` or of turns ``{role, content}``,
    whose content is a text or blocks again."""

    default_error_messages = {
        "invalid": "A text, or a list of blocks or turns.",
        "attachment": "Images and files inside a content are not read here. Send files to files/retain.",
    }

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, str):
            return data
        if not isinstance(data, list) or not all(isinstance(one, dict) for one in data):
            self.fail("invalid")
        blocks = clean_json(data)
        if not any("type" in block and "content" not in block for block in blocks):
            return blocks  # turns, or texts without a type
        if any(block.get("type") != "text" for block in blocks):
            self.fail("attachment")
        if not all(isinstance(block.get("text"), str) for block in blocks):
            self.fail("invalid")
        return "\n".join(block["text"] for block in blocks)

    def to_representation(self, value: Any) -> Any:
        return value


@extend_schema_field({"type": "string"})
class TimestampField(serializers.Field):
    """ISO 8601, or ``unset`` for what has no time. Without a zone it is UTC."""

    def to_internal_value(self, data: Any) -> Any:
        return data if data == "unset" else TimeField().to_internal_value(data)

    def to_representation(self, value: Any) -> str:
        return str(value)


@extend_schema_field(
    {
        "oneOf": [
            {"type": "string", "enum": [rule.value for rule in ScopeRule]},
            {"type": "array", "items": {"type": "array", "items": {"type": "string"}}},
        ]
    }
)
class ScopesField(serializers.Field):
    """A rule, or lists of tags."""

    default_error_messages = {
        "invalid": f"One of {', '.join(ScopeRule)}, or a list of lists of tags."
    }

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, str) and data in set(ScopeRule):
            return ScopeRule(data)
        if not isinstance(data, list) or not all(_is_scope(one) for one in data):
            self.fail("invalid")
        return tuple(tuple(clean_json(scope)) for scope in data)

    def to_representation(self, value: Any) -> Any:
        return value


def _is_scope(given: Any) -> bool:
    return isinstance(given, list) and all(isinstance(tag, str) for tag in given)


class NamedEntitySerializer(StrictSerializer):
    text = TextField(line=True, max_length=MAX_ENTITY)
    type = TextField(line=True, **OPTIONAL, max_length=MAX_KIND)


class RetainItemSerializer(StrictSerializer):
    """Without ``document_id`` the same content is the same document. ``strategy`` has no effect."""

    content = ContentField()
    timestamp = TimestampField(**OPTIONAL)
    context = TextField(**OPTIONAL, allow_blank=True, max_length=MAX_CONTEXT)  # type: ignore[assignment]
    metadata = MetadataField(**OPTIONAL)
    document_id = TextField(line=True, **OPTIONAL, max_length=MAX_NAME)
    entities = NamedEntitySerializer(many=True, **OPTIONAL)
    resolve_entities = FlagField(**OPTIONAL)
    tags = TagsField(**OPTIONAL)
    observation_scopes = ScopesField(**OPTIONAL)
    strategy = TextField(**OPTIONAL)
    update_mode = serializers.ChoiceField([mode.value for mode in UpdateMode], **OPTIONAL)


class RetainSerializer(StrictSerializer):
    """``operation_id`` with ``async``: the same one again is the same work."""

    items = RetainItemSerializer(many=True, min_length=1, max_length=MAX_ITEMS)  # type: ignore[call-arg]
    document_tags = TagsField(**OPTIONAL)
    operation_id = serializers.UUIDField(**OPTIONAL)

    def get_fields(self) -> dict[str, serializers.Field]:
        # ``async`` is no name that Python lets a class use.
        return super().get_fields() | {"async": FlagField(**OPTIONAL)}


class DryRunSerializer(StrictSerializer):
    """Only ``content``, ``context`` and ``timestamp`` have an effect."""

    content = ContentField()
    context = TextField(**OPTIONAL, allow_blank=True, max_length=MAX_CONTEXT)  # type: ignore[assignment]
    timestamp = TimestampField(**OPTIONAL)
    agent_name = TextField(**OPTIONAL)
    strategy = TextField(**OPTIONAL)
    retain_mission = TextField(**OPTIONAL, allow_blank=True)
    retain_extraction_mode = TextField(**OPTIONAL)
    retain_custom_instructions = TextField(**OPTIONAL, allow_blank=True)
    retain_extract_causal_links = FlagField(**OPTIONAL)
    retain_chunk_size = WholeField(**OPTIONAL)
    entity_labels = AnyField(**OPTIONAL)
    entities_allow_free_form = FlagField(**OPTIONAL)
    llm_output_language = TextField(**OPTIONAL)


class UsageSerializer(serializers.Serializer[Any]):
    input_tokens = serializers.IntegerField()
    output_tokens = serializers.IntegerField()
    total_tokens = serializers.IntegerField()
    cached_tokens = serializers.IntegerField()
    thoughts_tokens = serializers.IntegerField()


class RetainReplySerializer(serializers.Serializer[Any]):
    """``document_ids`` and ``memory_ids`` are ours; null where the work is still to be done."""

    success = serializers.BooleanField()
    bank_id = serializers.CharField()
    items_count = serializers.IntegerField()
    operation_id = serializers.CharField(allow_null=True)
    operation_ids = serializers.ListField(child=serializers.CharField(), allow_null=True)
    usage = UsageSerializer(allow_null=True)
    document_ids = serializers.ListField(child=serializers.CharField(), allow_null=True)
    memory_ids = serializers.ListField(child=serializers.CharField(), allow_null=True)
    failures = serializers.ListField(child=serializers.CharField())

    def get_fields(self) -> dict[str, serializers.Field]:
        return super().get_fields() | {"async": serializers.BooleanField()}


class ExtractedFactSerializer(serializers.Serializer[Any]):
    text = serializers.CharField()
    fact_type = serializers.ChoiceField(TYPES)
    occurred_start = serializers.DateTimeField(allow_null=True)
    occurred_end = serializers.DateTimeField(allow_null=True)
    entities = serializers.ListField(child=serializers.CharField())
    chunk_index = serializers.IntegerField()


class ExtractedChunkSerializer(serializers.Serializer[Any]):
    text = serializers.CharField()
    fact_count = serializers.IntegerField()


class DryRunReplySerializer(serializers.Serializer[Any]):
    facts = ExtractedFactSerializer(many=True)
    chunks = ExtractedChunkSerializer(many=True)
    usage = UsageSerializer()
