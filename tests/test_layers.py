"""Pure modules stay pure. Which ones they are follows from the contracts in ``pyproject.toml``."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parent.parent
NOT_PURE = {
    "celery",
    "django",
    "httpx",
    "litellm",
    "psycopg",
    "redis",
    "requests",
    "rest_framework",
    "socket",
    "urllib.request",
}
# Messages for people are translated where they are written; that asks for no request and no database.
ALLOWED = "django.utils.translation"


def layered(app: str) -> set[str]:
    """The modules that a contract gives a place, such as ``kb.asking``."""
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())
    contracts = {each["id"]: each for each in project["tool"]["importlinter"]["contracts"]}
    return {
        f"{app}.{name}" for line in contracts[app]["layers"] for name in re.findall(r"\w+", line)
    }


def pure_files() -> Iterator[Path]:
    for app in ("memory", "kb"):
        placed = layered(app)
        for path in sorted((CHECKOUT / app).rglob("*.py")):
            parts = path.relative_to(CHECKOUT).with_suffix("").parts
            if parts[1] not in ("__init__", "migrations") and ".".join(parts[:2]) not in placed:
                yield path


def imported(path: Path) -> Iterator[str]:
    """Every module that a file imports at run time, the ones inside functions too."""
    tree = ast.parse(path.read_text())
    hidden = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in hidden:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize(
    "path", [pytest.param(p, id=str(p.relative_to(CHECKOUT))) for p in pure_files()]
)
def test_pure_module_knows_no_framework_network_or_upper_layer(path: Path) -> None:
    app = path.relative_to(CHECKOUT).parts[0]
    above = layered("memory") | layered("kb") | {"config"} | ({"kb"} if app == "memory" else set())
    wrong = {
        name
        for name in imported(path)
        if not name.startswith(ALLOWED)
        for forbidden in NOT_PURE | above
        if name == forbidden or name.startswith(f"{forbidden}.")
    }
    assert not wrong, "give the module a place in the contracts of pyproject.toml, or keep it pure"
