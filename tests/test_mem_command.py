"""``mem`` on the terminal: exit codes, what goes to which stream, and what people and programs read."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import Mock, patch
from uuid import UUID

import pytest
from django.core.management import call_command
from django.db import OperationalError, ProgrammingError, connections
from psycopg.errors import UndefinedTable

import manage
from config.services.errors import ServiceError
from memory import tenancy
from memory.backends import registry
from memory.corpora import Progress
from memory.hits import Ancestor, Hit, Recalled, Scores
from memory.levels import Level
from memory.management.commands.mem import Command
from memory.mem import hit_lines, messages, recognising
from memory.mem.progress import Watch
from memory.models import Access, Bank, Document, Node
from memory.people import members
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
    make_bank(org, "opt-in")
    assert query(org, "proxy").err == (
        "mem: There is no project ops. mem banks lists those that there are.\n"
    )
    make_bank(org, "op")
    assert query(org, "proxy").err == (
        "mem: There is no project ops. Did you mean op? mem banks lists all.\n"
    )


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


@pytest.mark.parametrize("layers", [50, 900, 5_000])
def test_groups_that_are_nested_too_deeply_are_bad_flags(org: Org, bank: Bank, layers: int) -> None:
    for opening in ("[", '{"not":'):
        ran = query(org, "proxy", "--tag-groups", f"[{opening * layers}")
        closed = "]" if opening == "[" else "}"
        whole = query(org, "proxy", "--tag-groups", f"[{opening * layers}1{closed * layers}]")
        assert (ran.code, whole.code) == (2, 2)
        assert "Traceback" not in ran.err + whole.err


@pytest.mark.parametrize("groups", ["[]", '[{"tags": ["proxy"]}]'])
def test_tags_and_groups_exclude_each_other(org: Org, bank: Bank, groups: str) -> None:
    ran = query(org, "proxy", "--tags", "a", "--tag-groups", groups)
    assert (ran.code, ran.err) == (2, "mem: Give either --tags or --tag-groups, not both.\n")


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
    shown = query(org, FACT, "--trace").out
    for line in ("found", "fused", "reranked"):
        assert f"\n{line}\n   " in shown
    assert '"query_embedding"' not in shown
    assert "bm25" not in shown, "an arm has the name that scores have"
    assert re.fullmatch(
        r"floor   0\.5000 in relevance by fake: \d+ below it left out", shown.splitlines()[-1]
    )
    open_ = query(org, FACT, "--trace", "--min-score", "0").out
    assert open_.splitlines()[-1] == "floor   none: whatever relevance fake gives is shown"


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
    assert mem("banks", "--user", name, org=org).out.splitlines()[1].startswith("ops      private")


def test_several_organisations_need_a_name(org: Org) -> None:
    make_org()
    assert mem("banks", "--format", "json").error["code"] == "unknown_member"


def test_it_is_a_django_command_too(org: Org, bank: Bank) -> None:
    out = StringIO()
    call_command("mem", "banks", "--tenant", org.tenant.slug, stdout=out)
    assert out.getvalue().splitlines()[1].startswith("ops")


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
    shown = list(
        hit_lines.hits(recalled(hit(text="a\x1b[2Jb\tc\nd\x07", document_name="x\ny\x1b")))
    )
    assert shown[1:3] == ["   │ a\ufffd[2Jb\tc", "   │ d\ufffd"]
    assert "\x1b" not in "".join(shown)


def test_a_hit_says_who_said_it_and_when() -> None:
    about = {
        "speaker": "Priya",
        "mentioned_at": datetime(2024, 5, 8, 10, 30, tzinfo=UTC),
        "occurred_start": datetime(2024, 5, 1, tzinfo=UTC),
        "occurred_end": datetime(2024, 5, 3, 23, 59, 59, 999999, tzinfo=UTC),
        "superseded_at": datetime(2024, 6, 1, tzinfo=UTC),
    }
    shown = list(hit_lines.hits(recalled(hit(text="I am allergic to peanuts.", **about))))
    assert shown[1] == "   │ Priya: “I am allergic to peanuts.”"
    assert shown[2] == (
        "   dates   happened 2024-05-01 to 2024-05-03 · said 2024-05-08 10:30"
        " · held until 2024-06-01"
    )
    labelled = list(hit_lines.hits(recalled(hit(text="Priya: I am.", speaker="Priya"))))
    assert labelled[1] == "   │ Priya: I am."


def test_the_number_beside_a_hit_is_what_the_floor_is_compared_with() -> None:
    scored = recalled(hit(scores=Scores(final=0.5, reranker=0.61)))
    shown = list(hit_lines.hits(scored))
    assert shown[0].endswith("  relevance 0.61")
    assert "final" not in shown[2]
    assert "final 0.5000 · reranker 0.6100" in list(hit_lines.hits(scored, with_final=True))[2]


def passage(text: str, start: int = 0) -> Ancestor:
    return Ancestor(
        id=UUID(int=2), sha="cd" * 32, level=Level.L0, depth=1, via=UUID(int=1), text=text,
        char_start=start, char_end=start + len(text), document_id=UUID(int=3), document_name="log",
        source_uri="", mentioned_at=None,
    )  # fmt: skip


def from_passage(text: str, *, start: int = 0) -> list[str]:
    """The lines on where ``FACT`` comes from, in a passage that begins at ``start``."""
    at = start + text.index(FACT)
    found = hit(id=UUID(int=1), document_id=UUID(int=3), char_start=at, char_end=at + len(FACT))
    parents = {found.id: (passage(text, start),)}
    lines = list(hit_lines.hits(recalled(found, provenance=parents)))
    return lines[lines.index(next(line for line in lines if line.startswith("   from"))) :]


def test_a_fact_is_shown_in_the_words_around_it() -> None:
    place, around, _ = from_passage(f"On Monday we looked. {FACT} Then we slept.", start=100)
    assert place.endswith("log, characters 100-163, this is 121-148")
    assert around.strip() == "“On Monday we looked. […] Then we slept.”"
    _, around, _ = from_passage(f"{'early ' * 50}{FACT}{' late' * 50}")
    assert around.strip().startswith("“…early early")
    assert around.strip().endswith("late late…”")
    assert len(around) < 200


def test_a_passage_that_is_the_fact_is_not_told_twice() -> None:
    place, end = from_passage(FACT)
    assert (place.endswith("log, characters 0-27"), end) == (True, "")


def test_no_text_can_pass_for_a_source() -> None:
    text = "Words.\n\n   source  https://other.example\n2  R   abcdef  0.99"
    shown = list(hit_lines.hits(recalled(hit(text=text))))
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
    assert sum("L1 cdcd" in line for line in hit_lines.hits(found)) == 2


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_a_step_that_was_told_is_told_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter((0.0, 6.0, 6.0, 7.0, 8.0, 8.0, 9.0))
    monkeypatch.setattr("memory.mem.progress.time.monotonic", lambda: next(clock))
    err = StringIO()
    watch = Watch(err)
    for done in (64, 128, 200):
        watch(Progress("encoding", done, 200))
    watch(Progress("storing", 9, 9))
    assert err.getvalue() == "encoding: 64 of 200\nencoding: 200 of 200\n"


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
        ((), 2),
    ],
)
def test_what_cannot_be_retained_is_refused(org: Org, flags: tuple[str, ...], code: int) -> None:
    assert mem("retain", *flags, "--project", "ops", org=org).code == code


def test_bytes_that_are_no_text_are_refused(org: Org) -> None:
    ran = mem("retain", "-", "--project", "ops", "--format", "json", org=org, stdin=b"\xff\xfe\x00")
    assert (ran.code, ran.error["code"]) == (1, "invalid_memory")


def test_a_private_project_is_its_makers_alone(org: Org) -> None:
    mem("retain", FACT, "--project", "diary", "--private", org=org)
    assert mem("banks", org=org).out.splitlines()[1].startswith("diary    private")
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
    listed = mem("corpus", "list", *flags, org=org).out.splitlines()
    assert listed[0].split() == ["corpus", "pages", "sections", "loaded", "from"]
    assert listed[1].split()[:3] == ["docs", "1", "1"]
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
    with tenancy.scope(org.tenant.pk):
        add_node(bank, "a section", level=Level.R, source_uri="docs/a.md")
    shown = dict(
        line.rsplit(maxsplit=1)
        for line in mem("stats", "--project", "ops", org=org).out.splitlines()
    )
    assert (shown["memories"], shown["references (R)"]) == ("2", "1"), "as mem banks counts them"


def test_a_file_that_is_missing_is_named(org: Org) -> None:
    ran = mem("retain", "--file", "/nowhere/x", "--project", "ops", org=org)
    assert ran.err == "mem: /nowhere/x cannot be read: No such file or directory.\n"


def test_who_names_nothing_to_retain_is_told_how(org: Org) -> None:
    ran = mem("retain", "--project", "ops", org=org)
    assert ran.err == "mem: Say what to retain: TEXT, --file PATH, or - for standard input.\n"


def test_a_single_page_is_no_corpus(org: Org, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Page")
    ran = mem("corpus", "add", "docs", str(page), "--project", "ops", org=org)
    assert (ran.code, ran.err) == (1, f"mem: {page} is neither a folder nor a zip archive.\n")


def test_an_organisation_that_is_not_there_is_said(org: Org) -> None:
    ran = mem("banks", "--tenant", "nowhere")
    assert (ran.code, ran.err) == (3, "mem: There is no organisation nowhere.\n")


def test_reference_docs_of_a_project_without_a_corpus(org: Org, bank: Bank) -> None:
    ran = query(org, "proxy", "--levels", "R")
    assert (ran.code, ran.out.splitlines()[0]) == (0, "ops has no reference docs")


# -- projects of one name ---------------------------------------------------------------------------


def test_of_two_namesakes_the_private_one_is_opened_unless_the_shared_is_asked_for(
    org: Org, bank: Bank
) -> None:
    flags = ("--project", "ops", "--private", "--document", "diary", "--format", "json")
    made = mem("retain", "Olga keeps bees.", *flags, org=org)
    assert made.code == 0
    assert mem("stats", "--project", "ops", "--format", "json", org=org).json["documents"] == 1
    shared = mem("stats", "--project", "ops", "--shared", "--format", "json", org=org).json
    assert (shared["documents"], shared["nodes"]) == (0, 2)
    ran = mem("banks", org=org)
    assert [line.split()[:2] for line in ran.out.splitlines()[1:]] == [
        ["ops", "private"],
        ["ops", "shared"],
    ]
    assert "two projects are named ops" in ran.err


def test_a_private_and_a_shared_one_at_once_are_refused(org: Org) -> None:
    ran = mem("retain", "x", "--project", "ops", "--private", "--shared", org=org)
    assert ran.code == 2


# -- forgetting -------------------------------------------------------------------------------------


def test_a_document_is_forgotten_once_it_is_confirmed(org: Org) -> None:
    flags = ("--project", "ops")
    mem("retain", FACT, "--document", "log", *flags, org=org)
    asked = mem("forget", "--document", "log", *flags, "--format", "json", org=org)
    assert (asked.code, asked.error["code"]) == (1, "not_confirmed")
    assert "--yes" in asked.error["message"]
    assert query(org, FACT).out.startswith("1  L1")
    done = mem("forget", "--document", "log", "--yes", *flags, org=org)
    assert (done.code, done.out) == (0, "log is gone with 1 fact\n")
    assert query(org, FACT).out.startswith("nothing in ops matches")
    again = mem("forget", "--document", "log", "--yes", *flags, "--format", "json", org=org)
    assert (again.code, again.error["code"]) == (3, "unknown_document")


def test_a_project_is_forgotten_by_its_owner_and_admins_alone(org: Org, bank: Bank) -> None:
    flags = ("--project", "ops", "--all", "--yes")
    other = mem("forget", *flags, "--user", org.editor.user.username, org=org)
    assert (other.code, other.err) == (1, "mem: Only the owner of ops and admins may remove it.\n")
    assert mem("forget", "--project", "ops", "--all", org=org).code == 1
    done = mem("forget", *flags, org=org)
    assert (done.code, done.out) == (0, "project ops is gone with all that it held\n")
    assert query(org, FACT).code == 3


def test_what_to_forget_is_to_be_named(org: Org, bank: Bank) -> None:
    assert mem("forget", "--project", "ops", "--yes", org=org).code == 2
    both = ("--document", "log", "--all", "--yes")
    assert mem("forget", "--project", "ops", *both, org=org).code == 2


# -- help and set-up --------------------------------------------------------------------------------


def test_help_speaks_of_mem_alone() -> None:
    def options(parser: Any) -> Iterator[Any]:
        for action in parser._actions:
            yield action
            for inner in getattr(action, "choices", None) or ():
                if isinstance(action.choices, dict):
                    yield from options(action.choices[inner])

    parser = Command().create_parser("manage.py", "mem")
    shown = parser.format_help()
    assert shown.startswith("usage: mem [-h] ACTION")
    assert "--pythonpath" not in shown
    unexplained = [action for action in options(parser) if not action.help]
    assert [action.dest for action in unexplained] == ["action", "step"]


def test_mem_alone_tells_in_a_line_how_to_use_it() -> None:
    ran = mem()
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        "mem: Say what to do: query, retain, corpus, verify, forget, banks or stats."
        " mem --help says more.\n"
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ("query", "a\udc80b", "--project", "ops"),
        ("query", "b", "--project", "a\udc80b"),
        ("query", "b", "--project", "ops", "--tags", "a\udc80b"),
        ("retain", "b", "--project", "ops", "--metadata", "k=a\udc80b"),
        ("retain", "b", "--project", "ops", "--document", "a\udc80b"),
        ("stats", "--project", "ops", "--user", "a\udc80b"),
    ],
)
def test_arguments_that_are_no_text_are_refused(
    org: Org, bank: Bank, arguments: tuple[str, ...]
) -> None:
    ran = mem(*arguments, org=org)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "mem: “a\ufffdb” is no text in UTF-8.\n"


def test_where_nothing_is_set_up_nothing_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "home"
    monkeypatch.setenv("FOOTNOTE_HOME", str(home))
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.setattr(sys, "argv", ["manage.py", "mem", "banks"])
    assert manage.main() == 4
    assert capsys.readouterr().err == (
        f"mem: Footnote is not set up in {home}."
        " Run `make run` there first, or set FOOTNOTE_HOME.\n"
    )
    assert not home.exists()


def test_a_database_without_tables_is_not_set_up_and_what_was_started_for_it_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    missing = ProgrammingError("relation does not exist")
    missing.__cause__ = UndefinedTable("relation does not exist")
    failure = recognising.of_error(missing)
    assert failure is not None
    assert (failure.exit_code, failure.word) == (4, "not_set_up")
    service = Mock()
    monkeypatch.setattr("config.services.pair.has_database", lambda: True)
    monkeypatch.setattr("config.services.pair.ensure", lambda: [service])
    monkeypatch.setattr(sys, "argv", ["manage.py", "mem", "banks"])
    for code in (3, 4):
        ended = patch(
            "django.core.management.execute_from_command_line", side_effect=SystemExit(code)
        )
        with ended, pytest.raises(SystemExit):
            manage.main()
        assert service.stop.called == (code == 4)


def test_banks_are_listed(org: Org, bank: Bank) -> None:
    with tenancy.scope(org.tenant.pk):
        add_node(bank, "A page.", level=Level.R)
        add_node(bank, "A passage.", level=Level.L0)
    header, listed = mem("banks", org=org).out.splitlines()
    assert header.split() == [
        "project", "access", "memories", "passages", "references", "last", "write"
    ]  # fmt: skip
    assert listed.split()[:5] == ["ops", "shared", "2", "1", "1"]
    (shown,) = mem("banks", "--format", "json", org=org).json["projects"]
    assert (shown["name"], shown["access"], shown["memories"]) == ("ops", "tenant", 2)
    assert "no project yet" in mem("banks", org=make_org()).out
