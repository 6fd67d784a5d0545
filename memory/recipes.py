"""Whether the stored vectors are of the encoder that is set today. Others cannot be compared with it.

While they wait to be rebuilt, questions are answered by keywords; the vectors of the old recipe stay
for a process that still runs with it, until they are pruned.
"""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from memory import tenancy, vectors
from memory.backends import registry
from memory.models import Tenant
from memory.seams import Recipe

COMMAND = "manage.py reindex"


@dataclass(frozen=True, slots=True)
class RecipeChange:
    """``passages`` have a vector of ``stored`` and none of ``current``."""

    stored: Recipe
    current: Recipe
    passages: int

    @property
    def is_refused(self) -> bool:
        """Another size is no upgrade that nobody noticed: the web does not start with it."""
        return self.stored.dimensions != self.current.dimensions

    def __str__(self) -> str:
        return (
            f"{self.passages:,} passages have vectors of {self.stored.name}"
            f" ({self.stored.dimensions} numbers each); the encoder is now {self.current.name}"
            f" ({self.current.dimensions}). Until they are rebuilt, questions find them by keywords"
            f" alone. Rebuild them with: {COMMAND}"
        )


def changes(tenant_id: UUID) -> list[RecipeChange]:
    """What waits in one organisation. The encoder is loaded only where vectors are stored."""
    with tenancy.scope(tenant_id):
        stored = vectors.stored_recipes()
        if not stored:
            return []
        current = registry.encoder().recipe
        waiting = {
            recipe: vectors.count_waiting(recipe, current) for recipe in stored if recipe != current
        }
    return [RecipeChange(recipe, current, count) for recipe, count in waiting.items() if count]


def all_changes() -> list[RecipeChange]:
    """The same for the whole installation, one for each stored recipe."""
    found: dict[Recipe, RecipeChange] = {}
    for tenant_id in Tenant.objects.values_list("pk", flat=True):
        for change in changes(tenant_id):
            known = found.get(change.stored)
            passages = change.passages + (known.passages if known else 0)
            found[change.stored] = RecipeChange(change.stored, change.current, passages)
    return list(found.values())
