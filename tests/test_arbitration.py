"""Which of several rivals holds: properties, and the order of what decides."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from memory.arbitration import SPEAKABLE, START, Claim, TrustLevel, arbitrate, witnessed

NOW = datetime(2026, 1, 1, tzinfo=UTC)

claims = st.lists(
    st.builds(
        Claim,
        key=st.text("abcdef", min_size=1, max_size=3),
        said_at=st.none() | st.integers(0, 3).map(lambda days: NOW - timedelta(days=days)),
        level=st.sampled_from(TrustLevel),
        witnesses=st.integers(1, 3),
        trust=st.sampled_from([0.1, 0.3, 0.6, 0.9]),
    ),
    min_size=1,
    max_size=6,
    unique_by=lambda claim: claim.key,
)


@given(claims, st.randoms())
def test_order_decides_nothing(rivals: list[Claim], random: object) -> None:
    shuffled = list(rivals)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert arbitrate(shuffled) == arbitrate(rivals)


@given(claims)
def test_judging_again_changes_nothing(rivals: list[Claim]) -> None:
    verdict = arbitrate(rivals)
    again = arbitrate(
        [
            Claim(c.key, c.said_at, c.level, c.witnesses, verdict.trust.get(c.key, c.trust))
            for c in rivals
        ]
    )
    assert again.winner.key == verdict.winner.key
    assert again.trust == verdict.trust


@given(claims)
def test_there_is_one_winner_and_everybody_else_is_silent(rivals: list[Claim]) -> None:
    verdict = arbitrate(rivals)
    assert verdict.winner in rivals
    assert set(verdict.trust) == {claim.key for claim in rivals} - {verdict.winner.key}
    assert all(trust < SPEAKABLE for trust in verdict.trust.values())
    own = {claim.key: claim.trust for claim in rivals}
    assert all(trust <= own[key] for key, trust in verdict.trust.items())


def winner(*rivals: Claim) -> str:
    return arbitrate(rivals).winner.key


def test_level_comes_before_witnesses() -> None:
    assert (
        winner(
            Claim("a", level=TrustLevel.OPERATOR),
            Claim("b", level=TrustLevel.DOCUMENT, witnesses=9),
        )
        == "a"
    )


def test_witnesses_come_before_recency() -> None:
    assert winner(Claim("a", NOW, witnesses=1), Claim("b", NOW - timedelta(9), witnesses=2)) == "b"


def test_recency_comes_before_trust() -> None:
    assert winner(Claim("a", NOW, trust=0.1), Claim("b", NOW - timedelta(1), trust=0.9)) == "a"


def test_claim_without_a_time_is_older_than_any() -> None:
    assert winner(Claim("a", None), Claim("b", NOW)) == "b"


def test_smaller_key_decides_where_nothing_else_does() -> None:
    assert winner(Claim("b", NOW), Claim("a", NOW)) == "a"


def test_witnesses_raise_trust_by_less_and_less() -> None:
    values = [witnessed(number) for number in range(1, 40)]
    assert values[0] == START[TrustLevel.DOCUMENT]
    assert round(values[1], 4) == 0.66
    assert values == sorted(values)
    assert values[-1] == 0.98
