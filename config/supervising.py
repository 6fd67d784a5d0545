"""Keeps Footnote running: starts what it is made of in order, watches it, and ends it in reverse."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

from config import demonstration, runstate
from config.guarding import Guard
from config.processes import Program, adopt_orphans, collect_orphans, end_group, wait_for
from config.programs import common_environment, web_worker_beat
from config.runstate import Run
from config.services import pair
from config.services.errors import ServiceError
from config.services.home import Home
from config.services.pair import say
from config.services.process import ProcessId

READY_SECONDS = 600  # a first start on a slow disk, with every demo page to be indexed


def supervise(home: Home, port: int) -> int:
    """Until somebody stops us. Ends all that it started, whatever happens. Raises ``ServiceError``."""
    me = ProcessId.of(os.getpid())
    assert me is not None
    state = Run(supervisor=me, port=port)
    state.save(home)
    services: list[pair.Service] = []
    programs: list[Program] = []
    began = time.monotonic()
    adopt_orphans()
    try:
        services = pair.ensure(home)
        state.services = [service.name for service in services]
        state.save(home)
        prepared = prepare(home)
        for program in web_worker_beat(home, port):
            program.start()
            programs.append(program)
            if identity := program.identity:
                state.programs[program.name] = identity
            state.save(home)
        base = f"http://127.0.0.1:{port}"
        wait_until_healthy(base, programs)
        say(f"Ready after {time.monotonic() - began:.0f} seconds.")
        announce(base, prepared)
        return watch(programs, Guard(home, services), home, state)
    finally:
        ignore_signals()
        say("\nStopping …")
        for program in reversed(programs):
            program.stop()
        for service in reversed(services):
            service.stop()
        collect_orphans()
        runstate.forget(home)
        say("Stopped.")


def prepare(home: Home) -> dict[str, str]:
    """Run ``config.prepare`` with the owner's access, which no later process gets."""
    step = subprocess.Popen(
        [sys.executable, "-m", "config.prepare"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        env={**os.environ, **common_environment(home)},
        start_new_session=True,
    )
    try:
        output, _ = step.communicate()
    except BaseException:
        end_group(step.pid, grace_seconds=5, reap=step.poll)
        raise
    if step.returncode != 0:
        raise ServiceError("The set-up failed; what is above says why.")
    return dict(json.loads(output.splitlines()[-1]))


def wait_until_healthy(base: str, programs: list[Program]) -> None:
    say("Waiting until web, worker and index answer …")
    deadline = time.monotonic() + READY_SECONDS
    told: dict[str, str] = {}
    while True:
        healthy, missing = demonstration.health(base)
        if healthy:
            return
        if missing != told and "web" not in missing:
            say("  " + " ".join(missing.values()))
        told = missing
        if ended := wait_for(programs, seconds=0.5):
            raise ServiceError(ended.obituary())
        if time.monotonic() > deadline:
            raise ServiceError(
                f"Not ready after {READY_SECONDS} seconds: {' '.join(missing.values())} "
                f"The logs are in {programs[0].log.parent}."
            )


def announce(base: str, prepared: dict[str, str]) -> None:
    lines = [""]
    if key := prepared.get("key"):
        lines += [demonstration.ask(base, key), ""]
    lines.append(f"Footnote runs at {base}/ (admin: {base}/admin/)")
    if key:
        lines += [prepared["logins"], f"API key of the editor: {key}"]
    lines.append("Stop with Ctrl-C or make stop.")
    print("\n".join(lines), flush=True)


def watch(programs: list[Program], guard: Guard, home: Home, state: Run) -> int:
    """Until somebody stops us, or a part will not live: then its last words, and failure.

    What was killed (a worker out of memory, a server) is started again. What it worked on comes back
    from the broker or from the reconciler; meanwhile the others do what they can without it.
    """
    while True:
        ended = wait_for(programs, seconds=2)
        if restarted := guard.look():
            state.services = list(dict.fromkeys([*state.services, *restarted]))
            state.save(home)
        if ended:
            print(f"\n{ended.obituary()}", file=sys.stderr)
            if ended.is_failing:
                return 1
            say(f"Starting {ended.name} again …")
            ended.stop()  # whatever it forked
            ended.start()
            if identity := ended.identity:
                state.programs[ended.name] = identity
            state.save(home)


def ignore_signals() -> None:
    """A second Ctrl-C must not leave half of the programs running."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
