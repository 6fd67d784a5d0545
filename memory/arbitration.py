"""Which of several rival claims holds. Pure, order-independent and idempotent.

    level ▶ witnesses ▶ recency ▶ trust ▶ key        the first difference decides

The winner is left as it is. A loser is kept; its trust falls below what is spoken of.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import IntEnum
from typing import Final


class TrustLevel(IntEnum):
    """Where a claim comes from."""

    STRANGER = 1
    INFERRED = 2
    DISTILLED = 3
    DOCUMENT = 4
    OPERATOR = 5


START: Final[Mapping[TrustLevel, float]] = {
    TrustLevel.STRANGER: 0.3,
    TrustLevel.INFERRED: 0.35,
    TrustLevel.DISTILLED: 0.5,
    TrustLevel.DOCUMENT: 0.6,
    TrustLevel.OPERATOR: 0.75,
}
SPEAKABLE: Final = 0.4
TAKEN_OUT: Final = 0.0  # by hand: nobody speaks of it, whatever is asked
_PER_WITNESS: Final = 0.15
_MOST: Final = 0.98
_LOST: Final = 0.5
_NEVER: Final = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Claim:
    """``key`` names it, and its name decides where nothing else does. ``trust`` is its own, before any
    arbitration. ``said_at`` is when it was said last."""

    key: str
    said_at: datetime | None = None
    level: TrustLevel = TrustLevel.DOCUMENT
    witnesses: int = 1
    trust: float = START[TrustLevel.DOCUMENT]

    @property
    def _rank(self) -> tuple[int, int, datetime, float]:
        return self.level, self.witnesses, self.said_at or _NEVER, self.trust


@dataclass(frozen=True, slots=True)
class Verdict:
    """``trust`` is what each loser is left with, by its key."""

    winner: Claim
    trust: Mapping[str, float]


def arbitrate(claims: Iterable[Claim]) -> Verdict:
    """Decide between rivals, at least one. Two claims of one key are one claim."""
    rivals = {claim.key: claim for claim in claims}
    # The best rank, and of those the smallest key: the order in which they came says nothing.
    best = max(rivals.values(), key=lambda claim: claim._rank)._rank
    winner = min((claim for claim in rivals.values() if claim._rank == best), key=_key)
    left = min(winner.trust, SPEAKABLE) * _LOST
    return Verdict(
        winner,
        {claim.key: min(claim.trust, left) for claim in rivals.values() if claim.key != winner.key},
    )


def witnessed(witnesses: int, level: TrustLevel = TrustLevel.DOCUMENT) -> float:
    """The trust of what so many sources say: each further one takes a share of the doubt away."""
    trust = START[level]
    for _ in range(witnesses - 1):
        trust += _PER_WITNESS * (1 - trust)
    return min(trust, _MOST)


def _key(claim: Claim) -> str:
    return claim.key
