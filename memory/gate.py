"""The one place that decides whether an answer is shown. Pure.

    a fault of ours                             → decline_low_confidence  fault
    no index yet                                → decline_low_confidence  index_not_ready
    nothing is cited   and something was unread → decline_low_confidence  part_not_read
                       and the page is empty    → decline_no_evidence     page_empty
                       else                     → decline_no_evidence     not_covered
    a claim is uncited or failed a check        → decline_low_confidence  unverified
    no judge could tell                         → decline_low_confidence  fault
    confidence below 0.70  and something unread → decline_low_confidence  part_not_read
                           else                 → decline_low_confidence  low_confidence
    a demand of the question is unmet           → partial
    else                                        → confident

The first line that fits decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_DOWN, Decimal

from memory.types import AnswerKind, CheckedClaim, Reason

THRESHOLD = Decimal("0.70")
# Below this chance that any sentence answers, no model is asked.
TOO_LITTLE = 0.05
_STEP = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class GateInput:
    """What the stages before found.

    ``judge`` is None where no judge ran or every one declined. ``model`` is the model's own
    confidence, None where the generator states none by design (``states_confidence`` False).
    ``missing`` are the demands that the answer does not meet.
    """

    claims: Sequence[CheckedClaim] = ()
    judge: float | None = None
    model: float | None = None
    states_confidence: bool = False
    missing: Sequence[str] = ()
    is_page_empty: bool = False
    is_index_ready: bool = True
    is_all_read: bool = True
    has_fault: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """``reason`` is None on answers. ``confidence`` has two digits, None where no judge ran."""

    kind: AnswerKind
    reason: Reason | None
    confidence: Decimal | None

    @property
    def is_decline(self) -> bool:
        return self.kind.is_decline


def before_generating(
    found: GateInput, *, best: float, floor: float = TOO_LITTLE
) -> Verdict | None:
    """The decline that needs no model, or None to go on.

    ``best`` is the chance that the best sentence that was read answers, 0 where none was.
    """
    if found.is_index_ready and not found.has_fault and best >= floor:
        return None
    return decide(replace(found, claims=()))


def decide(found: GateInput) -> Verdict:
    """Never raises: a number that is none is a fault, and a fault declines."""
    confidence = confidence_of(found.judge, found.model)
    low = AnswerKind.DECLINE_LOW_CONFIDENCE
    if found.has_fault or not _are_probabilities(found.judge, found.model):
        return Verdict(low, Reason.FAULT, confidence)
    if not found.is_index_ready:
        return Verdict(low, Reason.INDEX_NOT_READY, confidence)
    if not any(claim.citations for claim in found.claims):
        return _without_evidence(found, confidence)
    if not all(claim.supported for claim in found.claims):
        return Verdict(low, Reason.UNVERIFIED, confidence)
    if confidence is None or (found.states_confidence and found.model is None):
        return Verdict(low, Reason.FAULT, confidence)
    if confidence < THRESHOLD:
        reason = Reason.LOW_CONFIDENCE if found.is_all_read else Reason.PART_NOT_READ
        return Verdict(low, reason, confidence)
    kind = AnswerKind.PARTIAL if found.missing else AnswerKind.CONFIDENT
    return Verdict(kind, None, confidence)


def _without_evidence(found: GateInput, confidence: Decimal | None) -> Verdict:
    if not found.is_all_read:
        # What was not read may hold it: "the page does not say" would be a guess.
        return Verdict(AnswerKind.DECLINE_LOW_CONFIDENCE, Reason.PART_NOT_READ, confidence)
    reason = Reason.PAGE_EMPTY if found.is_page_empty else Reason.NOT_COVERED
    return Verdict(AnswerKind.DECLINE_NO_EVIDENCE, reason, confidence)


def confidence_of(judge: float | None, model: float | None) -> Decimal | None:
    """The smaller of the two, rounded down; None without a judge, whatever the model says."""
    if judge is None or not _are_probabilities(judge, model):
        return None
    return round_down(judge if model is None else min(judge, model))


def round_down(value: float) -> Decimal:
    """Two digits, never up: 0.6999 is 0.69. ``repr`` keeps 0.7 from being 0.69999…"""
    return Decimal(repr(float(value))).quantize(_STEP, rounding=ROUND_DOWN)


def _are_probabilities(*values: float | None) -> bool:
    return all(value is None or 0 <= value <= 1 for value in values)  # NaN is not
