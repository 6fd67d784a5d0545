"""Which of several rivals holds: properties, and the order of what decides."""

from __future__ import annotations

from dataclasses import replace
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
        says_change=st.booleans(),
        changed_at=st.none() | st.integers(0, 3).map(lambda days: NOW - timedelta(days=days)),
        place=st.tuples(st.sampled_from([NOW, NOW - timedelta(1)]), st.integers(0, 2)),
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
        replace(claim, trust=verdict.trust.get(claim.key, claim.trust)) for claim in rivals
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


def test_fc_53_stated_change_outdates_any_number_of_older_witnesses() -> None:
    old = Claim("a", NOW - timedelta(9), witnesses=9)
    new = Claim("b", NOW, says_change=True, changed_at=NOW)
    assert winner(old, new) == "b"


def test_change_does_not_outdate_what_is_said_again_after_it() -> None:
    again = Claim("a", NOW, witnesses=2)
    change = Claim("b", NOW, says_change=True, changed_at=NOW - timedelta(1))
    assert winner(again, change) == "a"


def test_change_does_not_outdate_a_higher_level() -> None:
    operator = Claim("a", NOW - timedelta(9), level=TrustLevel.OPERATOR)
    assert winner(operator, Claim("b", NOW, says_change=True, changed_at=NOW)) == "a"


def test_witnesses_that_are_outdated_do_not_outweigh_a_third() -> None:
    outdated = Claim("a", NOW - timedelta(9), witnesses=9)
    change = Claim("b", NOW - timedelta(5), says_change=True, changed_at=NOW - timedelta(5))
    assert winner(outdated, change, Claim("c", NOW)) == "c"


def test_at_the_same_time_a_change_then_the_later_place_decides() -> None:
    first, second = (NOW, 0), (NOW, 1)
    assert (
        winner(Claim("a", NOW, says_change=True, place=first), Claim("b", NOW, place=second)) == "a"
    )
    assert winner(Claim("a", NOW, place=first), Claim("b", NOW, place=second)) == "b"
    assert winner(Claim("a", None, place=first), Claim("b", None, place=second)) == "b"


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
