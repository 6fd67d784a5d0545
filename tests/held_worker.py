"""A Celery worker that a test can stop at a known place of its work, there to be killed or to fail.

    python -m tests.held_worker DATABASE REDIS_URL FOLDER          (CELERY_BROKER_URL names the broker)

The product's own worker on the tests' database. ``FOLDER/trap`` with ``PLACE CALL ACT`` is sprung by
the CALLth call of that place from then on, once: it becomes ``FOLDER/held-PID``, and the call, by ACT,
``wait``s until that file is gone, or ``fail``s.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, Final

# Between which of an operation's parts each lies.
PLACES: Final = {
    "planning": "memory.retain.engine:_Work._plan",  # claimed, before anything of a step is written
    "committing": "memory.retain.working:Progress.advance",  # all of a step is written, none committed
    "ending": "memory.operations:_end",  # every step is stored, the row still says processing
}


def main(database_name: str, redis_url: str, folder: str) -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    import django

    django.setup()
    from django.conf import settings

    from config.celery import app
    from tests import database

    settings.REDIS_URL = redis_url  # where the worker leaves its sign of life
    database.connect_to(database_name)
    for place, target in PLACES.items():
        _set_trap(place, target, Path(folder))
    app.worker_main(["worker", "--concurrency=2", "--without-gossip", "--without-mingle"])


def _set_trap(place: str, target: str, folder: Path) -> None:
    module, _, path = target.partition(":")
    owner: Any = import_module(module)
    *parents, name = path.split(".")
    for parent in parents:
        owner = getattr(owner, parent)
    setattr(owner, name, _trapped(getattr(owner, name), place, folder))


def _trapped(call: Callable[..., Any], place: str, folder: Path) -> Callable[..., Any]:
    def trapped(*args: Any, **kwargs: Any) -> Any:
        _walk_into(place, folder)
        return call(*args, **kwargs)

    return trapped


def _walk_into(place: str, folder: Path) -> None:
    trap, held = folder / "trap", folder / f"held-{os.getpid()}"
    with contextlib.suppress(FileNotFoundError):  # there is none, or another child was first
        at, calls, act = trap.read_text().split()
        if at != place:
            return
        if int(calls) > 1:
            trap.write_text(f"{at} {int(calls) - 1} {act}")
            return
        trap.rename(held)
        if act == "fail":
            held.unlink()
            raise ZeroDivisionError("the test says so")
        while held.exists():
            time.sleep(0.02)


if __name__ == "__main__":
    main(*sys.argv[1:])
