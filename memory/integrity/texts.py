"""Texts: against their documents, their passages and their hashes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final
from uuid import UUID

from memory.integrity.records import Check, Verified, judge
from memory.levels import Level
from memory.models import Document, Node

_DOCUMENTS_AT_ONCE: Final = 100

_COUNT = """
    SELECT count(*) FROM memory_node
    WHERE tenant_id = %(tenant)s AND bank_id = ANY(%(banks)s)
"""

# ``elsewhere`` are nodes whose text does not stand at their place. A fact that no document holds has
# no span (char_end 0); an observation has no document.
_CHUNKS = """
    WITH judged AS (
        SELECT node.sha, node.level, node.char_start, node.char_end, document.name,
            CASE
                WHEN document.id IS NULL THEN 'its document does not exist'
                WHEN document.bank_id <> node.bank_id THEN 'its document is of another bank'
                WHEN node.level = 'L1' AND node.chunk_id IS NULL THEN 'it names no passage'
                WHEN node.level = 'L1' AND passage.id IS NULL
                    THEN 'the passage that it names is none of its document'
                WHEN NOT node.id = ANY(%(elsewhere)s::uuid[]) THEN NULL
                WHEN node.level <> 'L1' THEN 'its document reads otherwise at its place'
                -- A model's fact, or one that was edited, has words of its own.
                WHEN node.char_end > 0 AND NOT EXISTS (
                    SELECT FROM memory_edge edge
                    JOIN memory_node source
                      ON source.tenant_id = edge.tenant_id AND source.id = edge.parent_id
                    WHERE edge.tenant_id = node.tenant_id AND edge.child_id = node.id
                      AND edge.type = 'derived_from'
                      AND source.document_id = node.document_id
                      AND source.char_start <= node.char_start
                      AND source.char_end >= node.char_end
                ) THEN 'its place is in none of its passages'
            END AS reason
        FROM memory_node node
        LEFT JOIN memory_document document
          ON document.tenant_id = node.tenant_id AND document.id = node.document_id
        LEFT JOIN memory_node passage
          ON passage.tenant_id = node.tenant_id AND passage.id = node.chunk_id
         AND passage.level = 'L0' AND passage.document_id = node.document_id
        WHERE node.tenant_id = %(tenant)s AND node.bank_id = ANY(%(banks)s)
          AND (node.level IN ('L0', 'R') OR (node.level = 'L1' AND node.document_id IS NOT NULL))
    )
    SELECT reason, sha, NULL,
        concat(level, ', ', COALESCE(name, 'no document'), ' ', char_start, '-', char_end),
        count(*) OVER ()
    FROM judged WHERE reason IS NOT NULL ORDER BY reason, sha LIMIT %(most)s
"""

# As ``memory.vectors.indexed_text`` puts it together.
_HASHES = """
    SELECT 'its hash is not that of its words', node.sha, NULL,
        concat(node.level, ', ', COALESCE(document.name, 'no document')), count(*) OVER ()
    FROM memory_node node
    LEFT JOIN memory_document document
      ON document.tenant_id = node.tenant_id AND document.id = node.document_id
    WHERE node.tenant_id = %(tenant)s AND node.bank_id = ANY(%(banks)s)
      AND node.sha <> encode(sha256(convert_to(array_to_string(
          CASE WHEN node.lead = '' THEN '{}' ELSE ARRAY[node.lead] END
              || node.heading_path || node.text,
          chr(10)), 'UTF8')), 'hex')
    ORDER BY node.sha LIMIT %(most)s
"""


def verify_chunks(bank_ids: Sequence[UUID]) -> Verified:
    elsewhere = list(_elsewhere(bank_ids))
    return judge(Check.CHUNKS, (_CHUNKS, _HASHES), bank_ids, count=_COUNT, elsewhere=elsewhere)


def _elsewhere(bank_ids: Sequence[UUID]) -> Iterator[UUID]:
    """Nodes whose text is not the slice of their document that their offsets name. Sliced here: the
    database would read a document from its beginning for each of its nodes."""
    for texts in _documents(bank_ids):
        placed = Node.objects.filter(
            bank_id__in=bank_ids,
            document_id__in=list(texts),
            level__in=(Level.L0, Level.L1, Level.R),
        )
        for node_id, document_id, text, start, end in placed.values_list(
            "pk", "document_id", "text", "char_start", "char_end"
        ):
            if document_id is None or texts[document_id][start:end] != text:
                yield node_id


def _documents(bank_ids: Sequence[UUID]) -> Iterator[dict[UUID, str]]:
    """Their texts, some at a time."""
    rows = Document.objects.filter(bank_id__in=bank_ids).order_by("pk").values_list("pk", "text")
    step = dict(rows[:_DOCUMENTS_AT_ONCE])
    while step:
        yield step
        step = dict(rows.filter(pk__gt=max(step))[:_DOCUMENTS_AT_ONCE])
