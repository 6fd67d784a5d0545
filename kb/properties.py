"""The properties of a page: what an editor sets beside its text. Pure.

A text has revisions, so a stale one is noticed by its number. A property has none: a form carries
those that it began with, and what somebody else changed since is told from what the editor changed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kb.models import Doc


@dataclass(frozen=True, slots=True, kw_only=True)
class Properties:
    slug: str
    status: str
    visibility: str
    allowed_groups: tuple[str, ...]
    category: str
    language: str
    owner: str  # the name that they sign in with

    @classmethod
    def of(cls, doc: Doc) -> Properties:
        return cls(
            slug=doc.slug,
            status=doc.status,
            visibility=doc.visibility,
            allowed_groups=tuple(doc.allowed_groups),
            category=doc.category,
            language=doc.language,
            owner=doc.owner.username,
        )

    @classmethod
    def read(cls, token: str) -> Properties | None:
        """Those that ``token`` was made of; None where it is no such token. Nothing rests on its truth:
        who writes a false one overwrites what they might overwrite anyway.
        """
        try:
            values = json.loads(token)
            return cls(**values | {"allowed_groups": tuple(values["allowed_groups"])})
        except (ValueError, TypeError, KeyError, RecursionError):
            return None

    def token(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False)

    def changed_to(self, later: Properties) -> frozenset[str]:
        """The names of those that are others in ``later``."""
        before, after = asdict(self), asdict(later)
        return frozenset(name for name in before if before[name] != after[name])

    def lost_by(self, mine: Mapping[str, Any], now: Properties) -> frozenset[str]:
        """The names of what somebody changed to ``now`` and ``mine`` would set to something else."""
        stored = asdict(now)
        return frozenset(
            name for name in self.changed_to(now) if name in mine and mine[name] != stored[name]
        )

    def merged(self, mine: Mapping[str, Any], theirs: Properties) -> dict[str, Any]:
        """``mine`` where its writer changed something since ``self``, else ``theirs``."""
        began, now = asdict(self), asdict(theirs)
        return {
            name: mine[name] if name in mine and mine[name] != began[name] else now[name]
            for name in began
        }
