from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from kb.errors import KbError
from kb.importing import trees
from kb.importing.applying import Import, ImportOptions
from kb.importing.report import FileReport, Outcome, counts
from memory import members

_QUIET = (Outcome.ADDED, Outcome.CHANGED, Outcome.UNCHANGED, Outcome.SKIPPED)
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
            with path.open("rb") if path.is_file() else _nothing() as file:
                tree = trees.ZipTree(file) if file else trees.FolderTree(path)
                run = Import(
                    member,
                    tree,
                    ImportOptions(
                        origin=(options["origin"] or path.resolve().stem)[:100],
                        under=options["under"],
                        publish=options["publish"],
                        overwrite=options["overwrite"],
                    ),
                )
                reports = self._followed(run, dry=options["dry_run"])
        except (members.NoMember, trees.TreeUnreadable, KbError, OSError) as error:
            raise CommandError(str(error)) from error
        self._print(reports, as_json=options["json"], dry=options["dry_run"])
        if any(report.outcome is Outcome.FAILED for report in reports):
            sys.exit(1)
