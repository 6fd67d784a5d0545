"""``make run`` and its siblings: ``python -m config.launch run|stop|status``.

run       services, schema, demo, web, worker, beat; stays until Ctrl-C, SIGTERM or stop
stop      ends what run started, and the embedded services of this home
status    what runs, and where
"""

from __future__ import annotations

import contextlib
import signal
import socket
import sys
from collections.abc import Iterator, Sequence
from types import FrameType

from config import demonstration, env, runstate, supervising
from config.processes import end_group
from config.runstate import AlreadyRunning
from config.services import pair
from config.services.errors import ServiceError
from config.services.home import Home, from_environment
from config.services.pair import say
from config.services.process import wait_until

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
                return supervising.supervise(home, port)
        except AlreadyRunning as other:
            where = f" at http://127.0.0.1:{other.run.port}/" if other.run else ""
            say(f"Footnote runs already{where}. End it with: make stop")
            return 0
        except Stopped:
            return 0


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
    """0 where something runs and nothing is amiss. Services alone are what a command leaves behind."""
    home = from_environment()
    say(f"State: {home.path}")
    found = runstate.read(home) if runstate.is_claimed(home) else None
    services = pair.running(home)
    if found is None and not services:
        say("Not running. Start with: make run")
        return 1
    parts = {name: who for name, who in found.programs.items() if who.is_alive} if found else {}
    parts |= {service.name: process for service, process in services}
    for name, who in parts.items():
        say(f"  {name:<10}  pid {who.pid}")
    if found is None:
        say("Without web, worker and beat. Start them with make run; end these with make stop.")
        return 0
    base = f"http://127.0.0.1:{found.port}"
    healthy, missing = demonstration.health(base)
    say(f"Running at {base}/ (pid {found.supervisor.pid})")
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


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
