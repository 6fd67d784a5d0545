"""Tag filters: what they mean, what is refused, and tags that are spelt nearly right."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.errors import InvalidTags
from memory.tags import (
    AllOf,
    AnyOf,
    Leaf,
    Not,
    TagMatch,
    checked,
    describe,
    flat,
    groups,
    has_fuzzy,
    matches,
    of_request,
    resolve,
    similarity,
)

MEMORIES = {
    "alice": ["user:alice"],
    "bob": ["user:bob"],
    "both": ["user:alice", "team"],
    "global": [],
}


def passing(tags: list[str] | None, mode: str) -> set[str]:
    given = flat(tags, mode)
    return {name for name, own in MEMORIES.items() if given is None or matches(given, own)}


@pytest.mark.parametrize(
    ("tags", "mode", "names"),
    [
        (["user:alice"], "any", {"alice", "both", "global"}),
        (["user:alice"], "any_strict", {"alice", "both"}),
        (["user:alice", "team"], "any", {"alice", "both", "global"}),
        (["user:alice", "team"], "all", {"both", "global"}),
        (["user:alice", "team"], "all_strict", {"both"}),
        (["user:alice"], "all_strict", {"alice", "both"}),
        (["user:alice"], "exact", {"alice"}),
        (["team", "user:alice"], "exact", {"both"}),
        (["team", "team", "user:alice"], "exact", {"both"}),
        (["unknown"], "any", {"global"}),
        (["unknown"], "any_strict", set()),
        (["unknown"], "all_strict", set()),
        (["unknown"], "exact", set()),
    ],
)
def test_each_mode_passes_its_memories(tags: list[str], mode: str, names: set[str]) -> None:
    assert passing(tags, mode) == names


@pytest.mark.parametrize("tags", [None, []])
@pytest.mark.parametrize("mode", [mode for mode in TagMatch if mode is not TagMatch.EXACT])
def test_fc_52_without_tags_a_mode_is_no_filter(tags: list[str] | None, mode: TagMatch) -> None:
    assert flat(tags, mode) is None


@pytest.mark.parametrize("tags", [None, []])
def test_fc_52_exact_without_tags_passes_the_untagged_alone(tags: list[str] | None) -> None:
    assert passing(tags, "exact") == {"global"}


@pytest.mark.parametrize("mode", TagMatch)
def test_fc_52_null_and_no_tags_are_alike(mode: TagMatch) -> None:
    leaf = Leaf(("a",), mode)
    assert matches(leaf, None) == matches(leaf, [])


def test_groups_are_anded_and_nest() -> None:
    filtered = groups(
        [
            {"tags": ["user:alice"], "match": "all_strict"},
            {"or": [{"tags": ["step:5"]}, {"and": [{"tags": ["high"]}, {"tags": ["open"]}]}]},
            {"not": {"tags": ["archived"]}},
        ]
    )
    assert filtered is not None
    assert matches(filtered, ["user:alice", "step:5"])
    assert matches(filtered, ["user:alice", "high", "open"])
    assert not matches(filtered, ["user:alice", "high"])
    assert not matches(filtered, ["user:bob", "step:5"])
    assert not matches(filtered, ["user:alice", "step:5", "archived"])
    assert not matches(filtered, [])


def test_leaf_of_groups_is_strict_by_default() -> None:
    assert groups([{"tags": ["a"]}]) == Leaf(("a",), TagMatch.ANY_STRICT)


def test_leaf_without_tags_is_everything_but_for_exact() -> None:
    assert matches(Leaf((), TagMatch.ANY_STRICT), ["a"])
    assert not matches(Not(Leaf((), TagMatch.ANY_STRICT)), ["a"])
    assert not matches(Leaf((), TagMatch.EXACT), ["a"])
    assert matches(Leaf((), TagMatch.EXACT), [])


@pytest.mark.parametrize("given", [None, []])
def test_no_groups_are_no_filter(given: Any) -> None:
    assert groups(given) is None


@pytest.mark.parametrize(
    ("given", "part"),
    [
        ({"tags": ["a"]}, "must be a list"),
        ("a", "must be a list"),
        ([["a"]], "must be an object"),
        ([{}], "needs tags"),
        ([{"tag": ["a"]}], "does not know tag"),
        ([{"tags": ["a"], "macth": "any"}], "does not know macth"),
        ([{"tags": ["a"], "not": {"tags": ["b"]}}], "does not know not"),
        ([{"and": [{"tags": ["a"]}], "or": [{"tags": ["b"]}]}], "does not know and, or"),
        ([{"and": []}], "at least one"),
        ([{"or": {"tags": ["a"]}}], "at least one"),
        ([{"not": [{"tags": ["a"]}]}], "must be an object"),
        ([{"tags": ["a"], "match": "some"}], "must be one of"),
        ([{"tags": ["a"], "match": []}], "must be one of"),
        ([{"tags": ["a"], "resolve": "nearly"}], "exact or fuzzy"),
        ([{"tags": "a"}], "must be a list"),
        ([{"tags": [1]}], "must be a text"),
        ([{"tags": [" "]}], "blank"),
        ([{"tags": ["a\x00b"]}], "cannot be stored"),
        ([{"tags": ["\ud800"]}], "cannot be stored"),
        ([{"tags": ["x" * 201]}], "at most 200"),
        ([{"tags": [str(n) for n in range(101)]}], "At most 100"),
        ([{"tags": ["a"]}] * 201, "at most 200"),
    ],
)
def test_fc_39_what_is_not_understood_is_refused(given: Any, part: str) -> None:
    with pytest.raises(InvalidTags, match=part):
        groups(given)


def nested(depth: int) -> list[dict[str, Any]]:
    group: dict[str, Any] = {"tags": ["a"]}
    for _ in range(depth - 1):
        group = {"not": group}
    return [group]


def test_groups_nest_sixteen_deep_and_no_deeper() -> None:
    assert groups(nested(16))
    for depth in (17, 5000):
        with pytest.raises(InvalidTags, match="at most 16 deep"):
            groups(nested(depth))


def test_fc_69_sql_in_a_tag_is_a_tag() -> None:
    tag = "x') OR 1=1 --"
    assert checked([tag]) == (tag,)
    with pytest.raises(InvalidTags):
        checked(["x" * 10_000])


def test_tags_beside_groups_are_refused() -> None:
    with pytest.raises(InvalidTags, match="not both"):
        of_request(tags=["a"], tag_groups=[{"tags": ["b"]}])
    with pytest.raises(InvalidTags, match="not both"):
        of_request(tags=["a"], match="exact", tag_groups=[{"tags": ["b"]}])


def test_exact_without_tags_narrows_groups_to_the_untagged() -> None:
    filtered = of_request(tags=None, match="exact", tag_groups=[{"not": {"tags": ["b"]}}])
    assert filtered is not None
    assert matches(filtered, [])
    assert not matches(filtered, ["a"])


def test_request_without_any_is_no_filter() -> None:
    assert of_request(tags=[], tag_groups=[]) is None
    assert of_request(tags=["a"], match="all") == Leaf(("a",), TagMatch.ALL)


def test_description_reads_as_the_filter_means() -> None:
    filtered = groups(
        [
            {"tags": ["a", "b"], "match": "all_strict"},
            {"not": {"or": [{"tags": ["c"]}, {"tags": ["d"], "resolve": "fuzzy"}]}},
        ]
    )
    assert filtered is not None
    assert describe(filtered) == ("all_strict(a, b) and not (any_strict(c) or any_strict~(d))")


@pytest.mark.parametrize(
    ("a", "b", "value"),
    [
        ("typescropt", "typescript", 0.571),
        ("typsecript", "typescript", 0.467),
        ("kubernets", "kubernetes", 0.615),
        ("kakfa", "kafka", 0.2),
        ("mango", "mongo", 0.333),
        ("k9s", "k8s", 0.143),
        ("user:alcie", "user:alice", 0.467),
        ("Same words", "words, same!", 1.0),
        ("", "", 0.0),
        ("--", "a", 0.0),
    ],
)
def test_similarity_is_that_of_pg_trgm(a: str, b: str, value: float) -> None:
    assert similarity(a, b) == pytest.approx(value, abs=5e-4)


VOCABULARY = ["typescript", "kubernetes", "kafka", "user:alice", "user:alina", "Team"]


def resolved(tags: list[str], mode: str = "any_strict") -> Any:
    filtered = groups([{"tags": tags, "match": mode, "resolve": "fuzzy"}])
    assert filtered is not None
    return resolve(filtered, VOCABULARY)


def test_near_tag_takes_the_place_of_a_misspelt_one() -> None:
    assert resolved(["typsecript"]) == Leaf(("typescript",), TagMatch.ANY_STRICT)


def test_whole_tag_is_compared_with_its_namespace() -> None:
    assert "user:alice" in resolved(["user:alcie"]).tags


def test_tag_that_is_there_in_another_case_wins_alone() -> None:
    assert resolved(["team"]).tags == ("Team",)
    assert resolved(["user:alice"]).tags == ("user:alice",)


def test_tag_that_resembles_none_stays_and_matches_nothing() -> None:
    assert resolved(["kakfa"]) == Leaf(("kakfa",), TagMatch.ANY_STRICT)
    assert not any(matches(resolved(["kakfa"]), [tag]) for tag in VOCABULARY)


@pytest.mark.parametrize(("mode", "single"), [("all", "any"), ("all_strict", "any_strict")])
def test_all_asks_for_one_tag_near_each(mode: str, single: str) -> None:
    filtered = resolved(["typsecript", "kubernets"], mode)
    assert filtered == AllOf(
        (Leaf(("typescript",), TagMatch(single)), Leaf(("kubernetes",), TagMatch(single)))
    )
    assert matches(filtered, []) == (mode == "all")


def test_exact_stands_for_every_scope_and_none_that_is_smaller() -> None:
    filtered = resolved(["user:alic", "user:alin"], "exact")
    assert isinstance(filtered, AnyOf)
    assert [leaf.tags for leaf in filtered.parts if isinstance(leaf, Leaf)] == [
        ("user:alice", "user:alina")
    ]


def test_exact_whose_tags_mean_one_and_the_same_matches_nothing() -> None:
    filtered = resolved(["typescript", "typescropt"], "exact")
    assert not matches(filtered, ["typescript"])
    assert not matches(filtered, [])


def test_exact_that_stands_for_too_many_scopes_is_refused() -> None:
    near = [f"{word}{n}" for word in ("kubernetes", "typescript") for n in range(6)]
    filtered = groups(
        [{"tags": ["kubernetes", "typescript"], "match": "exact", "resolve": "fuzzy"}]
    )
    assert filtered is not None
    with pytest.raises(InvalidTags, match="at most 32"):
        resolve(filtered, near)


def test_fuzzy_leaf_under_not_is_resolved() -> None:
    filtered = groups([{"not": {"tags": ["typsecript"], "resolve": "fuzzy"}}])
    assert filtered is not None
    assert has_fuzzy(filtered)
    known = resolve(filtered, VOCABULARY)
    assert not has_fuzzy(known)
    assert not matches(known, ["typescript"])


def test_bank_with_too_many_tags_is_refused() -> None:
    leaf = Leaf(("a",), fuzzy=True)
    assert resolve(leaf, [f"tag-{n}" for n in range(5000)])
    with pytest.raises(InvalidTags, match="5000"):
        resolve(leaf, [f"tag-{n}" for n in range(5001)])


@pytest.mark.parametrize("mode", TagMatch)
def test_fuzzy_leaf_without_tags_keeps_its_meaning(mode: TagMatch) -> None:
    leaf = resolve(Leaf((), mode, fuzzy=True), VOCABULARY)
    assert matches(leaf, []) is True
    assert matches(leaf, ["a"]) is (mode is not TagMatch.EXACT)


@given(st.text(max_size=30), st.text(max_size=30))
def test_similarity_is_symmetric_and_at_most_one(a: str, b: str) -> None:
    assert 0 <= similarity(a, b) == similarity(b, a) <= 1


@given(st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=4, unique=True))
def test_resolving_tags_that_are_there_changes_nothing(tags: list[str]) -> None:
    for mode in TagMatch:
        found = resolve(Leaf(tuple(tags), mode, fuzzy=True), VOCABULARY)
        plain = Leaf(tuple(tags), mode)
        for own in ([], tags, tags[:1], [*tags, "other"]):
            assert matches(found, own) == matches(plain, own)
