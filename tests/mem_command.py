"""Running ``mem`` in tests, as a shell would."""

from __future__ import annotations

import io
import json
import sys
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

from memory.management.commands.mem import Command
from tests.factories import Org


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def error(self) -> Any:
        """The last line of stderr as an object."""
        return json.loads(self.err.strip().splitlines()[-1])["error"]


def mem(*arguments: str, org: Org | None = None, stdin: bytes = b"") -> Ran:
    """Exit code, stdout and stderr of one run, in ``org`` where one is given."""
    out, err = io.StringIO(), io.StringIO()
    of_org = ["--tenant", org.tenant.slug] if org else []
    argv = ["manage.py", "mem", *arguments, *of_org]
    typed = io.TextIOWrapper(io.BytesIO(stdin))
    with (
        patch.object(sys, "stdout", out),
        patch.object(sys, "stderr", err),
        patch.object(sys, "stdin", typed),
        patch("django.db.connections.close_all"),  # the test's transaction is open
    ):
        try:
            Command().run_from_argv(argv)
            code = 0
        except SystemExit as ending:
            code = int(ending.code or 0)
    return Ran(code, out.getvalue(), err.getvalue())
