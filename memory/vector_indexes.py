"""HNSW indexes over vectors: one for each level, under the recipe of the encoder that is set.

Vectors have no fixed size in their table, so an index is over a cast, and partial: its expression
and condition are what ``recall.arms.semantic`` writes. Only the owner can make one, so they are made
when the schema is (``post_migrate``), without which recall is exact and slower.
"""

from __future__ import annotations

import hashlib
import logging
from dataclasses import dataclass
from typing import Any, Final

from django.apps import AppConfig
from django.db import connections
from django.db.models.signals import post_migrate
from psycopg import sql

from memory.backends import registry
from memory.levels import Level
from memory.seams import Recipe

logger = logging.getLogger(__name__)

MAX_DIMENSIONS: Final = 4000  # of an indexed halfvec
_PREFIX: Final = "vector_hnsw_"
_BUILD_MEMORY: Final = "512MB"  # a graph that does not fit is built many times slower

_CREATE = """
CREATE INDEX {concurrently} {name} ON memory_vector
USING hnsw ((embedding::halfvec({dimensions})) halfvec_cosine_ops)
WHERE recipe = {recipe} AND level = {level} AND vector_dims(embedding) = {dimensions}
"""

# Of indexes that are ours; one whose build was cut short is not valid and never used.
_OURS = """
SELECT index.relname, pg_index.indisvalid, obj_description(index.oid, 'pg_class')
FROM pg_class index
JOIN pg_index ON pg_index.indexrelid = index.oid
WHERE pg_index.indrelid = 'memory_vector'::regclass AND starts_with(index.relname, %s)
"""

_HAS_VECTORS = "SELECT EXISTS (SELECT 1 FROM memory_vector WHERE recipe = %s)"


@dataclass(frozen=True, slots=True)
class VectorIndex:
    recipe: Recipe
    level: Level

    @property
    def name(self) -> str:
        digest = hashlib.sha256(self.recipe.name.encode()).hexdigest()[:12]
        return f"{_PREFIX}{digest}_{self.level.value.lower()}"


def wanted(recipe: Recipe) -> list[VectorIndex]:
    """None for vectors that are too long to be indexed."""
    if recipe.dimensions > MAX_DIMENSIONS:
        return []
    return [VectorIndex(recipe, level) for level in Level]


def ensure(recipe: Recipe, *, using: str) -> list[str]:
    """Make the recipe's missing indexes, drop those of recipes that no vector has any more.

    ``using`` is the owner's alias. Returns the names of those that were made. Other work goes on
    meanwhile, unless a transaction is open.
    """
    connection = connections[using]
    with connection.cursor() as cursor:
        cursor.execute(_OURS, [_PREFIX])
        existing = {name: (is_valid, recipe_name) for name, is_valid, recipe_name in cursor}
        for name, (is_valid, recipe_name) in existing.items():
            if not is_valid or not _is_used(cursor, recipe_name, recipe):
                cursor.execute(_statement("DROP INDEX {name}", name=name))
        valid = {name for name, (is_valid, _) in existing.items() if is_valid}
        missing = [index for index in wanted(recipe) if index.name not in valid]
        for index in missing:
            _create(cursor, index, concurrently=not connection.in_atomic_block)
    return [index.name for index in missing]


def _is_used(cursor: Any, recipe_name: str | None, current: Recipe) -> bool:
    if recipe_name == current.name:
        return True
    cursor.execute(_HAS_VECTORS, [recipe_name])
    return bool(cursor.fetchone()[0])


def _create(cursor: Any, index: VectorIndex, *, concurrently: bool) -> None:
    cursor.execute("SELECT set_config('maintenance_work_mem', %s, false)", [_BUILD_MEMORY])
    cursor.execute(
        sql.SQL(_CREATE).format(
            concurrently=sql.SQL("CONCURRENTLY" if concurrently else ""),
            name=sql.Identifier(index.name),
            dimensions=sql.Literal(index.recipe.dimensions),
            recipe=sql.Literal(index.recipe.name),
            level=sql.Literal(index.level.value),
        )
    )
    cursor.execute(
        _statement("COMMENT ON INDEX {name} IS {recipe}", name=index.name, recipe=index.recipe.name)
    )
    cursor.execute("RESET maintenance_work_mem")


def _statement(text: str, *, name: str, recipe: str = "") -> sql.Composed:
    return sql.SQL(text).format(name=sql.Identifier(name), recipe=sql.Literal(recipe))


def _after_migrate(*, using: str, **_: Any) -> None:
    if "memory_vector" not in connections[using].introspection.table_names():
        return  # migrated back to before there were vectors
    try:
        recipe = registry.encoder().recipe
    except Exception:  # a schema can be made where no encoder is installed
        logger.warning("vector_indexes_not_made", exc_info=True)
        return
    ensure(recipe, using=using)


def connect(app: AppConfig) -> None:
    post_migrate.connect(_after_migrate, sender=app, dispatch_uid="memory.vector_indexes")
