"""Environment variables as typed values. An empty variable counts as one that is not set."""

from __future__ import annotations

import os

TRUE = frozenset({"1", "true", "yes", "on"})
FALSE = frozenset({"0", "false", "no", "off"})


class BadVariable(ValueError):
    """A variable holds something that its setting cannot be. The message names the variable."""


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, "").strip() or default


def flag(name: str, *, default: bool = False) -> bool:
    value = text(name).lower()
    if not value:
        return default
    if value in TRUE:
        return True
    if value in FALSE:
        return False
    raise BadVariable(f"{name}={value!r} is neither true nor false; write 1 or 0.")


def number(name: str, default: int, *, low: int = 0, high: int = 2**31 - 1) -> int:
    value = text(name)
    if not value:
        return default
    try:
        result = int(value)
    except ValueError:
        raise BadVariable(f"{name}={value!r} is not a whole number.") from None
    if not low <= result <= high:
        raise BadVariable(f"{name}={result} is outside {low} to {high}.")
    return result


def real(name: str, default: float) -> float:
    value = text(name)
    try:
        return float(value) if value else default
    except ValueError:
        raise BadVariable(f"{name}={value!r} is not a number.") from None


def words(name: str, default: tuple[str, ...] = ()) -> list[str]:
    """A comma-separated list."""
    items = [item.strip() for item in text(name).split(",")]
    return [item for item in items if item] or list(default)
