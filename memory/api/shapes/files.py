from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from memory.api.fields import OPTIONAL, MetadataField, TagsField, TextField
from memory.api.shapes.retain import TimestampField
from memory.rest.strict import StrictSerializer
from memory.retain.wanted import MAX_CONTEXT, MAX_NAME


@extend_schema_field(OpenApiTypes.BINARY)
class BytesField(serializers.FileField):
    """A file of the form."""


class FilesToRetainSerializer(serializers.Serializer[Any]):
    """``request``: JSON ``{"files_metadata": [{context, document_id, tags, metadata, timestamp}]}``."""

    files = serializers.ListField(child=BytesField())
    request = serializers.CharField(required=False)


class FileMetadataSerializer(StrictSerializer):
    """Of one file. ``parser`` and ``strategy`` have no effect."""

    context = TextField(**OPTIONAL, allow_blank=True, max_length=MAX_CONTEXT)  # type: ignore[assignment]
    document_id = TextField(line=True, **OPTIONAL, max_length=MAX_NAME)
    tags = TagsField(**OPTIONAL)
    metadata = MetadataField(**OPTIONAL)
    timestamp = TimestampField(**OPTIONAL)
    parser = TextField(**OPTIONAL)
    strategy = TextField(**OPTIONAL)


class FilesRetainedSerializer(serializers.Serializer[Any]):
    operation_ids = serializers.ListField(child=serializers.CharField())
