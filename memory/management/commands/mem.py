from __future__ import annotations

import logging
import sys
from argparse import Namespace
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connections

from memory.mem import arguments, failures, recognising
from memory.mem.commands import Mem
from memory.mem.failures import ExitCode, Failure
from memory.mem.terminal import Terminal

NAME = "mem"
ONLY_NAMED = 2  # manage.py mem

logger = logging.getLogger(__name__)


class Command(BaseCommand):
    # What Django gives every command says nothing about memories.
    suppressed_base_arguments = {
        "--version",
        "--verbosity",
        "--settings",
        "--pythonpath",
        "--traceback",
        "--no-color",
        "--force-color",
        "--skip-checks",
    }
    help = "Retain into a project and query it: facts with what they rest on, reference docs apart."
    requires_system_checks = []  # they ask the database, and whether that is away is for us to say

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        # Bad flags then raise instead of ending the process, so that they can be told as JSON.
        self._called_from_command_line = False
        return super().create_parser(prog_name, subcommand, **kwargs)

    def add_arguments(self, parser: CommandParser) -> None:
        parser.prog = NAME  # before the actions take it over
        arguments.add_actions(parser)

    def run_from_argv(self, argv: list[str]) -> None:
        as_json = failures.wants_json(argv)
        if len(argv) == ONLY_NAMED:
            self._fail(failures.bad_flags(arguments.NO_ACTION), as_json=False)
        try:
            super().run_from_argv(argv)
        except CommandError as error:
            self._fail(failures.bad_flags(str(error).removeprefix("Error: ")), as_json=as_json)
        finally:
            connections.close_all()

    def handle(self, *args: Any, **options: Any) -> None:
        wanted = Namespace(**options)
        try:
            arguments.refuse_broken_text(wanted)
            terminal = Terminal.of(self.stdout)
            code = Mem(wanted, self.stdout.write, sys.stderr, terminal).run()
        except Exception as error:
            failure = recognising.of_error(error)
            if failure is None:
                logger.exception("mem_failed")
                failure = Failure(ExitCode.FAILED, "fault", f"This failed: {type(error).__name__}.")
            self._fail(failure, as_json=wanted.format == "json")
        if code:
            sys.exit(code)

    def _fail(self, failure: Failure, *, as_json: bool) -> None:
        self.stderr.write(failure.line(as_json=as_json), self.style.NOTICE if not as_json else str)
        sys.exit(failure.exit_code)
