"""A project before and after a corpus of references is loaded beside it, through ``mem``.

    python -m bench.reference_corpus --data DIR

The project is the first sessions of a LoCoMo conversation, the corpus the first pages of
``ref_django_docs``: more than ten times its size. What the default query prints must not change by
one byte. The bank is deleted afterwards, so that the next run encodes everything again.
"""

from __future__ import annotations

import io
import json
import statistics
import sys
import tempfile
import time
import uuid
from collections import defaultdict
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from bench.data import rows
from bench.measuring import main

TURNS, PAGES, QUESTIONS = 25, 80, 30
TIMES = 10  # what the corpus must be at least: a smaller one would show nothing
AT = "2026-01-01T00:00:00Z"  # recency counts from here, so that two runs can say the same


def measure(folder: Path) -> dict[str, Any]:
    from bench import pages
    from memory import banks, tenancy

    member = pages.prepare_member()
    project = _Project(f"corpus-{uuid.uuid4().hex[:8]}", pages.TENANT_SLUG, member.user.username)
    try:
        return _measure(folder, project)
    finally:
        with tenancy.scope(member.tenant_id):
            banks.delete(banks.find(member, project.name))


def _measure(folder: Path, project: _Project) -> dict[str, Any]:
    for name, text in _sessions(folder):
        project.mem("retain", text, "--document", name)
    asked = _questions(folder)
    project.mem("query", asked[0])  # whatever loads on first use
    before, alone = _ask(project, asked)
    with tempfile.TemporaryDirectory() as place:
        _write_pages(folder, Path(place))
        loaded, seconds = _timed(project, "corpus", "add", "django", place, "--format", "json")
        _, again = _timed(project, "corpus", "add", "django", place)
    after, beside = _ask(project, asked)
    _, reference = _ask(project, asked, "--levels", "R")
    if before != after:
        different = sum(one != other for one, other in zip(before, after, strict=True))
        raise SystemExit(f"{different} of {len(asked)} answers changed when the corpus was added.")
    corpus = json.loads(loaded)
    nodes = json.loads(project.mem("stats", "--format", "json"))["nodes"] - corpus["sections"]
    if corpus["sections"] < TIMES * nodes:
        raise SystemExit(f"{corpus['sections']} sections are too few beside {nodes} memories.")
    return {
        "pages": corpus["documents"],
        "sections": corpus["sections"],
        "memories": nodes,
        "times": corpus["sections"] / nodes,
        "questions": len(asked),
        "unchanged": len(asked),
        "seconds": {"load": seconds, "again": again},
        "sections_per_s": corpus["sections"] / seconds,
        "query_p50_ms": {"alone": alone, "beside": beside, "reference": reference},
    }


class _Project:
    """``mem`` in this process, for one project."""

    def __init__(self, name: str, tenant: str, user: str) -> None:
        self.name = name
        self._who = ["--project", name, "--tenant", tenant, "--user", user]

    def mem(self, *arguments: str) -> str:
        from django.core.management import call_command

        printed = io.StringIO()
        with redirect_stdout(printed):
            call_command("mem", *arguments, *self._who)
        return printed.getvalue()


def _ask(project: _Project, asked: Sequence[str], *flags: str) -> tuple[list[str], float]:
    """What was printed, and the median in milliseconds."""
    printed, took = [], []
    for question in asked:
        found, seconds = _timed(
            project, "query", question, "--at", AT, "--min-score", "0", "--format", "json", *flags
        )
        printed.append(found)
        took.append(1000 * seconds)
    return printed, statistics.median(took)


def _timed(project: _Project, *arguments: str) -> tuple[str, float]:
    started = time.perf_counter()
    return project.mem(*arguments), time.perf_counter() - started


def _sessions(folder: Path) -> list[tuple[str, str]]:
    """The first turns of the first conversation, a document for each session."""
    found: dict[str, list[str]] = defaultdict(list)
    for number, turn in enumerate(rows(folder / "locomo" / "turns.jsonl")):
        if number == TURNS:
            break
        found[f"session {turn['session']}"].append(f"{turn['speaker']}: {turn['text']}")
    return [(name, "\n".join(lines)) for name, lines in found.items()]


def _questions(folder: Path) -> list[str]:
    """Of the conversation, and of the corpus, which must not be heard unless it is asked for."""
    found = rows(folder / "locomo" / "questions.jsonl")
    ours = [question["question"] for _, question in zip(range(QUESTIONS - 5), found, strict=False)]
    return [
        *ours,
        "How is a form validated?",
        "What does select_related do?",
        "How are migrations squashed?",
        "Who can see the admin?",
        "Which template tags are built in?",
    ]


def _write_pages(folder: Path, place: Path) -> None:
    for number, page in enumerate(rows(folder / "ref_django_docs" / "pages.jsonl")):
        if number == PAGES:
            break
        file = place / page["path"]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(page["raw"], encoding="utf-8")


def section(found: dict[str, Any]) -> str:
    """Of docs/benchmarks.md."""
    query, seconds = found["query_p50_ms"], found["seconds"]
    return f"""## A corpus beside a project

{found["pages"]} pages of the Django documentation, {found["sections"]:,} sections, loaded with
`mem corpus add` beside a project of {found["memories"]} memories ({found["times"]:.0f} times as many).
What `mem query` printed by default was the same to the byte for {found["unchanged"]} of
{found["questions"]} questions.

| | |
|---|---|
| loading, everything encoded | {seconds["load"]:.0f} s, {found["sections_per_s"]:.1f} sections a second |
| the same tree again | {seconds["again"]:.1f} s |
| query p50, the project alone | {query["alone"]:.0f} ms |
| query p50, beside the corpus | {query["beside"]:.0f} ms |
| query p50, of the corpus (`--levels R`) | {query["reference"]:.0f} ms |
"""


if __name__ == "__main__":
    sys.exit(main(measure, __doc__ or ""))
