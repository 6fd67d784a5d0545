"""Versioned prompt texts. Pure.

A prompt is two files, ``<name>.v<version>.system.txt`` and ``.user.txt``, with ``$fields``. A text
that was ever used is not edited: a change is a new version, so that a stored answer names the words
it was asked with.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Template

_FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Prompt:
    """``sha`` is the SHA-256 of both texts, in hex."""

    name: str
    version: int
    system: str
    user: str
    sha: str

    @property
    def label(self) -> str:
        return f"{self.name}.v{self.version}@{self.sha[:12]}"

    def messages(self, **fields: str) -> list[dict[str, str]]:
        """The chat to send. Raises ``KeyError`` for a field that is not given."""
        return [
            {"role": "system", "content": Template(self.system).substitute(fields)},
            {"role": "user", "content": Template(self.user).substitute(fields)},
        ]


@cache
def load(name: str, version: int) -> Prompt:
    """Raises ``FileNotFoundError`` for a prompt that is not there."""
    system, user = (
        (_FOLDER / f"{name}.v{version}.{part}.txt").read_text("utf-8").strip()
        for part in ("system", "user")
    )
    sha = hashlib.sha256(f"{system}\0{user}".encode()).hexdigest()
    return Prompt(name, version, system, user, sha)
