from __future__ import annotations

from typing import Any

from rest_framework import serializers

from memory.api.shapes.pages import PageSerializer
from memory.api.shapes.queries import WindowedQuery
from memory.models import OperationStatus, OperationType
from memory.rest.strict import StrictQuery

STATUSES = OperationStatus.values
_ELSEWHERE = ("file_convert_retain", "webhook_delivery")  # types of the Hindsight API alone


class OperationListQuery(WindowedQuery):
    status = serializers.ChoiceField(STATUSES, required=False)
    type = serializers.ChoiceField([*OperationType.values, *_ELSEWHERE], required=False)
    limit = serializers.IntegerField(default=20, min_value=1, max_value=100)
    exclude_parents = serializers.BooleanField(
        required=False, help_text="Without effect: no operation has parts."
    )


class OperationQuery(StrictQuery):
    include_payload = serializers.BooleanField(default=False)


class OperationProgressSerializer(serializers.Serializer[Any]):
    stage = serializers.CharField()
    at = serializers.DateTimeField()
    processed = serializers.IntegerField()
    total = serializers.IntegerField()
    detail = serializers.DictField(allow_null=True)


class RefreshDetailsSerializer(serializers.Serializer[Any]):
    operation_type = serializers.CharField()
    outcome = serializers.CharField()
    failure_reason = serializers.CharField(allow_null=True)


class OperationSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    task_type = serializers.CharField()
    operation_id = serializers.CharField()
    operation_type = serializers.CharField()
    items_count = serializers.IntegerField()
    document_id = serializers.CharField(allow_null=True)
    filename = serializers.CharField(allow_null=True)
    mental_model_id = serializers.CharField(allow_null=True)
    details = RefreshDetailsSerializer(allow_null=True)
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()
    status = serializers.ChoiceField(STATUSES)
    error_message = serializers.CharField(allow_null=True)
    retry_count = serializers.IntegerField()
    next_retry_at = serializers.DateTimeField(allow_null=True)
    progress = OperationProgressSerializer(allow_null=True)


class OperationStatusSerializer(serializers.Serializer[Any]):
    """``task_payload`` where ``include_payload`` asks for it."""

    operation_id = serializers.CharField()
    status = serializers.ChoiceField(STATUSES)
    operation_type = serializers.CharField()
    id = serializers.CharField()
    task_type = serializers.CharField()
    mental_model_id = serializers.CharField(allow_null=True)
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()
    completed_at = serializers.DateTimeField(allow_null=True)
    error_message = serializers.CharField(allow_null=True)
    retry_count = serializers.IntegerField()
    next_retry_at = serializers.DateTimeField(allow_null=True)
    progress = OperationProgressSerializer(allow_null=True)
    result_metadata = serializers.DictField(allow_null=True)
    details = RefreshDetailsSerializer(allow_null=True)
    child_operations = serializers.ListField(child=serializers.DictField(), allow_null=True)
    task_payload = serializers.DictField(allow_null=True)


class OperationListSerializer(PageSerializer):
    bank_id = serializers.CharField()
    operations = OperationSerializer(many=True)


class OperationChangedSerializer(serializers.Serializer[Any]):
    success = serializers.BooleanField()
    message = serializers.CharField()
    operation_id = serializers.CharField()
