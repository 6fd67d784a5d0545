"""What a fact is near to: the facts of its bank that it is compared with. Under the bank's lock.

by meaning   the nearest vectors of the encoder of today
by words     what was said before a turn is in its vector, so that the same statement in prose may
             lie far from it; and where one of the two has a vector of another encoder alone, until
             it is encoded again
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final
from uuid import UUID

from django.db import connection

from memory import tenancy, vectors
from memory.facts.statements import Statement
from memory.hits import ArmHit
from memory.levels import Level
from memory.models import Node, Vector
from memory.recall.scope import Scope
from memory.retain import nearest_vectors, shared_words
from memory.retain.nearness import thresholds
from memory.seams import Recipe

_MOST: Final = 50
_MOST_ALIKE: Final = 10

_HAS_UNENCODED = """
    SELECT EXISTS (
        SELECT 1 FROM memory_vector old
        WHERE old.tenant_id = %(tenant)s AND old.bank_id = %(bank)s AND old.level = 'L1'
          AND old.recipe <> %(recipe)s AND NOT EXISTS (
            SELECT 1 FROM memory_vector new
            WHERE new.tenant_id = old.tenant_id AND new.node_id = old.node_id
              AND new.recipe IS NOT DISTINCT FROM %(recipe)s
          )
    )
"""


def near(bank_id: UUID, fact_ids: Sequence[UUID], recipe: Recipe) -> dict[UUID, tuple[ArmHit, ...]]:
    """At most twice 50 facts of the bank for each of these, best first: those that are near enough to
    be compared. Those found by words alone have the least score that is: it makes no edge."""
    if not fact_ids:
        return {}
    scope = Scope(bank_id=bank_id, level=Level.L1, superseded=True)
    least = thresholds(recipe.name).candidate
    found = nearest_vectors.search(scope, fact_ids, recipe, width=_MOST, minimum=least)
    if _has_unencoded(bank_id, recipe):
        by_words = _unencoded(scope, fact_ids, recipe)
    else:
        by_words = shared_words.search(scope, _of_others(fact_ids), most=_MOST_ALIKE)
    for fact_id, others in by_words.items():
        hits = found.get(fact_id, ())
        known = {hit.node_id for hit in hits}
        found[fact_id] = hits + tuple(ArmHit(pk, least) for pk in others if pk not in known)
    return found


def _has_unencoded(bank_id: UUID, recipe: Recipe) -> bool:
    if all(stored.name == recipe.name for stored in vectors.stored_recipes()):
        return False
    with connection.cursor() as cursor:
        cursor.execute(
            _HAS_UNENCODED,
            {"tenant": tenancy.require(), "bank": bank_id, "recipe": recipe.name},
        )
        return bool(cursor.fetchone()[0])


def _unencoded(
    scope: Scope, fact_ids: Sequence[UUID], recipe: Recipe
) -> Mapping[UUID, Iterable[UUID]]:
    """By words, the pairs of which one has no vector of today."""
    texts = dict(Node.objects.filter(pk__in=list(fact_ids)).values_list("pk", "text"))
    found = shared_words.search(scope, texts, most=_MOST)
    encoded = _encoded({*found, *(other for others in found.values() for other in others)}, recipe)
    return {
        pk: [other for other in others if not {pk, other} <= encoded]
        for pk, others in found.items()
    }


def _of_others(fact_ids: Sequence[UUID]) -> dict[UUID, str]:
    """The texts of statements that are not about the one who speaks: only these can be said by
    somebody else, in other surroundings."""
    rows = Node.objects.filter(pk__in=list(fact_ids)).values_list("pk", "text", "language")
    return {
        pk: text
        for pk, text, language in rows
        if not (statement := Statement(text, language)).asks and not statement.is_of_speaker
    }


def _encoded(node_ids: Iterable[UUID], recipe: Recipe) -> set[UUID]:
    recipes: dict[UUID, set[str]] = defaultdict(set)
    for node_id, name in Vector.objects.filter(node_id__in=list(node_ids)).values_list(
        "node_id", "recipe"
    ):
        recipes[node_id].add(name)
    return {node_id for node_id, names in recipes.items() if recipe.name in names}
