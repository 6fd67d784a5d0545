"""``mem query`` by level: R only on request, filters before recall, the floor, and who rests on what.

A small project beside a corpus of more than ten times its size whose sections hold the project's own
words, so that they would win every place that they are let into.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from memory import tenancy
from memory.backends import registry
from memory.models import Bank, Edge, EdgeType, Level, Node
from memory.recall.arms import semantic
from tests.bank_rows import make_bank, make_document, place_node
from tests.factories import Org, make_org
from tests.mem_command import Ran, mem
from tests.nodes import add_node, add_nodes, link
from tests.owner import without_constraints

FACTS, OBSERVATIONS, SECTIONS = 55, 22, 900
K, WIDTH = 5, 50  # of the default
AT = "2026-03-01T00:00:00Z"  # recency counts from here, so that two runs say the same

QUESTION = "Why did requests over 10KB fail?"
SEEN = "Large requests fail over 10KB."
ANSWER = "Requests over 10KB fail because the proxy buffers them."


@dataclass(frozen=True)
class Project:
    org: Org
    bank: Bank

    def query(self, text: str, *flags: str) -> Ran:
        return mem("query", text, "--project", self.bank.name, "--at", AT, *flags, org=self.org)


@pytest.fixture
def project(db: None) -> Project:
    return make_project()


def make_project() -> Project:
    """Passages, as many facts from them as are needed to fill every place, and observations."""
    org = make_org()
    bank = make_bank(org, "ops")
    with tenancy.scope(org.tenant.pk):
        log = make_document(bank, "log.md", f"On Monday we looked. {ANSWER} Then we slept.")
        raw = place_node(log, log.text, level=Level.L0)
        fact = place_node(log, ANSWER)
        seen = add_node(bank, SEEN, level=Level.L2)
        link(fact, raw)
        link(seen, fact)
        add_nodes(bank, [f"Requests of host {n} over the proxy are logged." for n in range(FACTS)])
        add_nodes(
            bank,
            [f"Host {n} logs its requests." for n in range(OBSERVATIONS)],
            level=Level.L2,
        )
    return Project(org, bank)


TITLE, SECTION = (
    "Requests {n}",
    "Why requests over 10KB fail: case {n}. The proxy buffers, requests fail.",
)


def add_corpus(project: Project, folder: Path) -> None:
    """Through the command, as a person would."""
    for n in range(SECTIONS):
        page = f"# {TITLE.format(n=n)}\n\n{SECTION.format(n=n)}\n"
        (folder / f"page-{n}.md").write_text(page)
    ran = mem("corpus", "add", "docs", str(folder), "--project", "ops", org=project.org)
    assert ran.code == 0, ran.err
    check_size(project)


def add_sections(project: Project) -> None:
    """The same as rows, for tests that are not about loading."""
    with tenancy.scope(project.org.tenant.pk):
        add_nodes(
            project.bank,
            [SECTION.format(n=n) for n in range(SECTIONS)],
            level=Level.R,
            heading_path=["Requests", "Failures"],
            source_uri="https://docs.example/requests",
        )
    check_size(project)


def check_size(project: Project) -> None:
    """A small corpus would show nothing: it has to be larger than the width and ten times the rest."""
    with tenancy.scope(project.org.tenant.pk):
        nodes = Node.objects.filter(bank=project.bank)
        assert nodes.filter(level=Level.R).count() == SECTIONS > 10 * WIDTH
        assert 10 * nodes.exclude(level=Level.R).count() <= SECTIONS


QUERIES = (QUESTION, "proxy", "Which hosts log requests?", "case 7 of requests that fail")


def test_a1_default_unchanged_by_corpus(project: Project, tmp_path: Path) -> None:
    def outputs() -> list[str]:
        return [
            project.query(text, *flags).out
            for text in QUERIES
            for flags in ((), ("--format", "json"), ("--min-score", "0", "--k", "50"))
        ]

    before = outputs()
    assert ANSWER in before[0]
    add_corpus(project, tmp_path)
    assert outputs() == before
    # The corpus would have won, had it been asked.
    best = project.query(QUESTION, "--levels", "R", "--format", "json").json["best_score"]
    assert best >= project.query(QUESTION, "--format", "json").json["best_score"]


@dataclass
class Seen:
    """A statement that looks for the nearest vectors, and how many rows it gave."""

    sql: str
    rows: int


@contextmanager
def vector_statements() -> Iterator[list[Seen]]:
    seen: list[Seen] = []

    def watch(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        result = execute(sql, params, many, context)
        if "memory_vector" in sql and "ORDER BY" in sql and "<=>" in sql:
            seen.append(Seen(sql, context["cursor"].rowcount))
        return result

    with connection.execute_wrapper(watch):
        yield seen


@pytest.mark.parametrize("way", ["exact", "index"])
def test_a2_filter_before_recall(
    project: Project, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_sections(project)
    if way == "index":
        monkeypatch.setattr(semantic, "EXACT", 10)
    flags = ("--levels", "L1", "--min-score", "0", "--format", "json")
    with vector_statements() as seen:
        shown = project.query(QUESTION, *flags).json
    assert len(shown["hits"]) == K
    assert {hit["level"] for hit in shown["hits"]} == {"L1"}
    (statement,) = seen
    assert "vector.level = 'L1'" in statement.sql.partition("ORDER BY")[0]
    assert ("::halfvec(64)) <=>" in statement.sql) == (way == "index")
    assert statement.rows == WIDTH


def test_a2_width_is_ten_times_k_for_each_level(project: Project) -> None:
    """In one statement, with a part for each level that names it."""
    add_sections(project)
    for levels, k in (("R", 7), ("L1", 3), ("L1,L2", 2), ("L1,L2,R", 2)):
        with vector_statements() as seen:
            project.query(QUESTION, "--levels", levels, "--k", str(k))
        (statement,) = seen
        parts = statement.sql.split("UNION ALL")
        for part, level in zip(parts, levels.split(","), strict=True):
            assert f"vector.level = '{level}'" in part.partition("ORDER BY")[0]
        assert statement.rows == 10 * k * len(parts)


def test_a3_levels_r_returns_reference(project: Project, tmp_path: Path) -> None:
    add_corpus(project, tmp_path)
    asked = project.query(QUESTION, "--levels", "R", "--format", "json").json
    assert len(asked["hits"]) == K
    for hit in asked["hits"]:
        assert hit["level"] == "R"
        assert hit["source_uri"].startswith(f"{tmp_path.as_uri()}/page-")
        assert hit["heading_path"][0].startswith("Requests ")
    # Both directions: who does not ask for R gets none.
    default = project.query(QUESTION, "--format", "json", "--k", "100", "--min-score", "0").json
    assert {hit["level"] for hit in default["hits"]} == {"L1", "L2"}


WEAK = "Which vendor sells a proxy cabinet in Lisbon?"


def test_a4_floor_abstains(project: Project) -> None:
    add_sections(project)
    weak = project.query(WEAK, "--format", "json").json
    assert weak["hits"] == []
    assert weak["abstained"] is True
    assert 0 < weak["best_score"] < weak["floor"] == 0.5
    ran = project.query(WEAK)
    best = f"{weak['best_score']:.2f}"
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == (
        f"no hits above relevance floor (best {best} < 0.50 threshold)\n"
        "try --min-score to lower it, or --levels R to search reference docs\n"
    )
    assert weak["message"] == ran.out.rstrip("\n")


def test_a5_floor_override_recovers(project: Project) -> None:
    add_sections(project)
    assert project.query(WEAK, "--format", "json").json["hits"] == []
    for flags in (("--min-score", "0"), ("--min-score", "0.0"), ("--min-score", "0.1")):
        shown = project.query(WEAK, *flags, "--format", "json").json
        assert len(shown["hits"]) == K
        assert shown["abstained"] is False
        assert shown["message"] is None
    assert project.query(QUESTION, "--min-score", "1", "--format", "json").json["hits"] == []


@dataclass
class ByList:
    """A reranker that says what it is told, and 0.9 of all else."""

    scores: dict[str, float]
    name: str = "by-list"
    floor: float | None = 0.5
    seen: list[str] = field(default_factory=list)

    def score(self, query: str, passages: Any, *, known: Any = ()) -> list[float]:
        self.seen += passages
        return [self.scores.get(passage, 0.9) for passage in passages]


def test_a6_floor_applies_post_rerank(monkeypatch: pytest.MonkeyPatch, db: None) -> None:
    org = make_org()
    bank = make_bank(org, "ops")
    near, far = "The proxy buffers requests.", "Buffers of hosts fill up in a storm of packets."
    with tenancy.scope(org.tenant.pk):
        add_nodes(bank, [near, far])
    reranker = ByList({near: 0.2, far: 0.8})
    monkeypatch.setattr(registry, "reranker", lambda: reranker)
    ran = mem("query", near, "--project", "ops", "--format", "json", org=org)
    open_ = mem("query", near, "--project", "ops", "--min-score", "0", "--format", "json", org=org)
    cosines = {hit["text"]: hit["scores"]["semantic"] for hit in open_.json["hits"]}
    assert cosines[near] > 0.99 > 0.5 > cosines[far], "near by cosine, far by cosine"
    assert set(reranker.seen) == {near, far}
    assert [hit["text"] for hit in ran.json["hits"]] == [far]


def test_a7_r_hits_visually_distinct(project: Project) -> None:
    add_sections(project)
    levels = ("--levels", "L1,L2,R", "--k", "12")
    shown = project.query(QUESTION, *levels, "--format", "json").json["hits"]
    assert {hit["level"] for hit in shown} == {"L1", "L2", "R"}
    for hit in shown:
        assert ("provenance" in hit) == (hit["level"] != "R")
        assert ("source_uri" in hit) == ("heading_path" in hit) == (hit["level"] == "R")
    blocks = project.query(QUESTION, *levels).out.rstrip().split("\n\n")
    assert len(blocks) == len(shown)
    for block, hit in zip(blocks, shown, strict=True):
        is_reference = hit["level"] == "R"
        assert ("\n   source  https://docs.example/requests" in block) == is_reference
        assert ("\n   under   Requests › Failures" in block) == is_reference
        assert ("\n   from    " in block) != is_reference


def test_a7_a_fact_shows_one_hop_and_an_observation_two(project: Project) -> None:
    shown = project.query(QUESTION, "--min-score", "0", "--k", "100", "--format", "json").json
    by_text = {hit["text"]: hit for hit in shown["hits"]}
    (passage,) = by_text[ANSWER]["provenance"]
    assert (passage["level"], passage["document"], passage["provenance"]) == ("L0", "log.md", [])
    (fact,) = by_text[SEEN]["provenance"]
    assert (fact["level"], fact["text"], fact["char_start"]) == ("L1", ANSWER, 21)
    assert [parent["sha"] for parent in fact["provenance"]] == [passage["sha"]]
    blocks = project.query(QUESTION, "--min-score", "0", "--k", "100").out.split("\n\n")
    (block,) = (block for block in blocks if SEEN in block)
    hops = [line for line in block.splitlines() if "log.md" in line]
    assert hops[0].startswith(f"   from    L1 {fact['sha'][:12]}  log.md, characters 21-")
    assert hops[1].startswith(f"              L0 {passage['sha'][:12]}  log.md, characters 0-")


def test_what_two_documents_say_in_the_same_words_is_shown_once_with_both(project: Project) -> None:
    for document in ("a", "b"):
        retained = mem(
            "retain",
            "The depot opens at 7.",
            "--project",
            "ops",
            "--document",
            document,
            org=project.org,
        )
        assert retained.code == 0, retained.err
    flags = ("--min-score", "0", "--k", "3", "--format", "json")
    shown = project.query("When does the depot open?", *flags).json["hits"]
    assert len(shown) == 3  # others take the places
    (once,) = (hit for hit in shown if "depot" in hit["text"])
    assert once["level"] == "L2"
    assert len(once["provenance"]) == 2
    facts = project.query("When does the depot open?", "--levels", "L1", *flags).json["hits"]
    assert len([hit for hit in facts if "depot" in hit["text"]]) == 2


def test_a7_a_passage_that_two_facts_came_from_is_under_both(project: Project) -> None:
    with tenancy.scope(project.org.tenant.pk):
        seen, fact = Node.objects.get(text=SEEN), Node.objects.get(text=ANSWER)
        other = add_node(project.bank, "The proxy buffers.")
        link(other, Node.objects.get(level=Level.L0))
        link(seen, other)
    flags = ("--levels", "L2", "--min-score", "0", "--format", "json")
    (shown, *_) = project.query(SEEN, *flags).json["hits"]
    assert {one["sha"]: len(one["provenance"]) for one in shown["provenance"]} == {
        fact.sha: 1,
        other.sha: 1,
    }


def test_a8_no_edge_to_r(committed_db: None) -> None:
    org = make_org()
    bank = make_bank(org, "ops")
    with tenancy.scope(org.tenant.pk):
        fact, reference = add_node(bank, ANSWER), add_node(bank, "A page.", level=Level.R)
    assert mem("verify", "--edges", org=org).code == 0
    with without_constraints("memory_edge", "edge_never_of_reference"):
        with tenancy.scope(org.tenant.pk):
            link(fact, reference, EdgeType.SEMANTIC)
        ran = mem("verify", "--edges", org=org)
        shown = mem("verify", "--edges", "--format", "json", "--project", "ops", org=org)
    assert ran.code == shown.code == 1
    assert f"{fact.sha[:12]} → {reference.sha[:12]}: a reference section is the parent" in ran.out
    (fault,) = shown.json["checks"]["edges"]["faults"]
    assert fault["shas"] == [fact.sha, reference.sha]
    # The constraint is back.
    assert mem("verify", "--edges", org=org).code == 0
    with tenancy.scope(org.tenant.pk):
        assert not Edge.objects.exists()
    with pytest.raises(Exception, match="edge_never_of_reference"), tenancy.scope(org.tenant.pk):
        link(fact, reference, EdgeType.SEMANTIC)


def test_a9_mixed_levels_ordering(project: Project) -> None:
    add_sections(project)
    with tenancy.scope(project.org.tenant.pk):
        add_node(project.bank, f"{QUESTION} The proxy buffers them.")
    mixed = ("--levels", "L1,L2,R", "--k", "12")
    shown = project.query(QUESTION, *mixed, "--format", "json").json["hits"]
    finals = [hit["scores"]["final"] for hit in shown]
    assert finals == sorted(finals, reverse=True)
    assert [hit["rank"] for hit in shown] == list(range(1, len(shown) + 1))
    kinds = [hit["level"] for hit in shown]
    assert set(kinds) == {"L1", "L2", "R"}
    assert (kinds[0], kinds[-1] != "R") == ("L1", True), "ranked together, not level by level"
    rows = [line for line in project.query(QUESTION, *mixed).out.splitlines() if line[:1].isdigit()]
    assert [row.split()[1] for row in rows] == kinds


def test_a9_every_level_gives_its_own_best(project: Project) -> None:
    """However many sections there are, a level's candidates are those it has on its own."""
    add_sections(project)
    flags = ("--k", "1000", "--min-score", "0", "--format", "json")
    alone = project.query(QUESTION, "--levels", "L1,L2", *flags).json["hits"]
    mixed = project.query(QUESTION, "--levels", "L1,L2,R", *flags).json["hits"]
    scores = {hit["id"]: hit["scores"] for hit in mixed}
    assert len(mixed) > len(alone) > 50
    assert all(scores[hit["id"]] == hit["scores"] for hit in alone)


def test_a9_the_corpus_leaves_half_of_the_places_to_the_project(project: Project) -> None:
    """Every section scores as high as the best fact or higher."""
    add_sections(project)
    flags = ("--levels", "L1,L2,R", "--min-score", "0", "--format", "json")
    for k, most in ((1, 1), (2, 1), (5, 3), (20, 10)):
        shown = project.query(QUESTION, *flags, "--k", str(k)).json["hits"]
        assert len(shown) == k
        assert [hit["level"] for hit in shown].count("R") <= most
