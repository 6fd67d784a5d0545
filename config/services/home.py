"""FOOTNOTE_HOME: the one folder that holds all state of one checkout.

    postgres/      the database cluster          (service user, 0700)
    valkey/        the append-only file          (service user, 0700)
    run/           both unix sockets             (service user, 0700)
    secrets/       passwords, SECRET_KEY         (caller, 0700, files 0600)
    log/           one log per process           (caller, 0700)
    postgresql-*/  as root: a copy of the server's programs that the service user can read

Reading a ``Home`` touches nothing; ``prepare`` makes the folders.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from config.services.account import Account, service_account
from config.services.errors import ServiceError, UnreachableHome

CHECKOUT = Path(__file__).resolve().parents[2]
POSTGRES_PORT = 5432  # only a part of the socket's name: nothing listens on the network
LONGEST_SOCKET = 107  # bytes, the kernel's limit on a unix socket's path
NEEDED_BYTES = 500 * 2**20


@dataclass(frozen=True, slots=True)
class Home:
    path: Path
    is_for_tests: bool = False  # may trade durability for speed, and its owner may create databases

    @property
    def postgres(self) -> Path:
        return self.path / "postgres"

    @property
    def valkey(self) -> Path:
        return self.path / "valkey"

    @property
    def secrets(self) -> Path:
        return self.path / "secrets"

    @property
    def logs(self) -> Path:
        return self.path / "log"

    @property
    def static(self) -> Path:
        return self.path / "static"

    @property
    def sockets(self) -> Path:
        """Where the sockets lie; a short folder of their own where the home's path is too long."""
        near = self.path / "run"
        if len(os.fsencode(near / f".s.PGSQL.{POSTGRES_PORT}.lock")) <= LONGEST_SOCKET:
            return near
        return Path(tempfile.gettempdir()) / f"footnote-{os.geteuid()}-{_digest(self.path)}"

    @property
    def valkey_socket(self) -> Path:
        return self.sockets / "valkey.sock"

    def log(self, name: str) -> Path:
        return self.logs / f"{name}.log"

    def secret(self, name: str) -> str | None:
        """A stored secret; None when set-up has not made it yet or this user may not read it."""
        try:
            return (self.secrets / name).read_text().strip()
        except OSError:
            return None

    def make_secret(self, name: str, *, size: int = 48) -> str:
        """The stored secret, drawn and written once. The file appears complete or not at all.

        ``size`` is in random bytes.
        """
        if known := self.secret(name):
            return known
        value = secrets.token_urlsafe(size)
        with self.lock("secrets"):
            if known := self.secret(name):
                return known
            draft = self.secrets / f".{name}.{os.getpid()}"
            with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(value + "\n")
            draft.rename(self.secrets / name)
        return value

    @contextlib.contextmanager
    def lock(self, name: str) -> Iterator[None]:
        """One process at a time; the kernel lets go when the holder dies."""
        with open(self.path / f".{name}.lock", "w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def prepare(self) -> Account | None:
        """Make the folders and return the user that services run as, None for the caller.

        Raises ``UnreachableHome`` where that user could not get through to the folder, and
        ``ServiceError`` without room or rights.
        """
        account = service_account(self.postgres)
        try:
            self._make_folders(account)
        except PermissionError as error:
            raise ServiceError(
                f"FOOTNOTE_HOME={self.path} cannot be written by this user ({error}). "
                "Set FOOTNOTE_HOME to a folder of your own."
            ) from error
        except OSError as error:
            raise ServiceError(f"FOOTNOTE_HOME={self.path} cannot be used: {error}.") from error
        if shutil.disk_usage(self.path).free < NEEDED_BYTES:
            raise ServiceError(
                f"Less than {NEEDED_BYTES // 2**20} MB are free under {self.path}. "
                "Free some space, or set FOOTNOTE_HOME to another disk."
            )
        return account

    def _make_folders(self, account: Account | None) -> None:
        if account and not account.can_enter(self.path.parent):
            raise self._unreachable_for(account)
        _make_parents(self.path)
        if account and self.path.stat().st_uid == 0 and not account.can_enter(self.path):
            # Lets this one user pass through our own folder; nothing above it is ever opened.
            os.chown(self.path, 0, account.gid)
            self.path.chmod(0o710)
        if account and not account.can_enter(self.path):
            raise self._unreachable_for(account)
        for folder in (self.secrets, self.logs):
            folder.mkdir(mode=0o700, exist_ok=True)
        for folder in (self.valkey, self.sockets):
            folder.mkdir(mode=0o700, exist_ok=True)
            if folder.is_symlink() or folder.stat().st_uid not in _own_uids(account):
                raise ServiceError(f"{folder} belongs to somebody else. Remove it and start again.")
            folder.chmod(0o700)
            if account:
                os.chown(folder, account.uid, account.gid)

    def _unreachable_for(self, account: Account) -> UnreachableHome:
        return UnreachableHome(
            f"FOOTNOTE_HOME={self.path} cannot be reached by the user {account.name}, which "
            "runs PostgreSQL when you are root. Set FOOTNOTE_HOME to a folder that others "
            "may pass through, such as one under /var/lib."
        )


def from_environment() -> Home:
    chosen = os.environ.get("FOOTNOTE_HOME", "").strip()
    return Home(Path(chosen).expanduser().absolute() if chosen else default_path(CHECKOUT))


def default_path(checkout: Path) -> Path:
    """One folder per checkout, so that two checkouts never share a database."""
    name = f"{checkout.name[:20]}-{_digest(checkout)}"
    if os.geteuid() == 0:
        return Path("/var/lib/footnote") / name
    state = os.environ.get("XDG_STATE_HOME", "").strip()
    return (Path(state) if state else Path.home() / ".local" / "state") / "footnote" / name


def _digest(path: Path) -> str:
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:8]


def _own_uids(account: Account | None) -> set[int]:
    return {os.geteuid(), account.uid} if account else {os.geteuid()}


def _make_parents(path: Path) -> None:
    """Like ``mkdir -p``, with modes that do not depend on the caller's umask."""
    missing = [part for part in (path, *path.parents) if not part.exists()]
    for folder in reversed(missing):
        folder.mkdir(exist_ok=True)
        folder.chmod(0o700 if folder == path else 0o755)
