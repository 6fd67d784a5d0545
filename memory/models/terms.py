"""The keyword index: rows of what was written lately, packed postings of all else."""

from __future__ import annotations

from django.db import models

from memory.levels import Level
from memory.models.base import TenantModel, ref

_LEVELS = [(level.value, level.value) for level in Level]


class Term(TenantModel):
    """How often a term occurs in a node that was written lately.

    Every such node has a row of the empty term, too, whose count is that of all its terms. Rows in
    a b-tree, because under row security PostgreSQL does not use GIN: its operators are not
    leakproof, equality is (docs/adr/0003).
    """

    pk = models.CompositePrimaryKey("tenant_id", "bank_id", "level", "term", "node_id")
    bank = ref("memory.Bank", db_index=False)
    level = models.CharField(max_length=2, choices=_LEVELS)
    term = models.CharField(max_length=120)
    node = ref("memory.Node", db_index=False)
    count = models.PositiveIntegerField()

    class Meta:
        indexes = [models.Index(fields=("tenant", "node"), name="term_node")]


class TermBlock(TenantModel):
    """The postings of a term in a run of node numbers (``memory.postings`` reads them).

    Postings of nodes that were deleted since stay until the next purge and match no node.
    """

    pk = models.CompositePrimaryKey("tenant_id", "bank_id", "level", "term", "block")
    bank = ref("memory.Bank", db_index=False)
    level = models.CharField(max_length=2, choices=_LEVELS)
    term = models.CharField(max_length=120)
    block = models.IntegerField()
    postings = models.BinaryField()


class TermStatistics(TenantModel):
    """How many nodes of a level are packed, and how many terms they have together."""

    pk = models.CompositePrimaryKey("tenant_id", "bank_id", "level")
    bank = ref("memory.Bank", db_index=False)
    level = models.CharField(max_length=2, choices=_LEVELS)
    nodes = models.BigIntegerField()
    length = models.BigIntegerField()
