from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from memory.api.fields import MetadataField, TagsField, TextField
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

    context = TextField(required=False, allow_null=True, allow_blank=True, max_length=MAX_CONTEXT)  # type: ignore[assignment]
    document_id = TextField(line=True, required=False, allow_null=True, max_length=MAX_NAME)
    tags = TagsField(required=False, allow_null=True)
    metadata = MetadataField(required=False, allow_null=True)
    timestamp = TimestampField(required=False, allow_null=True)
    parser = TextField(required=False, allow_null=True)
    strategy = TextField(required=False, allow_null=True)
