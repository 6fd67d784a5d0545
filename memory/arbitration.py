"""Which of several rival claims holds. Pure, order-independent and idempotent.

    level ▶ not outdated ▶ witnesses ▶ recency ▶ change ▶ place ▶ trust ▶ key
                                                     the first difference decides

Who says that something is otherwise *now* knows of what was said before: however many said it, it is
outdated, unless somebody says it again. Elsewhere the number of witnesses comes before recency.

The winner is left as it is. A loser is kept; its trust falls below what is spoken of.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
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
    arbitration. ``said_at`` is when it was said last, ``changed_at`` when it was last said to be new.
    ``place``: when its document was written, and where it stands there.
    """

    key: str
    said_at: datetime | None = None
    level: TrustLevel = TrustLevel.DOCUMENT
    witnesses: int = 1
    trust: float = START[TrustLevel.DOCUMENT]
    says_change: bool = False
    changed_at: datetime | None = None
    place: tuple[datetime, int] = (_NEVER, 0)

    @property
    def _last_said(self) -> datetime:
        return max(self.said_at or _NEVER, self.changed_at or _NEVER)

    @property
    def _rank(self) -> tuple[int, datetime, bool, tuple[datetime, int], float]:
        return self.witnesses, self._last_said, self.says_change, self.place, self.trust


@dataclass(frozen=True, slots=True)
class Verdict:
    """``trust`` is what each loser is left with, by its key."""

    winner: Claim
    trust: Mapping[str, float]


def arbitrate(claims: Iterable[Claim]) -> Verdict:
    """Decide between rivals, at least one. Two claims of one key are one claim."""
    rivals = {claim.key: claim for claim in claims}
    standing = _standing(rivals.values())
    # The best rank, and of those the smallest key: the order in which they came says nothing.
    best = max(claim._rank for claim in standing)
    winner = min((claim for claim in standing if claim._rank == best), key=_key)
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


def _standing(claims: Collection[Claim]) -> list[Claim]:
    """Those of the highest level that none of them outdates: at least the one that was said last."""
    level = max(claim.level for claim in claims)
    highest = [claim for claim in claims if claim.level == level]
    changed_at = max(claim.changed_at or _NEVER for claim in highest)
    return [claim for claim in highest if claim._last_said >= changed_at]


def _key(claim: Claim) -> str:
    return claim.key
