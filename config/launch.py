"""``make run`` and its siblings: ``python -m config.launch run|stop|status``.

run       services, schema, demo, web, worker, beat; stays until Ctrl-C, SIGTERM or stop
stop      ends what run started, and the embedded services of this home
status    what runs, and where
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from types import FrameType

from config import demonstration, env, runstate
from config.processes import Program, adopt_orphans, collect_orphans, end_group, wait_for
from config.runstate import AlreadyRunning, Run
from config.services import pair
from config.services.errors import ServiceError
from config.services.home import Home, from_environment
from config.services.pair import say
from config.services.process import ProcessId, wait_until

READY_SECONDS = 600  # a first start on a slow disk, with every demo page to be indexed
STOP_SECONDS = 60


class Stopped(BaseException):
    """Somebody asked us to end. Not an error, and caught by nothing in between."""


def main(arguments: Sequence[str]) -> int:
    commands = {"run": run, "stop": stop, "status": status}
    if len(arguments) != 1 or arguments[0] not in commands:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        return commands[arguments[0]]()
    except (ServiceError, env.BadVariable) as error:
        print(f"\n{error}", file=sys.stderr)
        return 1


def run() -> int:
    home = from_environment()
    port = env.number("PORT", 8000, low=1, high=65535)
    home.prepare()
    with stopping_on_signals():
        try:
            with runstate.claim(home):
                end_leftovers(home)
                check_port(port)
                return supervise(home, port)
        except AlreadyRunning as other:
            where = f" at http://127.0.0.1:{other.run.port}/" if other.run else ""
            say(f"Footnote runs already{where}. End it with: make stop")
            return 0
        except Stopped:
            return 0


def supervise(home: Home, port: int) -> int:
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
        return watch(programs, home, state)
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


def common_environment(home: Home) -> dict[str, str]:
    return {
        "FOOTNOTE_HOME": str(home.path),
        "FOOTNOTE_LOOPBACK_HTTP": env.text("FOOTNOTE_LOOPBACK_HTTP", "1"),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "PYTHONUNBUFFERED": "1",
    }


def web_worker_beat(home: Home, port: int) -> list[Program]:
    python = sys.executable
    celery = [python, "-m", "celery", "-A", "config.celery"]
    cores = len(os.sched_getaffinity(0))
    hands = env.number("WORKER_PROCESSES", max(1, min(4, cores // 2)), low=1, high=256)
    common = common_environment(home) | {"FOOTNOTE_WITHOUT_OWNER": "1"}
    return [
        Program(
            "web",
            [python, "-m", "gunicorn", "-c", "python:config.gunicorn", "config.wsgi"],
            home.log("web"),
            common | {"PORT": str(port), "DB_POOL_SIZE": env.text("DB_POOL_SIZE", "10")},
            grace_seconds=15,
        ),
        Program(
            "worker",
            [*celery, "worker", f"--concurrency={hands}", "--without-gossip", "--without-mingle"],
            home.log("worker"),
            common,
            grace_seconds=15,
        ),
        Program(
            "beat",
            [*celery, "beat", f"--schedule={home.path / 'beat.schedule'}", "--pidfile="],
            home.log("beat"),
            common,
        ),
    ]


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


def watch(programs: list[Program], home: Home, state: Run) -> int:
    """Until somebody stops us, or a part will not live: then its last words, and failure.

    A program that was killed (a worker out of memory) is started again; what it worked on comes back
    from the broker or from the reconciler.
    """
    guarded = [kind(home, None, say) for kind in pair.wanted()]
    while True:
        if ended := wait_for(programs, seconds=2):
            print(f"\n{ended.obituary()}", file=sys.stderr)
            if ended.is_failing:
                return 1
            say(f"Starting {ended.name} again …")
            ended.stop()  # whatever it forked
            ended.start()
            if identity := ended.identity:
                state.programs[ended.name] = identity
            state.save(home)
        for service in guarded:
            if service.process() is None:
                print(f"\n{service.name} has ended. Its log is in {home.path}.", file=sys.stderr)
                return 1


def stop() -> int:
    home = from_environment()
    if runstate.is_claimed(home):
        found = runstate.read(home)
        if found is None:
            raise ServiceError(f"{home.path} is held by a start that has no record yet. Try again.")
        found.supervisor.send(signal.SIGTERM)
        if not wait_until(lambda: not runstate.is_claimed(home), seconds=STOP_SECONDS):
            raise ServiceError(f"Process {found.supervisor.pid} does not end. See {home.logs}.")
        say("Stopped what make run had started.")
    else:
        end_leftovers(home)
    # manage.py leaves the embedded services running for the next command; this ends them too.
    for service in pair.stop(home):
        say(f"Stopped {service.name}.")
    return 0


def status() -> int:
    home = from_environment()
    say(f"State: {home.path}")
    found = runstate.read(home) if runstate.is_claimed(home) else None
    if found is None:
        say("Not running. Start with: make run")
        return 1
    healthy, missing = demonstration.health(f"http://127.0.0.1:{found.port}")
    say(f"Running at http://127.0.0.1:{found.port}/ (pid {found.supervisor.pid})")
    say("Healthy." if healthy else " ".join(missing.values()))
    return 0 if healthy else 1


def end_leftovers(home: Home) -> None:
    """End what an earlier run started when it was killed before it could do so itself."""
    found = runstate.read(home)
    if found is None:
        return
    for name, program in found.programs.items():
        if program.is_alive:
            say(f"Ending {name}, left over from an earlier start …")
            end_group(program.pid, grace_seconds=10)
    runstate.forget(home)


def check_port(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except PermissionError:
            raise ServiceError(
                f"Port {port} needs root. Choose one above 1023: PORT=8001 make run"
            ) from None
        except OSError:
            raise ServiceError(
                f"Port {port} is taken by another program. Choose another: "
                f"PORT={port + 1 if port < 65535 else 8001} make run"
            ) from None


@contextlib.contextmanager
def stopping_on_signals() -> Iterator[None]:
    def handle(number: int, frame: FrameType | None) -> None:
        raise Stopped

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, handle)
    yield


def ignore_signals() -> None:
    """A second Ctrl-C must not leave half of the programs running."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
