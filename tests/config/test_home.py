from __future__ import annotations

import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from config.services.account import Account
from config.services.errors import UnreachableHome
from config.services.home import LONGEST_SOCKET, Home, default_path

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root has a service user")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_two_checkouts_get_two_homes() -> None:
    first, second = default_path(Path("/a/footnote")), default_path(Path("/b/footnote"))
    assert first != second
    assert first.name.startswith("footnote-")


def test_home_of_a_user_follows_xdg_state_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setenv("XDG_STATE_HOME", "/home/ada/state")
    assert default_path(Path("/a/kb")).parent == Path("/home/ada/state/footnote")


def test_sockets_lie_in_the_home_when_the_path_is_short() -> None:
    assert Home(Path("/var/lib/footnote/x")).sockets == Path("/var/lib/footnote/x/run")


def test_sockets_of_a_long_path_lie_in_a_short_folder_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tempfile.gettempdir", lambda: "/tmp")
    long, other = Home(Path("/h/" + "x" * 120)), Home(Path("/h/" + "y" * 120))
    assert len(os.fsencode(long.sockets / ".s.PGSQL.5432.lock")) <= LONGEST_SOCKET
    assert long.sockets != other.sockets


def test_prepare_makes_closed_folders_whatever_the_umask(tmp_path: Path) -> None:
    home = Home(tmp_path / "deep" / "home")
    before = os.umask(0)
    try:
        home.prepare() if os.geteuid() else prepare_reachable(home, tmp_path)
    finally:
        os.umask(before)
    assert mode(home.secrets) == mode(home.logs) == mode(home.sockets) == 0o700
    assert mode(home.path.parent) == 0o755
    assert mode(home.path) & 0o007 == 0


def prepare_reachable(home: Home, folder: Path) -> None:
    """pytest's own folders are closed to everybody else, so root's are opened here."""
    for part in (folder, *folder.parents):
        if part.stat().st_uid == 0 and part != Path("/"):
            part.chmod(mode(part) | 0o001)
    home.prepare()


@as_root
def test_home_that_the_service_user_cannot_reach_is_refused(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    with pytest.raises(UnreachableHome, match=r"FOOTNOTE_HOME=.* cannot be reached by the user"):
        Home(closed / "home").prepare()
    assert mode(closed) == 0o700
    assert list(closed.iterdir()) == []


@as_root
def test_closed_home_of_roots_own_is_opened_to_the_service_user_alone(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    home.path.mkdir(mode=0o700)
    prepare_reachable(home, tmp_path)
    assert mode(home.path) == 0o710


def test_account_needs_the_execute_bit_of_its_class(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    info = folder.stat()
    owner = Account("owner", info.st_uid, info.st_gid)
    member = Account("member", info.st_uid + 1, info.st_gid)
    stranger = Account("stranger", info.st_uid + 1, info.st_gid + 1)
    folder.chmod(0o710)
    assert [who._may_pass(folder) for who in (owner, member, stranger)] == [True, True, False]
    folder.chmod(0o701)
    assert [who._may_pass(folder) for who in (owner, member, stranger)] == [True, False, True]


def test_secret_is_drawn_once_and_closed(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.secrets.mkdir()
    assert home.secret("key") is None
    with ThreadPoolExecutor(8) as threads:
        drawn = set(threads.map(lambda _: home.make_secret("key"), range(16)))
    assert drawn == {home.secret("key")}
    assert mode(home.secrets / "key") == 0o600
    assert len(drawn.pop()) == 64


def test_manage_py_says_why_a_home_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    run = subprocess.run(
        [sys.executable, "manage.py", "showmigrations"],
        env={"PATH": os.environ["PATH"], "FOOTNOTE_HOME": str(tmp_path / "file" / "home")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1
    assert "FOOTNOTE_HOME=" in run.stderr
    assert "Traceback" not in run.stderr
