"""JSON objects in what a language model wrote, with whatever stands around them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final


class Ambiguous(ValueError):
    """JSON that says two things, or a number that is none."""


def json_objects(text: str) -> Iterator[dict[str, Any]]:
    """Outermost JSON objects in prose, in order. Strings are read as strings, fences and all.

    Raises ``ValueError`` for an object with one key twice or a number such as NaN.
    """
    decoder = json.JSONDecoder(**_HOOKS, strict=False)
    at = text.find("{")
    while at >= 0:
        try:
            value, at = decoder.raw_decode(text, at)
        except Ambiguous:
            raise
        except (ValueError, RecursionError):
            at += 1
        else:
            yield value
        at = text.find("{", at)


def json_value(text: str) -> Any:
    """What the whole text states. Raises ``ValueError``, also for what ``json_objects`` does."""
    try:
        return json.loads(text, **_HOOKS)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found and found[key] != value:
            raise Ambiguous(f"the reply states {key!r} twice")
        found[key] = value
    return found


def _no_constant(name: str) -> None:
    raise Ambiguous(f"{name} is no number")


_HOOKS: Final[dict[str, Any]] = {"object_pairs_hook": _unique, "parse_constant": _no_constant}
