"""Words and colours for what banks hold, the same in lists, details and drawings."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from memory.hits import Arm
from memory.levels import EdgeType, FactType, Level
from memory.models import Access, ChangeKind, OperationStatus, OperationType
from memory.recall.phases import Phase

LEVEL_NAMES: dict[str, Promise] = {
    Level.L0: _("Passage"),
    Level.L1: _("Fact"),
    Level.L2: _("Observation"),
    Level.R: _("Reference"),
}
LEVEL_PLURALS: dict[str, Promise] = {
    Level.L0: _("Passages"),
    Level.L1: _("Facts"),
    Level.L2: _("Observations"),
    Level.R: _("References"),
}
LEVEL_COLOURS: dict[str, str] = {
    Level.L0: "",
    Level.L1: "info",
    Level.L2: "primary",
    Level.R: "success",
}
TYPE_NAMES: dict[str, Promise] = {
    FactType.WORLD: _("world"),
    FactType.EXPERIENCE: _("experience"),
    FactType.OBSERVATION: _("observation"),
}
EDGE_NAMES: dict[str, Promise] = {
    EdgeType.DERIVED_FROM: _("derived from"),
    EdgeType.SEMANTIC: _("similar"),
    EdgeType.TEMPORAL: _("near in time"),
    EdgeType.CAUSES: _("causes"),
    EdgeType.CAUSED_BY: _("caused by"),
    EdgeType.ENABLES: _("enables"),
    EdgeType.PREVENTS: _("prevents"),
    EdgeType.CONTRADICTS: _("contradicts"),
    EdgeType.SUPERSEDES: _("supersedes"),
}
ACCESS_NAMES: dict[str, Promise] = {
    Access.PRIVATE: _("Private"),
    Access.TENANT: _("Everybody here"),
}
ACCESS_COLOURS: dict[str, str] = {Access.PRIVATE: "warning", Access.TENANT: "info"}
STATUS_NAMES: dict[str, Promise] = {
    OperationStatus.PENDING: _("Waiting"),
    OperationStatus.PROCESSING: _("Running"),
    OperationStatus.COMPLETED: _("Done"),
    OperationStatus.FAILED: _("Failed"),
    OperationStatus.CANCELLED: _("Called off"),
}
STATUS_COLOURS: dict[str, str] = {
    OperationStatus.PENDING: "",
    OperationStatus.PROCESSING: "info",
    OperationStatus.COMPLETED: "success",
    OperationStatus.FAILED: "danger",
    OperationStatus.CANCELLED: "warning",
}
OPERATION_NAMES: dict[str, Promise] = {
    OperationType.RETAIN: _("Retain"),
    OperationType.CONSOLIDATION: _("Consolidation"),
    OperationType.REFRESH_MENTAL_MODEL: _("Refresh of a mental model"),
    OperationType.REPROCESS: _("Document once more"),
}
CHANGE_NAMES: dict[str, Promise] = {
    ChangeKind.EDITED: _("edited"),
    ChangeKind.INVALIDATED: _("invalidated"),
    ChangeKind.RESTORED: _("restored"),
    ChangeKind.REWRITTEN: _("rewritten by consolidation"),
}
ARM_NAMES: dict[str, Promise] = {
    Arm.SEMANTIC: _("Meaning"),
    Arm.KEYWORD: _("Words"),
    Arm.GRAPH: _("Graph"),
    Arm.TEMPORAL: _("Time"),
}
PHASE_NAMES: dict[str, Promise] = {
    Phase.ENCODE: _("Encode the query"),
    Phase.RETRIEVE: _("Search"),
    Phase.FUSE: _("Fuse"),
    Phase.PREFILTER: _("Read candidates"),
    Phase.RERANK: _("Rerank"),
    Phase.SCORE: _("Score"),
    Phase.PREFER: _("Prefer observations"),
    Phase.CHUNKS: _("Read passages"),
    Phase.TOKENS: _("Fit the budget"),
    Phase.SOURCES: _("Read sources"),
    Phase.ENTITIES: _("Read entities"),
}
