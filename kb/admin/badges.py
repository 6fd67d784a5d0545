"""Words and colours of states, the same in lists, details and the overview."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from kb.history import CitationState
from kb.models import IndexState, Status, Visibility
from memory.types import AnswerKind

KIND_NAMES: dict[str, Promise] = {
    AnswerKind.CONFIDENT: _("Answered"),
    AnswerKind.PARTIAL: _("In part"),
    AnswerKind.DECLINE_NO_EVIDENCE: _("No evidence"),
    AnswerKind.DECLINE_LOW_CONFIDENCE: _("Low confidence"),
}
KIND_COLOURS: dict[str, str] = {
    AnswerKind.CONFIDENT: "success",
    AnswerKind.PARTIAL: "info",
    AnswerKind.DECLINE_NO_EVIDENCE: "",
    AnswerKind.DECLINE_LOW_CONFIDENCE: "warning",
}
INDEX_COLOURS: dict[str, str] = {
    IndexState.READY: "success",
    IndexState.PENDING: "info",
    IndexState.FAILED: "danger",
}
STATUS_COLOURS: dict[str, str] = {
    Status.PUBLISHED: "success",
    Status.DRAFT: "",
    Status.ARCHIVED: "warning",
}
VISIBILITY_COLOURS: dict[str, str] = {
    Visibility.PUBLIC: "info",
    Visibility.ORG_ONLY: "",
    Visibility.ROLE_RESTRICTED: "primary",
}
CITATION_NAMES: dict[str, Promise] = {
    CitationState.CURRENT: _("as cited"),
    CitationState.CHANGED: _("page has changed"),
    CitationState.REMOVED: _("page removed"),
}
CITATION_COLOURS: dict[str, str] = {
    CitationState.CURRENT: "success",
    CitationState.CHANGED: "warning",
    CitationState.REMOVED: "danger",
}
CHECK_COLOURS: dict[str, str] = {"ok": "success", "failed": "danger", "skipped": ""}
EVENT_COLOURS: dict[int, str] = {2: "danger", 3: "warning"}
