"""The programs in the docs of the memory API run as they stand, and print what stands below them."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import ConsoleMessage, sync_playwright

from tests.factories import make_org
from tests.memory_api import token_of

pytestmark = pytest.mark.usefixtures("no_running_loop")

DOCS = Path(settings.BASE_DIR) / "docs"
PAGES = ("memory-examples.md", "api-memory.md")
ADDRESS = "http://127.0.0.1:8000"  # that the examples name
HOW_TO_GET_CURL = "no curl here; get it with: apt-get install -y curl"
_FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Example:
    page: str
    language: str
    code: str
    printed: str | None  # None where the page does not say

    def __str__(self) -> str:
        return f"{self.page}-{self.language}"


def run_python(code: str, key: str) -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "example", "exec"), {"KEY": key})
    return printed.getvalue()


def run_shell(code: str, key: str) -> str:
    if not shutil.which("curl"):
        pytest.skip(HOW_TO_GET_CURL)
    return _output(["bash", "-euo", "pipefail", "-c", code], key)


def run_in_node(code: str, key: str) -> str:
    return _output(
        ["node", "--input-type=module", "-e", f"const {{ KEY }} = process.env;\n{code}"], key
    )


def run_in_browser(code: str, key: str, *, url: str, chromium: str) -> str:
    printed: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        tab = browser.new_page()
        tab.on("console", lambda entry: _print(entry, printed))
        tab.goto(f"{url}/health/live")
        tab.evaluate(f"async (KEY) => {{ {code} }}", key)
        browser.close()
    return "".join(printed)


def _print(entry: ConsoleMessage, printed: list[str]) -> None:
    if entry.type == "log":  # a missing icon is the browser's to complain of
        printed.append(f"{entry.text}\n")


def _output(command: list[str], key: str) -> str:
    done = subprocess.run(
        command,
        env={**os.environ, "KEY": key},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


RUNS: dict[str, Callable[[str, str], str]] = {
    "python": run_python,
    "sh": run_shell,
    "js": run_in_node,
}


def examples() -> Iterator[Example]:
    for page in PAGES:
        blocks = _FENCED.findall((DOCS / page).read_text(encoding="utf-8"))
        for (language, code), (after, printed) in zip(blocks, [*blocks[1:], ("", "")], strict=True):
            if language in RUNS and not code.startswith("pip "):
                yield Example(page, language, code, printed if after == "text" else None)


@pytest.fixture
def key(live_server: Any) -> str:
    return token_of(make_org().editor)


@pytest.mark.parametrize("example", list(examples()), ids=str)
def test_example_runs_and_prints_what_the_page_says(
    example: Example, live_server: Any, key: str, request: pytest.FixtureRequest
) -> None:
    code = example.code.replace(ADDRESS, live_server.url)
    if example.language == "js" and not shutil.which("node"):
        chromium = request.getfixturevalue("chromium")
        printed = run_in_browser(code, key, url=live_server.url, chromium=chromium)
    else:
        printed = RUNS[example.language](code, key)
    assert example.printed in (None, printed)


def test_javascript_runs_in_a_browser_as_well(live_server: Any, key: str, chromium: str) -> None:
    [example] = [
        one for one in examples() if (one.page, one.language) == ("memory-examples.md", "js")
    ]
    code = example.code.replace(ADDRESS, live_server.url)
    assert run_in_browser(code, key, url=live_server.url, chromium=chromium) == example.printed


def test_both_pages_have_an_example_in_every_language() -> None:
    found = {(one.page, one.language) for one in examples()}
    assert found == {(page, language) for page in PAGES for language in RUNS}
