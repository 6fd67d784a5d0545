from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from kb.errors import KbError
from kb.importing.applying import Import, ImportOptions
from kb.importing.report import FileReport, Outcome, counts
from memory import trees
from memory.people import members

_MOST_NAMED = 20  # files of one outcome; --json names all
_EVERY = 50  # files between two lines of progress where stderr is no terminal


class Command(BaseCommand):
    help = (
        "Import a folder or zip archive of Markdown and HTML files with their links and images. "
        "Run it again to resume, or to bring in what changed. Exit 1 where a file failed."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("dir", metavar="DIR", help="a folder, or a zip archive")
        parser.add_argument("--tenant", help="slug; needed where there are several organisations")
        parser.add_argument("--user", help="import as this user; default: the first admin")
        parser.add_argument("--publish", action="store_true", help="default: pages are drafts")
        parser.add_argument("--dry-run", action="store_true", help="say what would be done")
        parser.add_argument("--under", default="", help="a path that all pages are put below")
        parser.add_argument(
            "--origin", help="what the tree is called in later imports; default: its name"
        )
        parser.add_argument(
            "--overwrite", action="store_true", help="also pages that were edited here since"
        )
        parser.add_argument("--json", action="store_true", help="the report of every file")

    def handle(self, *args: Any, **options: Any) -> None:
        path = Path(options["dir"])
        try:
            member = members.acting(options["user"], tenant_slug=options["tenant"])
            wanted = ImportOptions(
                origin=(options["origin"] or path.resolve().stem)[:100],
                under=options["under"],
                publish=options["publish"],
                overwrite=options["overwrite"],
            )
            with trees.open_tree(path) as tree:
                run = Import(member, tree, wanted)
                reports = self._followed(run, is_dry=options["dry_run"])
        except (members.NoMember, trees.TreeUnreadable, KbError) as error:
            raise CommandError(str(error)) from error
        self._conclude(reports, as_json=options["json"], is_dry=options["dry_run"])
        if any(report.outcome is Outcome.FAILED for report in reports):
            sys.exit(1)

    def _followed(self, run: Import, *, is_dry: bool) -> list[FileReport]:
        """The run, with its progress on stderr: one line that moves, or now and then a new one."""
        total = len(run.plan.pages)
        moves = sys.stderr.isatty()
        reports = []
        started = time.monotonic()
        for report in run.forecast() if is_dry else run.files():
            reports.append(report)
            if report.outcome in (Outcome.FAILED, Outcome.REFUSED):
                self.stderr.write(f"{report.path}: {report.reason}", ending="\n")
            elif moves or len(reports) % _EVERY == 0:
                pace = len(reports) / max(time.monotonic() - started, 0.001)
                line = f"{len(reports)} of {total} · {pace:.0f} a second · {report.path}"
                self.stderr.write(
                    f"\r\x1b[K{line[:100]}" if moves else line, ending="" if moves else "\n"
                )
        if moves:
            self.stderr.write("\r\x1b[K", ending="")
        return reports

    def _conclude(self, reports: list[FileReport], *, as_json: bool, is_dry: bool) -> None:
        if as_json:
            told = {"counts": counts(reports), "files": [report.as_json() for report in reports]}
            self.stdout.write(json.dumps(told, ensure_ascii=False))
            return
        for line in _named(reports):
            self.stdout.write(line)
        found = ", ".join(f"{number} {name}" for name, number in counts(reports).items() if number)
        self.stdout.write(f"{'It would be: ' if is_dry else ''}{found or 'nothing to import'}.")


def _named(reports: list[FileReport]) -> Iterator[str]:
    """The files of each outcome, with their page's address or the reason; unchanged ones are counted
    alone."""
    for outcome in Outcome:
        found = [report for report in reports if report.outcome is outcome]
        if outcome is Outcome.UNCHANGED:
            continue
        for report in found[:_MOST_NAMED]:
            about = report.reason or f"→ {report.slug}"
            yield f"{outcome:<8}  {report.path}  {about}"
        if (more := len(found) - _MOST_NAMED) > 0:
            yield f"{outcome:<8}  and {more} more; --json names every file"
