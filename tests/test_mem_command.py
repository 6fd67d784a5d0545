"""``mem`` on the terminal: exit codes, what goes to which stream, and what people and programs read."""

from __future__ import annotations

import json
import sys
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from django.core.management import call_command
from django.db import OperationalError, connections

import manage
from config.services.errors import ServiceError
from memory import members, tenancy
from memory.backends import registry
from memory.corpora import Progress
from memory.hits import Ancestor, Hit, Recalled, Scores
from memory.levels import Level
from memory.mem import messages, people
from memory.mem.progress import Watch
from memory.models import Access, Bank, Document, Node
from memory.trees import Refused
from tests.bank_rows import make_bank
from tests.factories import Org, make_org
from tests.mem_command import Ran, mem
from tests.nodes import add_node, add_nodes

FACT = "The proxy buffers requests."


@pytest.fixture
def org(db: None) -> Org:
    return make_org()


@pytest.fixture
def bank(org: Org) -> Bank:
    bank = make_bank(org, "ops")
    with tenancy.scope(org.tenant.pk):
        add_node(bank, FACT, tags=["proxy"])
        add_node(bank, "The proxy is old.", tags=["archived"])
    return bank


def query(org: Org, *arguments: str) -> Ran:
    return mem("query", *arguments, "--project", "ops", org=org)


# -- exit codes (FC-57) --------------------------------------------------------------------------


def test_fc_57_nothing_above_the_floor_is_no_error(org: Org, bank: Bank) -> None:
    plain = query(org, "which proxy cabinet in Lisbon")
    shown = query(org, "which proxy cabinet in Lisbon", "--format", "json")
    assert (plain.code, plain.err, shown.code, shown.err) == (0, "", 0, "")
    assert plain.out.startswith("no hits above relevance floor (best 0.20 < 0.50 threshold)\n")
    assert shown.json["abstained"] is True
    assert (shown.json["best_score"], shown.json["floor"]) == (0.2, 0.5)


def test_fc_57_a_flag_makes_it_one(org: Org, bank: Bank) -> None:
    ran = query(org, "which proxy cabinet in Lisbon", "--fail-on-abstain", "--format", "json")
    assert (ran.code, ran.json["abstained"]) == (5, True)
    assert query(org, FACT, "--fail-on-abstain").code == 0


def unknown_project(org: Org) -> Ran:
    return mem("query", "proxy", "--project", "none", "--format", "json", org=org)


def unknown_member(org: Org) -> Ran:
    return mem("query", "proxy", "--project", "ops", "--format=json", "--user", "nobody", org=org)


def bad_flag(org: Org) -> Ran:
    return query(org, "proxy", "--depth", "3", "--format", "json")


def database_away(org: Org) -> Ran:
    with patch.object(
        connections["default"], "cursor", side_effect=OperationalError("connection refused\nat x")
    ):
        return query(org, "proxy", "--format", "json")


@pytest.mark.parametrize(
    ("failing", "exit_code", "word"),
    [
        (unknown_project, 3, "unknown_project"),
        (unknown_member, 3, "unknown_member"),
        (database_away, 4, "database_unreachable"),
        (bad_flag, 2, "bad_flags"),
    ],
)
def test_fc_57_failures_are_told_apart(
    org: Org, bank: Bank, failing: Any, exit_code: int, word: str
) -> None:
    ran = failing(org)
    assert (ran.code, ran.out) == (exit_code, "")
    assert (ran.error["code"], ran.error["exit_code"]) == (word, exit_code)
    assert ran.error["message"]


def test_fc_57_people_read_one_line_on_stderr(org: Org) -> None:
    ran = query(org, "proxy")
    assert (ran.code, ran.out, ran.err) == (3, "", "mem: There is no project ops.\n")


@pytest.mark.parametrize("flags", [(), ("--format", "json")])
def test_fc_57_a_database_that_does_not_start_is_away(
    flags: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    away = ServiceError("The disk is full.")
    with (
        patch("config.services.pair.ensure", side_effect=away),
        patch.object(sys, "argv", ["manage.py", "mem", "banks", *flags]),
    ):
        assert manage.main() == 4
    told = capsys.readouterr().err
    if flags:
        assert json.loads(told)["error"]["code"] == "database_unreachable"
    else:
        assert told == "mem: The disk is full.\n"


def test_an_unforeseen_fault_is_one_too(
    org: Org, bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(members, "acting", lambda *_, **__: 1 / 0)
    ran = query(org, "proxy", "--format", "json")
    assert (ran.code, ran.error["code"]) == (1, "fault")
    assert "ZeroDivisionError" in ran.error["message"]


@pytest.mark.parametrize(
    "flags",
    [
        ("--k", "0"),
        ("--k", "1001"),
        ("--k", "many"),
        ("--min-score", "-0.1"),
        ("--min-score", "1.1"),
        ("--min-score", "nan"),
        ("--min-score", "high"),
        ("--levels", "L3"),
        ("--levels", ""),
        ("--levels", "L1,,L2"),
        ("--tags-match", "some"),
        ("--tag-groups", "{"),
        ("--tag-groups", '[{"tag": ["a"]}]'),
        ("--tags", "a", "--tag-groups", '[{"tags": ["a"]}]'),
        ("--at", "yesterday"),
        ("--format", "yaml"),
    ],
)
def test_a_flag_that_means_nothing_is_refused_before_anything_is_looked_up(
    org: Org, bank: Bank, flags: tuple[str, ...]
) -> None:
    ran = query(org, "proxy", *flags)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("mem: ")


def test_a_query_without_a_word_is_a_bad_one(org: Org, bank: Bank) -> None:
    assert query(org, "?!").code == 2


# -- query ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("zero", ["0", "0.0"])
def test_fc_45_zero_switches_the_floor_off(org: Org, bank: Bank, zero: str) -> None:
    asked = "which proxy cabinet in Lisbon"
    assert query(org, asked, "--format", "json").json["floor"] == 0.5
    assert query(org, asked, "--min-score", "0.3", "--format", "json").json["floor"] == 0.3
    off = query(org, asked, "--min-score", zero, "--format", "json").json
    assert (off["floor"], off["abstained"], len(off["hits"])) == (None, False, 2)


@pytest.mark.parametrize(
    "flags",
    [
        ("--tag-groups", '[{"not": {"tags": ["archived"]}}]'),
        ("--tags", "proxy", "--tags-match", "any_strict"),
        ("--tags", " proxy ,"),
    ],
)
def test_fc_56_tags_filter_as_on_every_surface(
    org: Org, bank: Bank, flags: tuple[str, ...]
) -> None:
    shown = query(org, "proxy", "--min-score", "0", *flags, "--format", "json").json
    assert [hit["text"] for hit in shown["hits"]] == [FACT]


def test_levels_in_any_case_and_each_once(org: Org, bank: Bank) -> None:
    assert query(org, "proxy", "--levels", "r, l1,R", "--format", "json").json["levels"] == [
        "R",
        "L1",
    ]


def test_k_bounds_the_hits(org: Org, bank: Bank) -> None:
    with tenancy.scope(org.tenant.pk):
        add_nodes(bank, [f"The proxy {n}." for n in range(9)])
    assert len(query(org, "proxy", "--format", "json").json["hits"]) == 5
    assert len(query(org, "proxy", "--k", "7", "--format", "json").json["hits"]) == 7


def test_a_hit_is_named_by_its_sha(org: Org, bank: Bank) -> None:
    with tenancy.scope(org.tenant.pk):
        sha = Node.objects.get(text=FACT).sha
    assert query(org, FACT, "--format", "json").json["hits"][0]["sha"] == sha
    assert query(org, FACT).out.startswith(f"1  L1  {sha[:12]}  ")


def test_the_trace_comes_when_it_is_asked_for(org: Org, bank: Bank) -> None:
    assert "trace" not in query(org, FACT, "--format", "json").json
    assert query(org, FACT, "--trace", "--format", "json").json["trace"]
    assert json.loads(query(org, FACT, "--trace").out.splitlines()[-1])


def test_a_reranker_without_a_floor_is_said(
    org: Org, bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry.reranker(), "floor", None)
    ran = query(org, "which proxy cabinet in Lisbon")
    assert "no relevance floor is known for the reranker fake" in ran.err
    assert ran.out.count("scores") == 2
    assert query(org, "which proxy cabinet in Lisbon", "--min-score", "0.1").err == ""


@pytest.mark.parametrize("scores", [[float("nan"), 0.9], [0.9]])
def test_fc_46_scores_that_are_none_show_nothing(
    org: Org, bank: Bank, monkeypatch: pytest.MonkeyPatch, scores: list[float]
) -> None:
    monkeypatch.setattr(registry.reranker(), "score", lambda *_, **__: scores)
    ran = query(org, "proxy", "--format", "json")
    assert (ran.code, ran.json["hits"], ran.json["abstained"]) == (0, [], True)
    assert ran.json["degraded"] == ["reranker"]
    assert ran.json["message"].startswith("fake could not score what was found")
    # Who asks for no floor gets what was found, and is told.
    open_ = query(org, "proxy", "--min-score", "0")
    assert open_.out.count("reranker –") == 2
    assert "fake could not score what was found: it is in the order in which" in open_.err


def test_acts_as_the_user_who_is_named(org: Org) -> None:
    make_bank(org, "ops", owner=org.reader, access=Access.PRIVATE)
    name = org.reader.user.username
    assert mem("query", "x", "--project", "ops", "--user", name, org=org).code == 0
    assert mem("query", "x", "--project", "ops", org=org).code == 3
    assert mem("banks", "--user", name, org=org).out.startswith("ops  private")


def test_several_organisations_need_a_name(org: Org) -> None:
    make_org()
    assert mem("banks", "--format", "json").error["code"] == "unknown_member"


def test_it_is_a_django_command_too(org: Org, bank: Bank) -> None:
    out = StringIO()
    call_command("mem", "banks", "--tenant", org.tenant.slug, stdout=out)
    assert out.getvalue().startswith("ops")


# -- messages and lines, without a database ------------------------------------------------------


def recalled(*hits: Hit, **fields: Any) -> Recalled:
    about = {"reranker": "fake", "floor": 0.35, "best_score": None, "abstained": False}
    return Recalled(hits=hits, **(about | fields))


def said(levels: tuple[Level, ...] = (Level.L1,), **fields: Any) -> str | None:
    return messages.without_hits(recalled(**fields), project="ops", levels=levels)


def test_the_message_of_the_contract() -> None:
    assert said(best_score=0.21, abstained=True) == (
        "no hits above relevance floor (best 0.21 < 0.35 threshold)\n"
        "try --min-score to lower it, or --levels R to search reference docs"
    )


def test_who_searched_the_reference_docs_is_not_sent_there() -> None:
    assert said((Level.L1, Level.R), best_score=0.21, abstained=True) == (
        "no hits above relevance floor (best 0.21 < 0.35 threshold)\ntry --min-score to lower it"
    )
    assert said((Level.R,)) == "nothing in ops matches\ntry other words"


def test_nothing_at_all_and_a_reranker_that_failed_say_so() -> None:
    assert (said() or "").startswith("nothing in ops matches\n")
    failed = said(abstained=True, degraded=("reranker",))
    assert (failed or "").startswith("fake could not score what was found")


@pytest.mark.parametrize(
    ("best", "floor", "shown"),
    [
        (0.21, 0.35, ("0.21", "0.35")),
        (0.3499, 0.35, ("0.34", "0.35")),
        (0.0, 0.35, ("0.00", "0.35")),
        (0.004, 0.005, ("0.004", "0.005")),
        (0.3549, 0.355, ("0.354", "0.355")),
        (0.35, 0.3501, ("0.3500", "0.3501")),
    ],
)
def test_the_best_score_always_reads_as_the_smaller(
    best: float, floor: float, shown: tuple[str, str]
) -> None:
    assert messages.apart(best, floor) == shown


def hit(**fields: Any) -> Hit:
    about = {
        "id": 1,
        "sha": "ab" * 32,
        "level": Level.L1,
        "fact_type": None,
        "text": FACT,
        "scores": Scores(final=0.5),
        "rank": 1,
    }
    return Hit(**(about | fields))


def test_what_a_terminal_would_obey_is_not_printed() -> None:
    shown = list(people.hits(recalled(hit(text="a\x1b[2Jb\tc\nd\x07", document_name="x\ny\x1b"))))
    assert shown[1:3] == ["   │ a\ufffd[2Jb\tc", "   │ d\ufffd"]
    assert "\x1b" not in "".join(shown)


def test_no_text_can_pass_for_a_source() -> None:
    text = "Words.\n\n   source  https://other.example\n2  R   abcdef  0.99"
    shown = list(people.hits(recalled(hit(text=text))))
    assert [line for line in shown if "other.example" in line or " R " in line] == shown[3:5]
    assert all(line.startswith("   │") for line in shown[1:5])


def test_a_cycle_in_the_provenance_ends() -> None:
    """The database forbids it; a restored dump might not."""

    def ancestor(number: int, via: int, depth: int) -> Any:
        about = {"document_id": None, "document_name": None, "source_uri": "", "mentioned_at": None}
        return Ancestor(
            id=number, sha="cd" * 32, level=Level.L1, depth=depth, via=via,
            text="x", char_start=0, char_end=0, **about,
        )  # fmt: skip

    found = recalled(hit(), provenance={1: (ancestor(2, 1, 1), ancestor(1, 2, 2))})
    assert sum("L1 cdcd" in line for line in people.hits(found)) == 2


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_one_line_that_moves_on_a_terminal_and_quiet_elsewhere() -> None:
    steps = [
        Progress("reading", 1, 2),
        Progress("reading", 2, 2, Refused("a\x1b.md", "It is encrypted.")),
    ]
    for err in (Terminal(), StringIO()):
        watch = Watch(err)
        for step in steps:
            watch(step)
        watch.end()
        shown = err.getvalue()
        assert "a\ufffd.md: It is encrypted.\n" in shown
        assert ("\r\x1b[Kreading: 1 of 2" in shown) == err.isatty()
        assert shown.count("\n") == 1


# -- the other actions ----------------------------------------------------------------------------


def test_what_was_retained_is_found(org: Org, tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_text("Bob keeps the keys.")
    flags = ("--project", "ops", "--format", "json")
    by_word = mem("retain", FACT, "--document", "log", "--tags", "a,b", *flags, org=org)
    by_file = mem("retain", "--file", str(note), "--metadata", "page=3", *flags, org=org)
    by_pipe = mem("retain", "-", *flags, org=org, stdin="Carol fixed it. ü".encode())
    assert [ran.code for ran in (by_word, by_file, by_pipe)] == [0, 0, 0]
    assert by_word.json["documents"][0]["name"] == "log"
    assert by_word.json["documents"][0]["change"] == "created"
    for asked, text in (("proxy buffers requests", FACT), ("Bob keeps the keys", "Bob keeps")):
        (first, *_) = query(org, asked, "--format", "json").json["hits"]
        assert first["text"].startswith(text)
        assert [parent["level"] for parent in first["provenance"]] == ["L0"]
    with tenancy.scope(org.tenant.pk):
        assert set(Document.objects.values_list("text", flat=True)) >= {"Carol fixed it. ü"}
        assert Node.objects.filter(level=Level.L1, text=FACT).get().tags == ["a", "b"]


@pytest.mark.parametrize(
    ("flags", "code"),
    [
        (("text", "--metadata", "page"), 2),
        (("text", "--timestamp", "soon"), 2),
        (("text", "--file", "x"), 2),
        (("--file", "/nowhere/x"), 1),
        (("",), 1),
    ],
)
def test_what_cannot_be_retained_is_refused(org: Org, flags: tuple[str, ...], code: int) -> None:
    assert mem("retain", *flags, "--project", "ops", org=org).code == code


def test_bytes_that_are_no_text_are_refused(org: Org) -> None:
    ran = mem("retain", "-", "--project", "ops", "--format", "json", org=org, stdin=b"\xff\xfe\x00")
    assert (ran.code, ran.error["code"]) == (1, "invalid_memory")


def test_a_private_project_is_its_makers_alone(org: Org) -> None:
    mem("retain", FACT, "--project", "diary", "--private", org=org)
    assert mem("banks", org=org).out.startswith("diary  private")
    other = org.editor.user.username
    assert mem("query", "x", "--project", "diary", "--user", other, org=org).code == 3


def test_corpora_are_added_listed_and_removed(org: Org, tmp_path: Path) -> None:
    (tmp_path / "pods.md").write_text("# Pods\n\nA pod is a group of containers.\n")
    (tmp_path / "bad.md").write_bytes(b"\x00\x01" * 99)
    flags = ("--project", "ops")
    added = mem("corpus", "add", "docs", str(tmp_path), *flags, org=org)
    assert added.code == 0
    assert added.out == "docs: 1 page, 1 section; 1 added, 0 kept, 0 removed\nleft out: 1 file\n"
    assert "bad.md: This is no text file." in added.err
    again = mem("corpus", "add", "docs", str(tmp_path), *flags, "--format", "json", org=org)
    assert (again.json["kept"], again.json["problems"][0]["path"]) == (1, "bad.md")
    assert mem("corpus", "list", *flags, org=org).out.startswith("docs  1  pages  1  sections")
    assert mem("stats", *flags, "--format", "json", org=org).json["corpora"] == {"docs": 1}
    assert mem("verify", org=org).code == 0
    assert mem("corpus", "remove", "docs", *flags, org=org).out == "docs is gone with 1 section\n"
    gone = mem("corpus", "remove", "docs", *flags, "--format", "json", org=org)
    assert (gone.code, gone.error["code"]) == (3, "unknown_corpus")
    nowhere = mem("corpus", "add", "docs", "/nowhere", *flags, "--format", "json", org=org)
    assert (nowhere.code, nowhere.error["code"]) == (1, "unreadable_corpus")


def test_verify_names_what_is_wrong_and_checks_what_is_asked(org: Org, bank: Bank) -> None:
    assert mem("verify", "--all", org=org).code == 0
    with tenancy.scope(org.tenant.pk):
        node = add_node(bank, "No vector.", encode=False)
    vectors = mem("verify", "--vectors", "--project", "ops", org=org)
    assert vectors.code == 1
    assert f"{node.sha[:12]}: no vector of the encoder that is set" in vectors.out
    assert mem("verify", "--edges", "--chunks", org=org).code == 0
    assert mem("verify", "--vectors", "--project", "other", org=org).code == 3


def test_an_admin_verifies_private_projects_too(org: Org) -> None:
    diary = make_bank(org, "diary", owner=org.reader, access=Access.PRIVATE)
    with tenancy.scope(org.tenant.pk):
        add_node(diary, "No vector.", encode=False)
    assert mem("verify", org=org).code == 1
    assert mem("verify", "--user", org.reader.user.username, org=org).code == 1
    assert mem("verify", "--user", org.editor.user.username, org=org).code == 0


def test_stats_count(org: Org, bank: Bank) -> None:
    shown = mem("stats", "--project", "ops", "--format", "json", org=org).json
    assert (shown["nodes"], shown["nodes_by_level"]) == (2, {"L1": 2})
    assert mem("stats", "--project", "ops", org=org).out.startswith("memories")


def test_banks_are_listed(org: Org, bank: Bank) -> None:
    (shown,) = mem("banks", "--format", "json", org=org).json["projects"]
    assert (shown["name"], shown["access"], shown["memories"]) == ("ops", "tenant", 2)
    assert "no project yet" in mem("banks", org=make_org()).out
