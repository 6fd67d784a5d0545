"""The nodes of a document as it was, until those of its new plan take them over.

A node is found by what is indexed of it. A fact that was corrected by hand is found by the words
that it was taken from as well: it stays as it is while they are in the document.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from memory.levels import Level
from memory.models import Node
from memory.retain.plans import Known


@dataclass(frozen=True, slots=True)
class _Corrected:
    """``said``: what the extractor had taken from ``quote``. ``values``: set by hand, by column."""

    node: Node
    quote: str
    said: str
    values: dict[str, Any]


class FormerNodes:
    """Empty at first: which nodes of ``known`` wait is said with ``add``."""

    def __init__(self, known: Known | None) -> None:
        self._saying: dict[tuple[str, str], list[Node]] = defaultdict(list)
        self._corrected = _corrected(known) if known else {}
        self._left: dict[UUID, _Corrected] = {}  # those of the corrected ones that wait

    def add(self, node: Node) -> None:
        self._saying[node.level, node.sha].append(node)
        if one := self._corrected.get(node.pk):
            self._left[node.pk] = one

    def remove(self, node: Node) -> None:
        self._saying[node.level, node.sha].remove(node)
        self._left.pop(node.pk, None)

    def take(self, words: Node, quote: str) -> Node | None:
        """The node that ``words``, which rest on ``quote``, are from now on."""
        alike = [
            one for one in self._left.values() if words.level == Level.L1 and one.quote == quote
        ]
        said = (one.node for one in alike if one.said == words.text)
        node = next(said, None) or self._says(words) or next((one.node for one in alike), None)
        if node:
            self.remove(node)
        return node

    def rest(self) -> list[Node]:
        return [node for nodes in self._saying.values() for node in nodes]

    def quoted(self) -> list[tuple[Node, str]]:
        """Corrected facts that wait, with the words that they were taken from."""
        return [(one.node, one.quote) for one in self._left.values() if one.quote]

    def restore(self) -> None:
        """Give corrected facts back what a plan has set otherwise."""
        for one in self._corrected.values():
            for name, value in one.values.items():
                setattr(one.node, name, value)

    def _says(self, words: Node) -> Node | None:
        nodes = self._saying[words.level, words.sha]
        return min(nodes, key=lambda node: node.pk in self._left, default=None)


def _corrected(known: Known) -> dict[UUID, _Corrected]:
    return {
        node.pk: _Corrected(
            node,
            quote=known.document.text[node.char_start : node.char_end],
            said=node.text if correction.text is None else correction.text,
            values={name: getattr(node, name) for name in correction.columns},
        )
        for node in known.nodes
        if (correction := known.corrections.get(node.pk))
    }
