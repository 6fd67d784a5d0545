"""The gate's whole table."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from itertools import product
from uuid import UUID

import pytest

from memory.gate import GateInput, Verdict, before_generating, decide, round_down
from memory.types import AnswerKind, Check, CheckedClaim, Citation, ClaimChecks, Reason

CITATION = Citation(UUID(int=1), 1, UUID(int=2), 0, 5, "quote")
OK = CheckedClaim("claim", (CITATION,), ClaimChecks(*[Check.OK] * 5))
WRONG = CheckedClaim("claim", (CITATION,), ClaimChecks(Check.OK, Check.FAILED))
UNCITED = CheckedClaim("claim", (), ClaimChecks(Check.FAILED))
GOOD = GateInput(claims=(OK,), judge=0.9, model=0.8, states_confidence=True)

LOW = AnswerKind.DECLINE_LOW_CONFIDENCE
NONE = AnswerKind.DECLINE_NO_EVIDENCE


def outcome(verdict: Verdict) -> tuple[AnswerKind, Reason | None]:
    return verdict.kind, verdict.reason


@pytest.mark.parametrize(
    ("changes", "kind", "reason"),
    [
        ({}, AnswerKind.CONFIDENT, None),
        ({"missing": ("rate",)}, AnswerKind.PARTIAL, None),
        ({"is_all_read": False}, AnswerKind.CONFIDENT, None),
        ({"is_page_empty": True}, AnswerKind.CONFIDENT, None),
        ({"model": None, "states_confidence": False}, AnswerKind.CONFIDENT, None),
        ({"has_fault": True}, LOW, Reason.FAULT),
        ({"is_index_ready": False}, LOW, Reason.INDEX_NOT_READY),
        ({"has_fault": True, "is_index_ready": False}, LOW, Reason.FAULT),
        ({"claims": ()}, NONE, Reason.NOT_COVERED),
        ({"claims": (UNCITED,)}, NONE, Reason.NOT_COVERED),
        ({"claims": (UNCITED, UNCITED), "judge": 0.3}, NONE, Reason.NOT_COVERED),
        ({"claims": (), "judge": None, "model": None}, NONE, Reason.NOT_COVERED),
        ({"claims": (), "is_page_empty": True}, NONE, Reason.PAGE_EMPTY),
        ({"claims": (), "is_all_read": False}, LOW, Reason.PART_NOT_READ),
        ({"claims": (), "is_all_read": False, "is_page_empty": True}, LOW, Reason.PART_NOT_READ),
        ({"claims": (), "is_index_ready": False}, LOW, Reason.INDEX_NOT_READY),
        ({"claims": (OK, UNCITED)}, LOW, Reason.UNVERIFIED),
        ({"claims": (OK, WRONG)}, LOW, Reason.UNVERIFIED),
        ({"claims": (WRONG,)}, LOW, Reason.UNVERIFIED),
        ({"claims": (OK, UNCITED), "model": 0.99, "judge": 0.99}, LOW, Reason.UNVERIFIED),
        ({"claims": (OK, UNCITED), "judge": 0.1}, LOW, Reason.UNVERIFIED),
        ({"judge": None}, LOW, Reason.FAULT),
        ({"judge": None, "claims": (WRONG,)}, LOW, Reason.UNVERIFIED),
        ({"model": None}, LOW, Reason.FAULT),
        ({"judge": float("nan")}, LOW, Reason.FAULT),
        ({"judge": float("inf")}, LOW, Reason.FAULT),
        ({"model": 1.7}, LOW, Reason.FAULT),
        ({"model": -0.1}, LOW, Reason.FAULT),
        ({"judge": 0.69}, LOW, Reason.LOW_CONFIDENCE),
        ({"model": 0.69}, LOW, Reason.LOW_CONFIDENCE),
        ({"model": 0.69, "missing": ("rate",)}, LOW, Reason.LOW_CONFIDENCE),
        ({"model": 0.69, "is_all_read": False}, LOW, Reason.PART_NOT_READ),
    ],
)
def test_first_line_of_the_table_that_fits_decides(
    changes: dict[str, object], kind: AnswerKind, reason: Reason | None
) -> None:
    assert outcome(decide(replace(GOOD, **changes))) == (kind, reason)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("judge", "model", "confidence", "passes"),
    [
        (0.9, 0.8, "0.80", True),
        (0.8, 0.9, "0.80", True),
        (0.9, None, "0.90", True),
        (0.7, 0.95, "0.70", True),
        (0.95, 0.7, "0.70", True),
        (0.95, 0.6999, "0.69", False),
        (0.95, 0.69999999999, "0.69", False),
        (0.1 * 7, 0.99, "0.70", True),
        (1, 1, "1.00", True),
        (0, 1, "0.00", False),
        (0.99, 0.699, "0.69", False),
    ],
)
def test_fc_26_confidence_is_the_smaller_rounded_down(
    judge: float, model: float | None, confidence: str, passes: bool
) -> None:
    verdict = decide(replace(GOOD, judge=judge, model=model, states_confidence=model is not None))
    assert verdict.confidence == Decimal(confidence)
    assert verdict.is_decline is not passes


def test_confidence_is_null_without_a_judge_whatever_the_model_says() -> None:
    assert decide(replace(GOOD, judge=None, model=0.99)).confidence is None


@pytest.mark.parametrize("hundredths", range(101))
def test_two_digits_survive_rounding(hundredths: int) -> None:
    assert round_down(hundredths / 100) == Decimal(hundredths) / 100


@pytest.mark.parametrize(
    ("value", "rounded"),
    [(0.6999, "0.69"), (0.999999, "0.99"), (1e-9, "0.00"), (0.705, "0.70"), (0.29, "0.29")],
)
def test_rounding_is_down(value: float, rounded: str) -> None:
    assert round_down(value) == Decimal(rounded)


def test_every_combination_keeps_the_promises() -> None:
    claims = [(), (OK,), (WRONG,), (UNCITED,), (OK, UNCITED)]
    numbers = [None, 0.0, 0.6999, 0.7, 1.0, float("nan")]
    flags = list(product([False, True], repeat=4))
    for parts in product(claims, numbers, numbers, flags, [(), ("rate",)]):
        made, judge, model, (empty, ready, read, fault), missing = parts
        verdict = decide(
            GateInput(
                claims=made,
                judge=judge,
                model=model,
                states_confidence=False,
                missing=missing,
                is_page_empty=empty,
                is_index_ready=ready,
                is_all_read=read,
                has_fault=fault,
            )
        )
        assert (verdict.reason is None) is not verdict.is_decline
        if not verdict.is_decline:
            assert made == (OK,)
            assert verdict.confidence is not None
            assert verdict.confidence >= Decimal("0.70")
            assert ready
            assert not fault
            assert (verdict.kind is AnswerKind.PARTIAL) is bool(missing)
        if verdict.kind is NONE:
            assert read
            assert ready
            assert not any(claim.citations for claim in made)
            assert verdict.reason in (Reason.NOT_COVERED, Reason.PAGE_EMPTY)


@pytest.mark.parametrize(
    ("best", "changes", "expected"),
    [
        (0.9, {}, None),
        (0.05, {}, None),
        (0.9, {"is_page_empty": True}, None),
        (0.049, {}, (NONE, Reason.NOT_COVERED)),
        (0.0, {}, (NONE, Reason.NOT_COVERED)),
        (float("nan"), {}, (NONE, Reason.NOT_COVERED)),
        (0.0, {"is_all_read": False}, (LOW, Reason.PART_NOT_READ)),
        (0.0, {"is_page_empty": True}, (NONE, Reason.PAGE_EMPTY)),
        (0.9, {"is_index_ready": False}, (LOW, Reason.INDEX_NOT_READY)),
        (0.9, {"has_fault": True}, (LOW, Reason.FAULT)),
    ],
)
def test_fc_24_too_little_evidence_declines_before_any_model(
    best: float, changes: dict[str, object], expected: tuple[AnswerKind, Reason] | None
) -> None:
    found = replace(GateInput(), **changes)  # type: ignore[arg-type]
    verdict = before_generating(found, best=best)
    assert (outcome(verdict) if verdict else None) == expected
    assert verdict is None or verdict.confidence is None
