"""What a memory is found by: how often each term counts. Pure but for the analyser.

    a turn     its own words twice, those of the turns before and after it once
    any other  what is indexed, as it stands

A reply is understood by what was asked, a question is answered by what follows; its own words still
have to outweigh both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

from memory import keywords, vectors
from memory.models import Node
from memory.retain.plans import Plan


def counted(plans: Iterable[Plan]) -> list[tuple[Node, Counter[str]]]:
    """The terms of every node that has no row yet."""
    return [
        (node, _terms(node, following))
        for plan in plans
        for following in (dict(_following(plan.facts)),)
        for node in plan.added
    ]


def of_one(node: Node) -> Counter[str]:
    """Of a node whose words were changed by hand, apart from the turns around it."""
    return _terms(node, {})


def _following(facts: list[Node]) -> Iterable[tuple[object, Node]]:
    return ((fact.pk, after) for fact, after in pairwise(facts) if fact.speaker and after.speaker)


def _terms(node: Node, following: dict[object, Node]) -> Counter[str]:
    found = keywords.count(vectors.indexed_text(node), node.language)
    if node.speaker:
        found += keywords.count(node.text, node.language)
    if (after := following.get(node.pk)) is not None:
        found += keywords.count(after.text, after.language)
    return found
