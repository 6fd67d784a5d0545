"""The user that services run as. PostgreSQL refuses to run as root."""

from __future__ import annotations

import os
import pwd
import shutil
import stat
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from config.services.errors import UnreachableHome

SERVICE_USER = "footnote"


@dataclass(frozen=True, slots=True)
class Account:
    name: str
    uid: int
    gid: int

    def can_enter(self, folder: Path) -> bool:
        """Does every directory on the way let this user through? Missing ones are skipped."""
        return all(self._may_pass(part) for part in (folder, *folder.parents) if part.exists())

    def _may_pass(self, folder: Path) -> bool:
        info = folder.stat()
        if info.st_uid == self.uid:
            return bool(info.st_mode & stat.S_IXUSR)
        if info.st_gid == self.gid:
            return bool(info.st_mode & stat.S_IXGRP)
        return bool(info.st_mode & stat.S_IXOTH)


def run_as(account: Account | None) -> dict[str, Any]:
    """What ``subprocess`` needs to run a program as this account, nothing for the caller's own."""
    if account is None:
        return {}
    return {"user": account.uid, "group": account.gid, "extra_groups": []}


def service_account(data: Path) -> Account | None:
    """None where services run as the caller; as root, the owner of ``data`` or a system user.

    Creates the system user ``footnote`` when it is missing, and falls back to ``nobody``.
    """
    if os.geteuid() != 0:
        return None
    if data.exists() and data.stat().st_uid != 0:
        return _account(pwd.getpwuid(data.stat().st_uid))
    try:
        return _account(pwd.getpwnam(SERVICE_USER))
    except KeyError:
        pass
    if useradd := shutil.which("useradd", path="/usr/sbin:/sbin:/usr/bin:/bin"):
        subprocess.run(
            [useradd, "--system", "--no-create-home", "--home-dir", "/nonexistent"]
            + ["--shell", "/usr/sbin/nologin", SERVICE_USER],
            check=False,
            capture_output=True,
        )
    for name in (SERVICE_USER, "nobody"):
        try:
            return _account(pwd.getpwnam(name))
        except KeyError:
            continue
    raise UnreachableHome(
        "Running as root needs a system user for PostgreSQL, and none could be made. "
        f"Create one with: useradd --system {SERVICE_USER}"
    )


def _account(entry: pwd.struct_passwd) -> Account:
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)
