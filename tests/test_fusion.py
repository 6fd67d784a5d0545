"""Reciprocal rank fusion."""

from __future__ import annotations

from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from memory import fusion
from memory.hits import Arm, ArmHit

NODES = [UUID(int=number) for number in range(12)]

hits = st.lists(
    st.builds(ArmHit, st.sampled_from(NODES), st.floats(-5, 5, allow_nan=False)), max_size=10
)
arms = st.dictionaries(st.sampled_from(list(Arm)), hits)


def found(*numbers: int) -> list[ArmHit]:
    return [ArmHit(NODES[number], 1.0 / rank) for rank, number in enumerate(numbers, start=1)]


def order(fused: list[fusion.Fused]) -> list[int]:
    return [one.node_id.int for one in fused]


def test_a_node_of_two_arms_comes_before_the_first_of_either() -> None:
    fused = fusion.fuse({Arm.SEMANTIC: found(1, 2), Arm.KEYWORD: found(3, 2)})

    assert order(fused) == [2, 1, 3]
    assert fused[0].score == 2 / (fusion.K + 2)
    assert fused[0].ranks == {Arm.SEMANTIC: 2, Arm.KEYWORD: 2}


def test_ties_keep_the_order_of_the_arms() -> None:
    fused = fusion.fuse(
        {Arm.TEMPORAL: found(4), Arm.GRAPH: found(3), Arm.KEYWORD: found(2), Arm.SEMANTIC: found(1)}
    )

    assert order(fused) == [1, 2, 3, 4]


def test_types_come_together_by_the_arms_own_score() -> None:
    world = [ArmHit(NODES[1], 0.9), ArmHit(NODES[2], 0.2)]
    experience = [ArmHit(NODES[3], 0.5), ArmHit(NODES[4], 0.2)]

    merged = fusion.merge([world, experience])

    assert [hit.node_id.int for hit in merged] == [1, 3, 2, 4]


@given(arms)
def test_an_arm_with_nothing_to_say_does_not_vote(found: dict[Arm, list[ArmHit]]) -> None:
    silent = {**found, **{arm: [] for arm in Arm if arm not in found}}

    assert fusion.fuse(silent) == fusion.fuse(found)


@given(arms)
def test_every_node_comes_once_with_the_score_of_its_ranks(found: dict[Arm, list[ArmHit]]) -> None:
    fused = fusion.fuse(found)

    assert {one.node_id for one in fused} == {
        hit.node_id for of_arm in found.values() for hit in of_arm
    }
    assert len({one.node_id for one in fused}) == len(fused)
    assert [one.score for one in fused] == sorted((one.score for one in fused), reverse=True)
    for one in fused:
        assert one.score == sum(1 / (fusion.K + rank) for rank in one.ranks.values())


@given(arms, st.sampled_from(list(Arm)), st.sampled_from(NODES))
def test_one_more_vote_never_costs_a_place(
    found: dict[Arm, list[ArmHit]], arm: Arm, node_id: UUID
) -> None:
    if arm in found or not any(node_id == hit.node_id for of in found.values() for hit in of):
        return
    before = order(fusion.fuse(found)).index(node_id.int)
    after = order(fusion.fuse({**found, arm: [ArmHit(node_id, 1.0)]})).index(node_id.int)

    assert after <= before
