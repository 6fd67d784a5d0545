"""Addresses of the memory API, under ``/v1/default``: those of the Hindsight API.

Any id may hold slashes (``memory.api.paths``). Those of documents and chunks may be sent with slashes
that are not encoded, so what follows such an id in an address comes first.
"""

from __future__ import annotations

from django.urls import path, register_converter

from memory.api.not_offered import NOT_OFFERED
from memory.api.paths import AnythingConverter, IdConverter, LongIdConverter
from memory.api.views import (
    banks,
    consolidation,
    directives,
    documents,
    entities,
    files,
    memories,
    mental_models,
    model_health,
    operations,
)
from memory.api.views.not_offered import view_of
from memory.api.views.recall import RecallView
from memory.api.views.reflect import ReflectView
from memory.api.views.retain import DryRunView, RetainView
from memory.middleware import opens_own_scopes

register_converter(AnythingConverter, "anything")
register_converter(IdConverter, "id")
register_converter(LongIdConverter, "long_id")

_BANK = "banks/<id:bank_id>"
_MEMORY = f"{_BANK}/memories/<uuid:memory_id>"
_OPERATION = f"{_BANK}/operations/<uuid:operation_id>"
_MODEL = f"{_BANK}/mental-models/<id:model_id>"
_DOCUMENT = f"{_BANK}/documents/<long_id:document_id>"

_BANKS = [
    path("banks", banks.BankListView.as_view(), name="memory-banks"),
    path(_BANK, banks.BankView.as_view(), name="memory-bank"),
    path(f"{_BANK}/stats", banks.BankStatsView.as_view(), name="memory-stats"),
    path(
        f"{_BANK}/stats/memories-timeseries", banks.BankGrowthView.as_view(), name="memory-growth"
    ),
    path(f"{_BANK}/config", banks.BankConfigView.as_view(), name="memory-config"),
    path(
        f"{_BANK}/health/llm",
        opens_own_scopes(model_health.ModelHealthView.as_view()),
        name="memory-model-health",
    ),
    path(f"{_BANK}/profile", banks.RetiredProfileView.as_view(), name="memory-profile"),
    path(f"{_BANK}/background", banks.RetiredBackgroundView.as_view(), name="memory-background"),
]
_MEMORIES = [
    path(f"{_BANK}/memories", opens_own_scopes(RetainView.as_view()), name="memory-memories"),
    path(f"{_BANK}/memories/recall", opens_own_scopes(RecallView.as_view()), name="memory-recall"),
    path(
        f"{_BANK}/memories/dry-run-extract",
        opens_own_scopes(DryRunView.as_view()),
        name="memory-dry-run",
    ),
    path(f"{_BANK}/memories/list", memories.MemoryListView.as_view(), name="memory-list"),
    path(_MEMORY, opens_own_scopes(memories.OneMemoryView.as_view()), name="memory-one"),
    path(f"{_MEMORY}/history", memories.MemoryHistoryView.as_view(), name="memory-history"),
    path(
        f"{_MEMORY}/observations",
        memories.MemoryObservationsView.as_view(),
        name="memory-own-observations",
    ),
    path(f"{_BANK}/observations", memories.ObservationsView.as_view(), name="memory-observations"),
    path(f"{_BANK}/reflect", opens_own_scopes(ReflectView.as_view()), name="memory-reflect"),
    path(f"{_BANK}/graph", memories.GraphView.as_view(), name="memory-graph"),
]
_DOCUMENTS = [
    path(f"{_BANK}/documents", documents.DocumentListView.as_view(), name="memory-documents"),
    path(f"{_DOCUMENT}/chunks", documents.ChunkListView.as_view(), name="memory-chunks"),
    path(f"{_DOCUMENT}/reprocess", documents.ReprocessView.as_view(), name="memory-reprocess"),
    path(_DOCUMENT, documents.DocumentView.as_view(), name="memory-document"),
    path("chunks/<long_id:chunk_id>", documents.ChunkView.as_view(), name="memory-chunk"),
]
_ENTITIES = [
    path(f"{_BANK}/entities", entities.EntityListView.as_view(), name="memory-entities"),
    path(f"{_BANK}/entities/graph", entities.EntityGraphView.as_view(), name="memory-entity-graph"),
    path(f"{_BANK}/entities/<uuid:entity_id>", entities.EntityView.as_view(), name="memory-entity"),
    path(f"{_BANK}/tags", entities.TagListView.as_view(), name="memory-tags"),
    path(f"{_BANK}/observations/scopes", entities.ScopeListView.as_view(), name="memory-scopes"),
]
_DIRECTIVES = [
    path(f"{_BANK}/directives", directives.DirectiveListView.as_view(), name="memory-directives"),
    path(
        f"{_BANK}/directives/<uuid:directive_id>",
        directives.DirectiveView.as_view(),
        name="memory-directive",
    ),
]
_OPERATIONS = [
    path(f"{_BANK}/operations", operations.OperationListView.as_view(), name="memory-operations"),
    path(_OPERATION, operations.OperationView.as_view(), name="memory-operation"),
    path(
        f"{_OPERATION}/retry",
        operations.OperationRetryView.as_view(),
        name="memory-operation-retry",
    ),
    path(
        f"{_OPERATION}/delete",
        operations.OperationRecordView.as_view(),
        name="memory-operation-delete",
    ),
    path(
        f"{_BANK}/consolidate", consolidation.ConsolidateView.as_view(), name="memory-consolidate"
    ),
    path(
        f"{_BANK}/consolidation/recover",
        consolidation.RecoverView.as_view(),
        name="memory-recover",
    ),
    path(f"{_BANK}/files/retain", files.FilesView.as_view(), name="memory-files"),
]
_MODELS = [
    path(
        f"{_BANK}/mental-models", mental_models.MentalModelListView.as_view(), name="memory-models"
    ),
    path(_MODEL, mental_models.MentalModelView.as_view(), name="memory-model"),
    path(
        f"{_MODEL}/refresh",
        mental_models.MentalModelRefreshView.as_view(),
        name="memory-model-refresh",
    ),
    path(
        f"{_MODEL}/clear", mental_models.MentalModelClearView.as_view(), name="memory-model-clear"
    ),
    path(
        f"{_MODEL}/history",
        mental_models.MentalModelHistoryView.as_view(),
        name="memory-model-history",
    ),
]

_NOT_OFFERED = [path(call.path, view_of(call), name=call.name) for call in NOT_OFFERED]

urlpatterns = [
    *_NOT_OFFERED,  # a document's history among them
    *_BANKS,
    *_MEMORIES,
    *_DOCUMENTS,
    *_ENTITIES,
    *_DIRECTIVES,
    *_MODELS,
    *_OPERATIONS,
]
