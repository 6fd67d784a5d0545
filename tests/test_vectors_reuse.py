"""Vectors of words that the tenant has already are copied, each content's twin looked for once."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import numpy as np
import pytest

from memory import tenancy, vectors
from memory.backends import registry
from memory.models import Bank, Node, Vector
from tests import nodes
from tests.factories import make_org

pytestmark = pytest.mark.django_db

WORDS, OTHERS = "The depot opens at 7.", "The lift is out of order."


@pytest.fixture
def bank() -> Iterator[Bank]:
    org = make_org()
    with tenancy.scope(org.tenant.pk):
        yield nodes.make_bank(org.tenant, "work")


def plain(bank: Bank, *texts: str, document_id: uuid.UUID | None = None) -> list[Node]:
    """Nodes without a vector."""
    return nodes.add_nodes(bank, texts, encode=False, document_id=document_id)


def with_vectors() -> set[uuid.UUID]:
    return set(Vector.objects.values_list("node_id", flat=True))


def test_every_node_of_a_content_gets_the_vector_of_one_twin(bank: Bank) -> None:
    recipe = registry.encoder().recipe
    known = nodes.add_nodes(bank, [WORDS, WORDS])
    document_id = uuid.uuid4()
    fresh = plain(bank, WORDS, OTHERS, WORDS, document_id=document_id)
    assert vectors.reuse(document_id, recipe) == 2
    assert with_vectors() == {node.pk for node in (*known, fresh[0], fresh[2])}
    copied = {tuple(vector.embedding) for vector in Vector.objects.all()}
    assert len(copied) == 1
    assert vectors.missing(document_id, recipe) == [(fresh[1].pk, OTHERS)]


def test_vector_that_is_there_is_not_copied_over(bank: Bank) -> None:
    recipe = registry.encoder().recipe
    nodes.add_node(bank, WORDS)
    (own,) = plain(bank, WORDS, document_id=uuid.uuid4())
    row = np.zeros((1, recipe.dimensions), np.float32)
    row[0, 0] = 1
    vectors.store([own.pk], row, recipe)
    assert vectors.reuse_for([own.pk], recipe) == 0
    assert Vector.objects.get(node_id=own.pk).embedding[0] == 1


def test_vector_of_another_recipe_is_not_copied(bank: Bank) -> None:
    recipe = registry.encoder().recipe
    nodes.add_node(bank, WORDS)
    Vector.objects.update(recipe="other-words/64")
    fresh = plain(bank, WORDS)
    assert vectors.reuse_for([fresh[0].pk], recipe) == 0


def test_vector_of_another_organisation_is_not_copied() -> None:
    recipe = registry.encoder().recipe
    one, other = make_org(), make_org()
    with tenancy.scope(one.tenant.pk):
        nodes.add_node(nodes.make_bank(one.tenant, "work"), WORDS)
    with tenancy.scope(other.tenant.pk):
        fresh = plain(nodes.make_bank(other.tenant, "work"), WORDS)
        assert vectors.reuse_for([fresh[0].pk], recipe) == 0
