"""No call of the client is without an answer, and every field that it knows is sent."""

from __future__ import annotations

from typing import Any

import hindsight_client_api.models as models
import pytest
from django.urls import resolve
from drf_spectacular.generators import SchemaGenerator
from pydantic import BaseModel
from rest_framework.test import APIClient

from config.health import PROBES
from memory.api.not_offered import NOT_OFFERED
from tests.client.calls import Call, every_call
from tests.factories import make_org
from tests.memory_api import client_of

RETIRED = {"memory-profile", "memory-background"}
REFUSED = {call.name for call in NOT_OFFERED}
CALLS = [pytest.param(call, id=call.name) for call in every_call()]
ELSEWHERE = {"/v1/bank-template-schema"}  # of no bank, and answered as anything unknown is
SHAPES = SchemaGenerator().get_schema(request=None, public=True)["components"]["schemas"]  # type: ignore[no-untyped-call]

# The client's models and what they are called in our schema.
REPLIES: dict[str, str] = {
    "AsyncOperationSubmitResponse": "Submitted",
    "BankConfigResponse": "BankConfig",
    "BankListItem": "BankListItem",
    "BankLlmHealthResponse": "ModelHealth",
    "BankListResponse": "BankList",
    "BankProfileResponse": "BankProfile",
    "BankStatsResponse": "BankStats",
    "CancelOperationResponse": "OperationChanged",
    "ChunkData": "RecallChunk",
    "ChunkResponse": "Chunk",
    "ClearMemoryObservationsResponse": "ClearedObservations",
    "ConsolidationResponse": "Consolidation",
    "CreateMentalModelResponse": "MentalModelCreated",
    "DeleteDocumentResponse": "DocumentDeleted",
    "DeleteOperationResponse": "OperationChanged",
    "DeleteResponse": "Deleted",
    "DirectiveListResponse": "DirectiveList",
    "DirectiveResponse": "Directive",
    "DispositionTraits": "Disposition",
    "DocumentListItem": "DocumentItem",
    "DocumentResponse": "Document",
    "DryRunExtractionResult": "DryRunReply",
    "EntityDetailResponse": "EntityDetail",
    "EntityGraphEdgeData": "EntityEdgeData",
    "EntityGraphNodeData": "EntityNodeData",
    "EntityGraphResponse": "EntityGraph",
    "EntityListItem": "EntityItem",
    "EntityListResponse": "EntityList",
    "EntityObservationResponse": "EntityObservation",
    "EntityStateResponse": "EntityState",
    "ExtractedFact": "ExtractedFact",
    "ExtractionChunk": "ExtractedChunk",
    "FileRetainResponse": "FilesRetained",
    "GraphDataResponse": "MemoryGraph",
    "LlmOperationHealth": "ModelReach",
    "ListChunksResponse": "ChunkList",
    "ListDocumentsResponse": "DocumentList",
    "ListMemoryUnitsResponse": "MemoryList",
    "ListTagsResponse": "TagList",
    "MemoriesTimeseriesResponse": "Growth",
    "MemoryGraphEdgeData": "GraphEdgeData",
    "MemoryGraphNodeData": "GraphNodeData",
    "MemoryGraphTableRow": "GraphRow",
    "MemoryTimeseriesBucket": "GrowthBucket",
    "MemoryUnitListItem": "Memory",
    "MentalModelListResponse": "MentalModelList",
    "MentalModelResponse": "MentalModel",
    "MentalModelTriggerOutput": "Trigger",
    "ObservationScope": "ObservationScope",
    "ObservationScopesResponse": "ScopeList",
    "OperationProgress": "OperationProgress",
    "OperationResponse": "Operation",
    "OperationStatusResponse": "OperationStatus",
    "OperationsListResponse": "OperationList",
    "RecallResponse": "RecallReply",
    "RecallResult": "RecallResult",
    "RecallScores": "HitScores",
    "RecoverConsolidationResponse": "Recovered",
    "ReflectBasedOn": "BasedOn",
    "ReflectDirective": "ReflectDirective",
    "ReflectFact": "ReflectFact",
    "ReflectLLMCall": "ModelCall",
    "ReflectMentalModel": "ReflectModel",
    "ReflectResponse": "ReflectReply",
    "ReflectToolCall": "ToolCall",
    "ReflectTrace": "ReflectTrace",
    "RefreshMentalModelOperationDetails": "RefreshDetails",
    "ReprocessDocumentResponse": "Reprocessed",
    "RetainResponse": "RetainReply",
    "RetryOperationResponse": "OperationChanged",
    "TagItem": "TagCount",
    "TokenUsage": "Usage",
    "UpdateDocumentResponse": "DocumentChanged",
}
REQUESTS: dict[str, str] = {
    "BankConfigUpdate": "PatchedBankConfigUpdate",
    "ConsolidationRequest": "Consolidate",
    "CreateBankRequest": "Bank",
    "CreateDirectiveRequest": "NewDirective",
    "CreateMentalModelRequest": "NewMentalModel",
    "DryRunExtractRequest": "DryRun",
    "EntityInput": "NamedEntity",
    "IncludeOptions": "RecallInclude",
    "MemoryItem": "RetainItem",
    "MentalModelTriggerInput": "Trigger",
    "MinScores": "MinScores",
    "RecallRequest": "Recall",
    "ReflectIncludeOptions": "ReflectInclude",
    "ReflectRequest": "Reflect",
    "RefreshMentalModelRequest": "Refresh",
    "RetainRequest": "Retain",
    "SourceFactsIncludeOptions": "SourceFactOptions",
    "TemporalWindow": "TemporalWindow",
    "UpdateDirectiveRequest": "PatchedDirectiveChange",
    "UpdateDocumentRequest": "PatchedDocumentChange",
    "UpdateMemoryRequest": "PatchedMemoryChange",
    "UpdateMentalModelRequest": "PatchedMentalModelChange",
}
# No attachments are kept, so none are listed.
NEVER_SENT = {"attachments"}


def fields(name: str) -> set[str]:
    """As they are spelt in JSON."""
    model: type[BaseModel] = getattr(models, name)
    return {field.alias or key for key, field in model.model_fields.items()}


@pytest.mark.parametrize(("theirs", "ours"), REPLIES.items())
def test_every_field_that_the_client_reads_is_sent(theirs: str, ours: str) -> None:
    shape = SHAPES[ours]
    assert fields(theirs) - NEVER_SENT <= set(shape["properties"])


@pytest.mark.parametrize(("theirs", "ours"), REQUESTS.items())
def test_every_field_that_the_client_sends_is_taken(theirs: str, ours: str) -> None:
    assert fields(theirs) <= set(SHAPES[ours]["properties"])


@pytest.mark.parametrize("call", CALLS)
def test_every_call_has_an_address(call: Call) -> None:
    if call.address in PROBES or call.path in ELSEWHERE:
        return
    assert (resolve(call.address).url_name or "").startswith("memory-")


def test_what_is_refused_is_what_the_client_can_call() -> None:
    named = {
        (resolve(call.address).url_name, call.method)
        for call in every_call()
        if call.address not in PROBES and call.path not in ELSEWHERE
    }
    refused = {(call.name, method) for call in NOT_OFFERED for method in call.methods}
    assert refused <= named


@pytest.mark.django_db
@pytest.mark.parametrize("call", CALLS)
def test_no_call_is_answered_with_the_wrong_method_or_a_fault(call: Call) -> None:
    client: Any = APIClient() if call.address in PROBES else client_of(make_org().editor)
    status = client.generic(call.method, call.address).status_code
    if call.address in PROBES:
        assert status in (200, 503)
    else:
        assert status in (200, 400, 404, 410, 415, 422, 501)
