"""What follows when facts come, change or go: rivals are judged, observations made, written anew or
dropped, entities that nobody mentions let go. Under the bank's lock.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from uuid import UUID

from django.utils import timezone

from memory import bank_config, entities
from memory.hits import ArmHit
from memory.models import Bank
from memory.retain import neighbours as nearby
from memory.retain import observing, settling
from memory.retain.comparing import compare
from memory.retain.observing import Changes
from memory.retain.writing import remove_nodes
from memory.seams import Recipe


def draw(
    bank_id: UUID,
    fact_ids: Iterable[UUID],
    recipe: Recipe,
    *,
    neighbours: Mapping[UUID, tuple[ArmHit, ...]] | None = None,
    is_asked_for: bool = False,
) -> Changes:
    """Compare facts with those that are near to them, and draw the conclusions.

    New observations are made where the bank wants them: of its own accord, or only where somebody
    asks for a consolidation.
    """
    asked = sorted(set(fact_ids))
    near = dict(neighbours or {})
    near |= nearby.near(bank_id, [fact_id for fact_id in asked if fact_id not in near], recipe)
    compared = compare(asked, near, recipe.name)
    turned = settling.settle(bank_id, compared)
    changes = Changes()
    if _observes(bank_id, is_asked_for=is_asked_for):
        changes += observing.observe(bank_id, compared)
        if asked and not is_asked_for:  # a consolidation says so itself when it is through
            Bank.objects.filter(pk=bank_id).update(consolidated_at=timezone.now())
    changes += observing.refresh(bank_id, observing.resting_on(turned))
    return changes


def _observes(bank_id: UUID, *, is_asked_for: bool) -> bool:
    config = bank_config.resolved(Bank.objects.only("config").get(pk=bank_id).config)
    return bool(
        config["enable_observations"] and (is_asked_for or config["enable_auto_consolidation"])
    )


@dataclass(slots=True)
class Removal:
    """What rested on facts that were removed."""

    observations: set[UUID] = field(default_factory=set)
    involved: set[UUID] = field(default_factory=set)  # in a contradiction with one of them
    entities: set[UUID] = field(default_factory=set)

    def finish(self, bank_id: UUID, recipe: Recipe) -> Changes:
        """Judge again what they contradicted, and make anew or drop what rested on them."""
        changes = Changes()
        if self.involved:
            changes += draw(bank_id, self.involved, recipe)
            self.observations |= observing.resting_on(self.involved)
        if self.observations:
            changes += observing.refresh(bank_id, self.observations)
        if self.entities:
            entities.forget_unmentioned(self.entities)
        return changes


def remove(node_ids: Iterable[UUID], *, changed: Iterable[UUID] = ()) -> Removal:
    """Remove nodes of a locked bank. What rested on them waits for ``finish``, as does what was
    decided about ``changed`` facts, which stay and are compared again by the caller."""
    gone = set(node_ids)
    involved = settling.withdraw({*gone, *changed})
    if not gone:
        return Removal(involved=involved)
    removal = Removal(
        observations=observing.resting_on(gone) - gone,
        involved=involved,
        entities=entities.of_nodes(gone),
    )
    remove_nodes(gone)
    return removal
