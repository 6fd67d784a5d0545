from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from kb.demo import install


class Command(BaseCommand):
    help = "Install the demo organisation with its users and pages. Pages that are there stay as they are."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--password", help="of the demo users; default: a drawn one, printed")

    def handle(self, *args: Any, **options: Any) -> None:
        report = install.install_demo(password=options["password"])
        self.stdout.write(f"{report.pages_added} demo pages added, {report.pages_kept} kept.")
        if report.password:
            self.stdout.write(f"Demo password: {report.password}")
