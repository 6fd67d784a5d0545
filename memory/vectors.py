"""Vectors of nodes: which are missing, which can be reused, and storing them.

A vector is reused by tenant, recipe and content hash, so that an edit costs only its new words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import numpy as np
from django.db import connection
from django.db.models import Exists, OuterRef

from memory import tenancy
from memory.errors import VectorsInvalid
from memory.models import Node, Vector
from memory.seams import Recipe

_UNIT_TOLERANCE = 1e-2

# One twin with a vector is looked for once for each content, however many nodes have it on either
# side. The recipe is compared in a way that no index answers: without statistics PostgreSQL would
# read all of its vectors for every twin.
_REUSE = """
    INSERT INTO memory_vector (tenant_id, node_id, bank_id, recipe, level, embedding)
    SELECT %(tenant)s, fresh.id, fresh.bank_id, %(recipe)s, fresh.level, known.embedding
    FROM (
        SELECT node.sha, array_agg(node.id) AS ids, array_agg(node.bank_id) AS banks,
            array_agg(node.level::text) AS levels
        FROM memory_node node
        WHERE node.tenant_id = %(tenant)s AND {of} AND NOT EXISTS (
            SELECT 1 FROM memory_vector own
            WHERE own.tenant_id = node.tenant_id AND own.node_id = node.id
              AND own.recipe IS NOT DISTINCT FROM %(recipe)s
        )
        GROUP BY node.sha
    ) AS waiting
    CROSS JOIN LATERAL (
        SELECT vector.embedding
        FROM memory_node twin
        JOIN memory_vector vector
          ON vector.tenant_id = twin.tenant_id AND vector.node_id = twin.id
         AND vector.recipe IS NOT DISTINCT FROM %(recipe)s
        WHERE twin.tenant_id = %(tenant)s AND twin.sha = waiting.sha
        LIMIT 1
    ) AS known
    CROSS JOIN LATERAL unnest(waiting.ids, waiting.banks, waiting.levels)
        AS fresh (id, bank_id, level)
    ON CONFLICT DO NOTHING
"""
_OF_DOCUMENT = "node.document_id = %(document)s"
_OF_THESE = "node.id = ANY(%(nodes)s::uuid[])"

_STORE = """
    INSERT INTO memory_vector (tenant_id, node_id, bank_id, recipe, level, embedding)
    SELECT node.tenant_id, node.id, node.bank_id, %s, node.level, given.embedding::halfvec
    FROM unnest(%s::uuid[], %s::text[]) AS given (node_id, embedding)
    JOIN memory_node node ON node.tenant_id = %s AND node.id = given.node_id
    ON CONFLICT (tenant_id, node_id, recipe) DO {on_conflict}
"""

# Hops from one recipe to the next in the index, instead of reading every vector.
_STORED_RECIPES = """
    WITH RECURSIVE seen (recipe) AS (
        (SELECT recipe FROM memory_vector WHERE tenant_id = %(tenant)s ORDER BY recipe LIMIT 1)
        UNION ALL
        SELECT (SELECT later.recipe FROM memory_vector later
                WHERE later.tenant_id = %(tenant)s AND later.recipe > seen.recipe
                ORDER BY later.recipe LIMIT 1)
        FROM seen WHERE seen.recipe IS NOT NULL
    )
    SELECT recipe, (SELECT vector_dims(embedding) FROM memory_vector one
                    WHERE one.tenant_id = %(tenant)s AND one.recipe = seen.recipe LIMIT 1)
    FROM seen WHERE recipe IS NOT NULL
"""

_WAITING = """
    SELECT count(*) FROM memory_vector old
    WHERE old.tenant_id = %(tenant)s AND old.recipe = %(stored)s
      AND vector_dims(old.embedding) = %(stored_size)s
      AND NOT EXISTS (
        SELECT 1 FROM memory_vector new
        WHERE new.tenant_id = old.tenant_id AND new.node_id = old.node_id
          AND new.recipe = %(current)s AND vector_dims(new.embedding) = %(size)s
      )
"""


def indexed_text(node: Node) -> str:
    """What a node is found by: what stands above the text, as a reader sees it."""
    above = (node.lead, *node.heading_path) if node.lead else node.heading_path
    return "\n".join((*above, node.text))


def encoded_text(node: Node) -> str:
    """What an encoder is given: of a turn, what was said before it and who says it, as in a dialogue.

    Its date is a word to look for, and moves every vector of a day into one corner.
    """
    if not node.speaker:
        return indexed_text(node)
    *before, last = node.lead.split("\n")
    if last != node.speaker and not last.startswith(f"{node.speaker}, "):
        before.append(last)
    lines = (*before, *node.heading_path, f"{node.speaker}: {node.text}")
    return "\n".join(line for line in lines if line)


def reuse(document_id: UUID, recipe: Recipe) -> int:
    """Copy vectors of equal content that the tenant has already. Returns how many."""
    return _reuse(_OF_DOCUMENT, recipe, document=document_id)


def reuse_for(node_ids: Sequence[UUID], recipe: Recipe) -> int:
    """``reuse`` for these nodes, of any documents."""
    return _reuse(_OF_THESE, recipe, nodes=list(node_ids))


def _reuse(of: str, recipe: Recipe, **params: Any) -> int:
    named = {**params, "recipe": recipe.name, "tenant": tenancy.require()}
    with connection.cursor() as cursor:
        cursor.execute(_REUSE.format(of=of), named)
        return cursor.rowcount


def missing(document_id: UUID, recipe: Recipe) -> list[tuple[UUID, str]]:
    """Nodes of a document without a vector under this recipe, with the text to encode."""
    nodes = (
        Node.objects.filter(document_id=document_id)
        .exclude(Exists(Vector.objects.filter(node_id=OuterRef("pk"), recipe=recipe.name)))
        .order_by("char_start")
    )
    return [(node.pk, encoded_text(node)) for node in nodes]


def of_document(document_id: UUID) -> list[tuple[UUID, str]]:
    """All nodes of a document, with the text to encode."""
    nodes = Node.objects.filter(document_id=document_id).order_by("char_start")
    return [(node.pk, encoded_text(node)) for node in nodes]


def store(
    node_ids: Sequence[UUID], embeddings: np.ndarray, recipe: Recipe, *, replace: bool = False
) -> int:
    """Store a row of ``embeddings`` for each node that is still there. Returns how many.

    A vector that is there already stays, or with ``replace`` gives way.
    """
    literals = [as_literal(row) for row in embeddings]
    statement = _STORE.format(
        on_conflict="UPDATE SET embedding = EXCLUDED.embedding" if replace else "NOTHING"
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, [recipe.name, list(node_ids), literals, tenancy.require()])
        return cursor.rowcount


def stored_recipes() -> list[Recipe]:
    """The recipes of the tenant's vectors. The size is that of any one vector of each."""
    with connection.cursor() as cursor:
        cursor.execute(_STORED_RECIPES, {"tenant": tenancy.require()})
        return [Recipe(name, dimensions) for name, dimensions in cursor.fetchall()]


def count_waiting(stored: Recipe, current: Recipe) -> int:
    """How many nodes have a vector of ``stored`` and none of ``current``."""
    with connection.cursor() as cursor:
        cursor.execute(
            _WAITING,
            {
                "tenant": tenancy.require(),
                "stored": stored.name,
                "stored_size": stored.dimensions,
                "current": current.name,
                "size": current.dimensions,
            },
        )
        return int(cursor.fetchone()[0])


def drop_misfits(recipe: Recipe) -> int:
    """Remove vectors that have the recipe's name and another size. Returns how many."""
    return _delete("recipe = %s AND vector_dims(embedding) <> %s", recipe.name, recipe.dimensions)


def prune(recipe: Recipe) -> int:
    """Remove the vectors of all other recipes. Returns how many."""
    return _delete("recipe <> %s", recipe.name)


def _delete(condition: str, *params: str | int) -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            f"DELETE FROM memory_vector WHERE tenant_id = %s AND {condition}",
            [tenancy.require(), *params],
        )
        return cursor.rowcount


def as_literal(vector: Sequence[float] | np.ndarray) -> str:
    """pgvector's text form."""
    # Python's numbers are written several times faster than numpy's.
    return "[" + ",".join(f"{value:.6g}" for value in np.asarray(vector).tolist()) + "]"


def checked(embeddings: np.ndarray, rows: int, recipe: Recipe) -> np.ndarray:
    """Raise ``VectorsInvalid`` unless there are ``rows`` finite unit vectors of the recipe's size."""
    if embeddings.shape != (rows, recipe.dimensions):
        raise VectorsInvalid(
            f"{recipe.name} returned {embeddings.shape}, expected {(rows, recipe.dimensions)}"
        )
    if not np.isfinite(embeddings).all():
        raise VectorsInvalid(f"{recipe.name} returned values that are not finite")
    if (np.abs(np.linalg.norm(embeddings, axis=1) - 1.0) > _UNIT_TOLERANCE).any():
        raise VectorsInvalid(f"{recipe.name} returned vectors that are not of unit length")
    return embeddings
