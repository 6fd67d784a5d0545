"""HNSW indexes are there for the encoder that is set, and made by the owner alone."""

from __future__ import annotations

import uuid

import pytest
from django.db import ProgrammingError, connection, connections, transaction

from memory import tenancy, vector_indexes
from memory.backends import registry
from memory.levels import Level
from memory.seams import Recipe

pytestmark = pytest.mark.django_db(databases=["default", "owner"])


def index_names() -> set[str]:
    with connections["owner"].cursor() as cursor:
        cursor.execute("SELECT indexname FROM pg_indexes WHERE tablename = 'memory_vector'")
        return {name for (name,) in cursor.fetchall()}


def test_migrating_makes_one_for_each_level_of_the_encoder() -> None:
    wanted = {index.name for index in vector_indexes.wanted(registry.encoder().recipe)}

    assert len(wanted) == len(Level)
    assert wanted <= index_names()


def test_a_second_run_changes_nothing() -> None:
    before = index_names()

    assert vector_indexes.ensure(registry.encoder().recipe, using="owner") == []
    assert index_names() == before


def test_another_recipe_gets_its_own_and_they_go_with_its_last_vector() -> None:
    current, other = registry.encoder().recipe, Recipe("another/8", 8)

    made = vector_indexes.ensure(other, using="owner")
    assert set(made) <= index_names()

    vector_indexes.ensure(current, using="owner")
    assert not set(made) & index_names()
    assert {index.name for index in vector_indexes.wanted(current)} <= index_names()


def test_vectors_that_are_too_long_are_left_without() -> None:
    assert vector_indexes.wanted(Recipe("long", vector_indexes.MAX_DIMENSIONS + 1)) == []


def test_the_application_role_cannot_make_one() -> None:
    with (
        tenancy.scope(uuid.uuid4()),
        pytest.raises(ProgrammingError, match="must be owner"),
        transaction.atomic(),
    ):
        vector_indexes.ensure(Recipe("mine", 8), using=connection.alias)
