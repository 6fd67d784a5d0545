from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from kb.evaluation import exams, report
from kb.evaluation.datasets import DataMissing

SAMPLE = 300


class Command(BaseCommand):
    help = (
        "Ask labelled questions in a tenant of their own and print how well they were answered. "
        "Nothing is counted against a limit, nothing enters the history."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "sets", nargs="+", metavar="SET", help="a folder of the data, or cross_topic"
        )
        parser.add_argument("--data", metavar="DIR", help="default: the variable FOOTNOTE_DATA")
        parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
        parser.add_argument("--full", action="store_true", help="all questions, not a sample")
        parser.add_argument(
            "--sample", type=int, default=SAMPLE, help="questions of each set and language"
        )
        parser.add_argument("--against", metavar="RUN", help="the --json output of an earlier run")

    def handle(self, *args: Any, **options: Any) -> None:
        earlier = _earlier(options["against"]) if options["against"] else None
        try:
            figures = exams.evaluate(
                options["data"] or os.environ.get("FOOTNOTE_DATA"),
                options["sets"],
                per_language=None if options["full"] else options["sample"],
                report=lambda line: self.stderr.write(line, ending="\n"),
            )
        except DataMissing as error:
            raise CommandError(str(error), returncode=2) from error
        # Beside the one object that stdout holds there is only stderr to say more.
        notes = self.stderr if options["json"] else self.stdout
        self.stdout.write(json.dumps(figures) if options["json"] else report.table(figures))
        if earlier is not None:
            notes.write(f"Against {options['against']}:\n{report.differences(figures, earlier)}")


def _earlier(path: str) -> dict[str, Any]:
    try:
        found = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CommandError(f"{path} is not the --json output of a run.", returncode=2) from error
    if not isinstance(found, dict):
        raise CommandError(f"{path} is not the --json output of a run.", returncode=2)
    return found
