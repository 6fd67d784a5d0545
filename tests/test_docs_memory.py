"""The pages on the memory API: their examples run, and their lists are those of the code."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from memory.api.not_offered import NOT_OFFERED
from memory.bank_config import SETTINGS
from tests.factories import make_org
from tests.memory_api import token_of

pytestmark = pytest.mark.usefixtures("no_running_loop")

DOCS = Path(__file__).parent.parent / "docs"
PAGE = (DOCS / "api-memory.md").read_text()
SERVED_AT = "http://127.0.0.1:8000"


def example(language: str) -> str:
    """The last block of a language: what installs things stands before it."""
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)[-1]


def program(name: str) -> str:
    if found := shutil.which(name):
        return found
    pytest.skip(f"no {name} here")


def run(command: list[str], text: str, key: str) -> str:
    done = subprocess.run(
        command,
        input=text,
        capture_output=True,
        text=True,
        env=os.environ | {"KEY": key},
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_python_example_runs(live_server: Any) -> None:
    key, said = token_of(make_org().editor), io.StringIO()
    code = example("python").replace(SERVED_AT, live_server.url)
    with contextlib.redirect_stdout(said):
        exec(compile(code, "api-memory.md", "exec"), {"KEY": key})
    assert said.getvalue().count("Alice moved to Porto on 3 May 2024.") == 2
    assert "2024-05-03T00:00:00+00:00" in said.getvalue()


def test_curl_example_runs(live_server: Any) -> None:
    program("curl")
    text = "set -e\n" + example("sh").replace(SERVED_AT, live_server.url)
    shown = run(["bash"], text, token_of(make_org().editor))
    assert '"document_ids":["hr/bob"]' in shown
    assert shown.count("Bob prefers tea.") == 2


def test_javascript_example_runs(live_server: Any) -> None:
    command = [program("node"), "--input-type=module", "-"]
    text = "const KEY = process.env.KEY;\n" + example("js").replace(SERVED_AT, live_server.url)
    assert run(command, text, token_of(make_org().editor)) == "Carol keeps bees.\n"


def test_what_is_not_offered_is_listed_with_its_sentence() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| `")]
    for call in NOT_OFFERED:
        path = re.sub(r"<\w+:(\w+)>", r"{\1}", call.path)
        named = f"`{' '.join(call.methods)} {path}`"
        assert any(named in row and call.sentence in row for row in rows), named


def test_settings_are_told_apart_by_whether_they_have_an_effect() -> None:
    effective, kept = (
        set(re.findall(r"`(\w+)`", re.search(rf"{words}(.*)", PAGE)[1]))  # type: ignore[index]
        for words in ("These have an effect:", "They are kept and given back, and change nothing:")
    )
    assert effective == {name for name, setting in SETTINGS.items() if setting.has_effect}
    assert kept == {name for name, setting in SETTINGS.items() if not setting.has_effect}


@pytest.mark.parametrize("page", ["api-memory.md", "coming-from-hindsight.md"])
def test_links_lead_somewhere(page: str) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", (DOCS / page).read_text()):
        assert (DOCS / target).exists(), target
