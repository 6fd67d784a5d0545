"""From a fresh clone to an environment with every requirement, then on to a command in it.

    python3 config/bootstrap.py [--dev] [MODULE ARGUMENT …]

Runs on the system's Python with nothing but its standard library, so it is a script and imports
nothing of ours. A second run finds the stamp of the first and takes no time.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import TextIO

CHECKOUT = Path(__file__).resolve().parent.parent
ENVIRONMENT = CHECKOUT / ".venv"
PYTHON = ENVIRONMENT / "bin" / "python"
LOG = ENVIRONMENT / "install.log"
NEEDED_BYTES = 2 * 2**30
OLDEST = (3, 11)
NEWEST_TESTED = (3, 13)

# What pip says, and what a person can do about it.
ADVICE = (
    (
        r"No matching distribution found for (\S+)",
        "There is no ready-made package of {0} for this machine. Footnote needs Linux on x86_64 "
        "with Python 3.11 to 3.13, and a package index that offers it.",
    ),
    (r"No space left on device", "The disk is full: free at least 2 GB and start again."),
    (
        r"THESE PACKAGES DO NOT MATCH THE HASHES",
        "A package differs from the one that was locked. Do not install it; check your index.",
    ),
    (
        r"Failed to establish a new connection|Name or service not known|Max retries exceeded"
        r"|Temporary failure in name resolution",
        "The package index cannot be reached: check the network, or pip's index-url and proxy.",
    ),
)

MEM = """\
#!/bin/sh
exec env FOOTNOTE_WITHOUT_ADMIN=1 {python} {manage} mem "$@"
"""


class SetupError(Exception):
    """Set-up cannot go on. The message says what to do."""


def main(arguments: list[str]) -> int:
    names = ["requirements.txt"]
    if arguments[:1] == ["--dev"]:
        names.append("requirements-dev.txt")
        arguments = arguments[1:]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        check_python()
        for name in names:
            install(CHECKOUT / name)
        write_mem()
    except SetupError as error:
        print(f"\n{error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    if arguments:
        os.chdir(CHECKOUT)
        os.execv(PYTHON, [str(PYTHON), "-m", *arguments])
    return 0


def check_python() -> None:
    if sys.version_info[:2] < OLDEST:
        raise SetupError(
            f"Python {'.'.join(map(str, sys.version_info[:2]))} is too old. Install Python 3.11 "
            "and name it: make PYTHON=python3.11 run"
        )
    if sys.version_info[:2] > NEWEST_TESTED:
        say("This Python is newer than those that Footnote was tried on (3.11 to 3.13).")


def install(requirements: Path) -> None:
    """Install a locked file unless its stamp says that it is there already."""
    stamp = ENVIRONMENT / f".{requirements.stem}.stamp"
    digest = hashlib.sha256(requirements.read_bytes() + sys.version.encode()).hexdigest()
    if PYTHON.exists() and stamp.exists() and stamp.read_text() == digest:
        return
    if shutil.disk_usage(CHECKOUT).free < NEEDED_BYTES:
        raise SetupError(f"Less than 2 GB are free under {CHECKOUT}. Free some space first.")
    if not PYTHON.exists() or subprocess.call([str(PYTHON), "-c", ""]) != 0:
        create_environment()
    run_pip(requirements)
    stamp.write_text(digest)


def write_mem() -> None:
    """The command ``mem`` beside the environment's Python: ``manage.py mem`` from any folder."""
    script = ENVIRONMENT / "bin" / "mem"
    manage = CHECKOUT / "manage.py"
    content = MEM.format(python=shlex.quote(str(PYTHON)), manage=shlex.quote(str(manage)))
    if script.exists() and script.read_text() == content:
        return
    draft = script.with_name(f".mem.{os.getpid()}")
    draft.write_text(content)
    draft.chmod(0o755)
    draft.replace(script)  # at once, also for another process that sets up now


def create_environment() -> None:
    say("Creating .venv …")
    shutil.rmtree(ENVIRONMENT, ignore_errors=True)
    made = subprocess.run(
        [sys.executable, "-m", "venv", str(ENVIRONMENT)],
        capture_output=True,
        text=True,
        check=False,
    )
    if made.returncode == 0:
        return
    shutil.rmtree(ENVIRONMENT, ignore_errors=True)
    words = made.stdout + made.stderr
    if "ensurepip" in words or "No module named venv" in words:
        package = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
        raise SetupError(
            f"This Python has no venv module. On Debian or Ubuntu: apt-get install -y {package}"
        )
    raise SetupError(f"The virtual environment could not be made:\n{words.strip()}")


def run_pip(requirements: Path) -> None:
    total = len(re.findall(r"^[a-zA-Z0-9].*==", requirements.read_text(), re.MULTILINE))
    say(f"Installing {total} packages of {requirements.name} (once, a minute or two) …")
    command = [str(PYTHON), "-m", "pip", "install", "--require-hashes", "--only-binary=:all:"]
    command += ["--no-deps", "--no-input", "--disable-pip-version-check", "--progress-bar=off"]
    with LOG.open("w") as log:
        pip = subprocess.Popen(
            [*command, "-r", str(requirements)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        try:
            show_progress(pip, log, total)
        except BaseException:
            pip.terminate()
            pip.wait()
            raise
    if pip.returncode != 0:
        raise SetupError(explain(LOG.read_text()))


def show_progress(pip: subprocess.Popen[str], log: TextIO, total: int) -> None:
    """One changing line on a terminal, every 20th package elsewhere."""
    on_terminal = sys.stderr.isatty()
    seen = 0
    assert pip.stdout is not None
    for line in pip.stdout:
        log.write(line)
        found = re.match(r"(?:Collecting|Requirement already satisfied:) ([^\s=]+)", line)
        if found:
            seen += 1
            note = f"  {seen:3} of {total}  {found[1]}"
            if on_terminal:
                print(f"\r{note:<60}", end="", file=sys.stderr, flush=True)
            elif seen % 20 == 0:
                say(note)
        elif line.startswith("Installing collected packages"):
            if on_terminal:
                print(file=sys.stderr)
            say("  unpacking …")
    pip.wait()


def explain(output: str) -> str:
    """Advice for a known failure; pip's last lines in any case."""
    last = "\n".join(f"    {line}" for line in output.strip().splitlines()[-8:])
    for pattern, advice in ADVICE:
        found = re.search(pattern, output)
        if found:
            return f"{advice.format(*found.groups())}\npip said:\n{last}\n(all of it: {LOG})"
    return f"The requirements could not be installed. pip said:\n{last}\n(all of it: {LOG})"


def say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
