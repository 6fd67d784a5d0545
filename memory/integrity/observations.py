"""Observations: what they say and count, against their sources."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from memory.integrity import records
from memory.integrity.records import Check, Fault, Verified
from memory.retain import proofs


def verify_observations(bank_ids: Sequence[UUID]) -> Verified:
    """Compares words, as retain does."""
    observed = proofs.verify(bank_ids)
    faults = tuple(
        Fault(Check.OBSERVATIONS, one.reason, one.pair, one.detail) for one in observed.faults
    )
    return Verified(Check.OBSERVATIONS, observed.rows, len(faults), faults[: records.MOST_TOLD])
