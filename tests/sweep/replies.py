"""Who gets what from one address, and the words to say it with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

ACTORS = {
    "anonymous": ["anonymous"],
    "stranger": ["stranger"],  # signed in, and no member anywhere
    "outsider": ["outsider", "key of outsider"],  # an admin of the other organisation
    "reader": ["reader", "key of reader"],
    "editor": ["editor"],  # neither the page's owner nor in its groups
    "owner": ["owner", "key of owner"],
    "admin": ["admin", "key of admin"],
}
EVERYBODY = [name for names in ACTORS.values() for name in names]
HIDDEN = {302, 401, 403, 404, 405}


@dataclass(frozen=True)
class Reply:
    """Who gets which status. ``data`` and ``query`` may name values of the address, as ``{doc_id}``."""

    who: Mapping[str, int]
    data: Mapping[str, Any] | None = None
    query: str = ""

    def status(self, actor: str, *, by_key: bool) -> int | None:
        """None: hidden. Outside of the API a key is nobody, whoever holds it."""
        if not by_key and actor.startswith("key of "):
            actor = "anonymous"
        return self.who.get(actor.removeprefix("key of "))

    def address(self, address: str, values: Mapping[str, Any]) -> str:
        return address + self.query.format_map(values)

    def body(self, values: Mapping[str, Any]) -> dict[str, Any]:
        return {
            name: value.format_map(values) if isinstance(value, str) else value
            for name, value in (self.data or {}).items()
        }


def everybody(status: int, **other: int) -> Reply:
    return Reply(dict.fromkeys(ACTORS, status) | other)


def members(status: int, data: Mapping[str, Any] | None = None, query: str = "") -> Reply:
    return Reply(
        dict.fromkeys(("reader", "editor", "owner", "admin"), status), data=data, query=query
    )


def writers(
    status: int, data: Mapping[str, Any] | None = None, query: str = "", **other: int
) -> Reply:
    return Reply(
        dict.fromkeys(("editor", "owner", "admin"), status) | other, data=data, query=query
    )


def only(
    *names: str, status: int, data: Mapping[str, Any] | None = None, query: str = "", **other: int
) -> Reply:
    return Reply(dict.fromkeys(names, status) | other, data=data, query=query)
