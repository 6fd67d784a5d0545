"""What a fact is near to: the facts of its bank that it is compared with. Under the bank's lock.

by meaning   the nearest vectors of the encoder of today
by words     where one of the two has a vector of another encoder alone, until it is encoded again;
             and where a call has few facts: what was said before a turn is in its vector, so that the
             same statement in prose may lie far from it
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final
from uuid import UUID

import numpy as np
from django.db import connection

from memory import keywords, tenancy, vectors
from memory.facts.statements import Statement
from memory.hits import ArmHit
from memory.levels import Level
from memory.models import Node, Vector
from memory.recall.arms import semantic
from memory.recall.scope import Scope
from memory.retain.nearness import thresholds
from memory.seams import Recipe

_MOST: Final = 50
_FEW: Final = 50  # facts of a call that are looked for by their words, too
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
    """At most twice 50 facts of the bank for each of these, best first. Those found by words have
    the score from which on facts are compared: less than what makes an edge."""
    if not fact_ids:
        return {}
    found = _by_meaning(bank_id, fact_ids, recipe)
    by_words: dict[UUID, tuple[ArmHit, ...]] = {}
    if _has_unencoded(bank_id, recipe):
        by_words = _by_words(bank_id, fact_ids, recipe)
    elif len(fact_ids) <= _FEW:
        by_words = _alike(bank_id, _of_others(fact_ids), recipe)
    for fact_id, hits in by_words.items():
        known = {hit.node_id for hit in found.get(fact_id, ())}
        found[fact_id] = found.get(fact_id, ()) + tuple(
            hit for hit in hits if hit.node_id not in known
        )
    return found


def _by_meaning(
    bank_id: UUID, fact_ids: Sequence[UUID], recipe: Recipe
) -> dict[UUID, tuple[ArmHit, ...]]:
    scope = Scope(bank_id=bank_id, level=Level.L1, superseded=True)
    found = {}
    nearest: dict[bytes, tuple[ArmHit, ...]] = {}  # the same words are looked for once
    # The recipe is looked at here: without statistics PostgreSQL would read all of its vectors.
    for node_id, of, vector in Vector.objects.filter(node_id__in=list(fact_ids)).values_list(
        "node_id", "recipe", "embedding"
    ):
        if of != recipe.name:
            continue
        row = np.asarray(vector, np.float32)
        key = row.tobytes()
        if key not in nearest:
            (hits,) = semantic.search([scope], row, recipe, width=_MOST + 1)
            nearest[key] = hits.hits
        found[node_id] = tuple(hit for hit in nearest[key] if hit.node_id != node_id)[:_MOST]
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


def _by_words(
    bank_id: UUID, fact_ids: Sequence[UUID], recipe: Recipe
) -> dict[UUID, tuple[ArmHit, ...]]:
    texts = dict(Node.objects.filter(pk__in=list(fact_ids)).values_list("pk", "text"))
    found = _alike(bank_id, texts, recipe, most=_MOST)
    encoded = _encoded({*found, *(hit.node_id for hits in found.values() for hit in hits)}, recipe)
    return {
        pk: tuple(hit for hit in hits if not {pk, hit.node_id} <= encoded)
        for pk, hits in found.items()
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


def _alike(
    bank_id: UUID, texts: Mapping[UUID, str], recipe: Recipe, *, most: int = _MOST_ALIKE
) -> dict[UUID, tuple[ArmHit, ...]]:
    """Facts with the same words. Their score is that from which on facts are compared."""
    scope = Scope(bank_id=bank_id, level=Level.L1, superseded=True)
    score = thresholds(recipe.name).candidate
    found = {
        pk: keywords.search(scope, keywords.query_terms(bank_id, Level.L1, text), limit=most)
        for pk, text in texts.items()
    }
    return {
        pk: tuple(ArmHit(hit.node_id, score) for hit in hits if hit.node_id != pk)
        for pk, hits in found.items()
    }


def _encoded(node_ids: Iterable[UUID], recipe: Recipe) -> set[UUID]:
    recipes: dict[UUID, set[str]] = defaultdict(set)
    for node_id, name in Vector.objects.filter(node_id__in=list(node_ids)).values_list(
        "node_id", "recipe"
    ):
        recipes[node_id].add(name)
    return {node_id for node_id, names in recipes.items() if recipe.name in names}
