"""A tag filter as SQL on a node, with the meaning that ``tags.matches`` gives it.

Every test looks a node's tags up in a b-tree by equality, since equality is what PostgreSQL lets
an index decide under row security. Tags are parameters, never part of the statement.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from memory.tags import AllOf, AnyOf, Leaf, Not, TagFilter, TagMatch

Params = dict[str, str | int | list[str]]

_OWN: Final = (
    "FROM memory_nodetag nodetag WHERE nodetag.tenant_id = {node}.tenant_id"
    " AND nodetag.bank_id = {node}.bank_id AND nodetag.node_id = {node}.id"
)
_UNTAGGED: Final = (
    "NOT EXISTS (SELECT 1 FROM memory_nodetag nodetag"
    " WHERE nodetag.tenant_id = {node}.tenant_id AND nodetag.node_id = {node}.id)"
)
_COUNT: Final = "(SELECT count(*) " + _OWN + " AND nodetag.tag = ANY(%({tags})s)) = %({size})s"
_HAS_ONE: Final = "EXISTS (SELECT 1 " + _OWN + " AND nodetag.tag = %({tag})s)"
_HAS_ANY: Final = "EXISTS (SELECT 1 " + _OWN + " AND nodetag.tag = ANY(%({tags})s))"
_NO_OTHER: Final = "NOT EXISTS (SELECT 1 " + _OWN + " AND nodetag.tag <> ALL(%({tags})s))"


def condition(expression: TagFilter, *, node: str = "node") -> tuple[str, Params]:
    """A boolean expression on the row ``node`` of memory_node, and its named parameters.

    Their names start with ``tag_``. Fuzzy leaves have to be resolved before.
    """
    writer = _Writer(node)
    return writer.write(expression), writer.params


class _Writer:
    """Writes one expression, giving every leaf parameters of its own."""

    def __init__(self, node: str) -> None:
        if not node.isidentifier():
            raise ValueError(f"{node!r} is no name of a row")
        self.params: Params = {}
        self._node = node
        self._leaves = 0

    def write(self, expression: TagFilter) -> str:
        match expression:
            case AllOf(parts):
                return self._joined(parts, " AND ", empty="TRUE")
            case AnyOf(parts):
                return self._joined(parts, " OR ", empty="FALSE")
            case Not(part):
                return f"NOT ({self.write(part)})"
            case Leaf(_, _, True):
                raise ValueError("a fuzzy leaf was not resolved")
            case Leaf():
                return self._leaf(expression)

    def _joined(self, parts: Sequence[TagFilter], word: str, *, empty: str) -> str:
        return f"({word.join(map(self.write, parts))})" if parts else empty

    def _leaf(self, leaf: Leaf) -> str:
        tags = list(dict.fromkeys(leaf.tags))
        untagged = _UNTAGGED.format(node=self._node)
        if not tags:
            return untagged if leaf.match is TagMatch.EXACT else "TRUE"
        if leaf.match in (TagMatch.ANY, TagMatch.ANY_STRICT):
            wanted = self._has_any(tags)
        elif leaf.match is TagMatch.EXACT:
            wanted = f"({self._has_all(tags)} AND {self._fill(_NO_OTHER, tags=tags)})"
        else:
            wanted = self._has_all(tags)
        return f"({wanted} OR {untagged})" if leaf.match.admits_untagged else wanted

    def _has_any(self, tags: list[str]) -> str:
        if len(tags) == 1:
            return self._fill(_HAS_ONE, tag=tags[0])
        return self._fill(_HAS_ANY, tags=tags)

    def _has_all(self, tags: list[str]) -> str:
        """The first tag alone narrows by index; a count settles the others."""
        first = self._fill(_HAS_ONE, tag=tags[0])
        if len(tags) == 1:
            return first
        return f"({first} AND {self._fill(_COUNT, tags=tags, size=len(tags))})"

    def _fill(self, template: str, **values: str | int | list[str]) -> str:
        self._leaves += 1
        names = {name: f"tag_{self._leaves}_{name}" for name in values}
        self.params |= {names[name]: value for name, value in values.items()}
        return template.format(node=self._node, **names)
