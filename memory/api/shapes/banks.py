from __future__ import annotations

from typing import Any

from rest_framework import serializers

from memory.api.fields import OPTIONAL, AnyField, FlagField, TextField, WholeField
from memory.api.shapes.pages import PageSerializer
from memory.api.shapes.queries import WindowedQuery
from memory.bank_config import MAX_TEXT
from memory.browsing.memories import TimeField
from memory.browsing.statistics import Period
from memory.models import Access
from memory.reflecting.probing import Reach
from memory.rest.strict import StrictQuery, StrictSerializer


class DispositionSerializer(StrictSerializer):
    """1 to 5 each; 3 is neutral."""

    skepticism = WholeField(min_value=1, max_value=5)
    literalism = WholeField(min_value=1, max_value=5)
    empathy = WholeField(min_value=1, max_value=5)


def _trait() -> WholeField:
    return WholeField(min_value=1, max_value=5, **OPTIONAL)


def _text(most: int = MAX_TEXT) -> TextField:
    return TextField(**OPTIONAL, allow_blank=True, max_length=most)


def _whole() -> WholeField:
    return WholeField(**OPTIONAL)


def _flag() -> FlagField:
    return FlagField(**OPTIONAL)


class BankSerializer(StrictSerializer):
    """What is not sent, or null, stays as it is. ``reflect_mission`` and ``mission`` are the same."""

    name = _text(200)
    disposition = DispositionSerializer(**OPTIONAL)
    disposition_skepticism = _trait()
    disposition_literalism = _trait()
    disposition_empathy = _trait()
    mission = _text()
    background = _text()
    reflect_mission = _text()
    retain_mission = _text()
    retain_extraction_mode = _text()
    retain_custom_instructions = _text()
    retain_chunk_size = _whole()
    retain_structured_chunk_size = _whole()
    retain_max_attachments_per_chunk = _whole()
    enable_observations = _flag()
    observations_mission = _text()
    enable_text_search = _flag()
    enable_temporal_retrieval = _flag()
    enable_graph_retrieval = _flag()
    enable_reranking = _flag()
    access = serializers.ChoiceField(
        Access.choices,
        required=False,
        help_text="Ours: private is for its owner alone. It is said when a bank is made.",
    )


class BankConfigUpdateSerializer(StrictSerializer):
    """Settings by name. Null takes one back."""

    updates = serializers.DictField(child=AnyField(allow_null=True))


class BankListQuery(WindowedQuery):
    q = serializers.CharField(
        required=False, max_length=300, help_text="Words of the id or the name."
    )


class StatsQuery(StrictQuery):
    refresh = serializers.BooleanField(
        required=False, help_text="Without effect: the figures are always fresh."
    )


class GrowthQuery(StrictQuery):
    period = serializers.ChoiceField([one.value for one in Period], default=Period.WEEK.value)
    time_field = serializers.ChoiceField(
        [one.value for one in TimeField], default=TimeField.CREATED_AT.value
    )


class BankProfileSerializer(serializers.Serializer[Any]):
    bank_id = serializers.CharField()
    name = serializers.CharField()
    disposition = DispositionSerializer()
    mission = serializers.CharField()
    background = serializers.CharField(allow_null=True)
    access = serializers.ChoiceField(Access.choices)
    owner = serializers.CharField(allow_null=True, help_text="The sign-in name of its owner.")


class BankListItemSerializer(serializers.Serializer[Any]):
    bank_id = serializers.CharField()
    name = serializers.CharField(allow_null=True)
    disposition = DispositionSerializer()
    mission = serializers.CharField(allow_null=True)
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()
    fact_count = serializers.IntegerField()
    last_document_at = serializers.DateTimeField(allow_null=True)
    last_write_at = serializers.DateTimeField(allow_null=True)
    display_alias = serializers.CharField(allow_null=True)
    matched_aliases = serializers.ListField(child=serializers.CharField())
    access = serializers.ChoiceField(Access.choices)


class BankListSerializer(PageSerializer):
    banks = BankListItemSerializer(many=True)


def _counts() -> serializers.DictField:
    return serializers.DictField(child=serializers.IntegerField())


class BankStatsSerializer(serializers.Serializer[Any]):
    bank_id = serializers.CharField()
    total_nodes = serializers.IntegerField()
    total_links = serializers.IntegerField()
    total_documents = serializers.IntegerField()
    nodes_by_fact_type = _counts()
    links_by_link_type = _counts()
    links_by_fact_type = _counts()
    links_breakdown = serializers.DictField(child=_counts())
    pending_operations = serializers.IntegerField()
    failed_operations = serializers.IntegerField()
    operations_by_status = _counts()
    last_consolidated_at = serializers.DateTimeField(allow_null=True)
    last_memory_write_at = serializers.DateTimeField(allow_null=True)
    pending_consolidation = serializers.IntegerField()
    failed_consolidation = serializers.IntegerField()
    total_observations = serializers.IntegerField()


class GrowthBucketSerializer(serializers.Serializer[Any]):
    time = serializers.DateTimeField()
    world = serializers.IntegerField()
    experience = serializers.IntegerField()
    observation = serializers.IntegerField()


class GrowthSerializer(serializers.Serializer[Any]):
    bank_id = serializers.CharField()
    period = serializers.CharField()
    trunc = serializers.CharField()
    time_field = serializers.CharField()
    buckets = GrowthBucketSerializer(many=True)


class BankConfigSerializer(serializers.Serializer[Any]):
    """``config``: every setting as it holds. ``overrides``: those that were set."""

    bank_id = serializers.CharField()
    config = serializers.DictField(child=AnyField(allow_null=True))
    overrides = serializers.DictField(child=AnyField(allow_null=True))


class ModelReachSerializer(serializers.Serializer[Any]):
    operation = serializers.CharField()
    ok = serializers.BooleanField()
    status = serializers.ChoiceField([one.value for one in Reach])
    latency_ms = serializers.IntegerField(allow_null=True)


class ModelHealthSerializer(serializers.Serializer[Any]):
    bank_id = serializers.CharField()
    operations = ModelReachSerializer(many=True)


class DeletedSerializer(serializers.Serializer[Any]):
    success = serializers.BooleanField()
    message = serializers.CharField()
    deleted_count = serializers.IntegerField(allow_null=True)
