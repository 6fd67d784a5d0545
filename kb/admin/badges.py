"""Words and colours of states, the same in lists, details and the overview."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from kb.history import CitationState
from kb.models import IndexState, Status, Visibility, Vote
from memory.types import AnswerKind, Reason

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
REASON_NAMES: dict[str, Promise] = {
    Reason.NOT_COVERED: _("The pages do not cover it"),
    Reason.PAGE_EMPTY: _("The page is empty"),
    Reason.INDEX_NOT_READY: _("The page was being prepared"),
    Reason.PART_NOT_READ: _("A part was not read"),
    Reason.UNVERIFIED: _("A claim was not borne out"),
    Reason.LOW_CONFIDENCE: _("Too little confidence"),
    Reason.FAULT: _("A fault of ours"),
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
VOTE_NAMES: dict[str, Promise] = {Vote.UP: _("Helpful"), Vote.DOWN: _("Not helpful")}
CHECK_NAMES: dict[str, Promise] = {
    "quote": _("quote"),
    "figures": _("figures"),
    "names": _("names"),
    "negation": _("negation"),
    "judge": _("judge"),
}
RESULT_NAMES: dict[str, Promise] = {
    "ok": _("borne out"),
    "failed": _("not borne out"),
    "skipped": _("not needed"),
}
VERDICT_NAMES: dict[str, Promise] = {
    "supported": _("supported"),
    "unsupported": _("not supported"),
}
CHECK_COLOURS: dict[str, str] = {"ok": "success", "failed": "danger", "skipped": ""}
EVENT_COLOURS: dict[int, str] = {2: "danger", 3: "warning"}
