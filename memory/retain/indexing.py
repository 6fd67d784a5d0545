"""What a memory is found by: how often each term counts.

    a turn     its own words twice, those of the turns before and after it once
    any other  what is indexed, as it stands

A reply is understood by what was asked, a question is answered by what follows; its own words still
have to outweigh both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from uuid import UUID

from memory import keywords, vectors
from memory.models import Node
from memory.retain.plans import Plan


def counted(plans: Iterable[Plan]) -> list[tuple[Node, Counter[str]]]:
    """The terms of every node that has no row yet."""
    found: list[tuple[Node, Counter[str]]] = []
    for plan in plans:
        following = _following(plan.facts)
        found += [(node, terms(node, following.get(node.pk))) for node in plan.added]
    return found


def _following(facts: Sequence[Node]) -> dict[UUID, Node]:
    """The turn after each turn."""
    return {fact.pk: after for fact, after in pairwise(facts) if fact.speaker and after.speaker}


def terms(node: Node, after: Node | None = None) -> Counter[str]:
    """Of one node; ``after`` is the turn that follows it, where it is one."""
    found = keywords.count(vectors.indexed_text(node), node.language)
    if node.speaker:
        found += keywords.count(node.text, node.language)
    if after is not None:
        found += keywords.count(after.text, after.language)
    return found
