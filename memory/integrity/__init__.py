"""Whether banks hold what recall relies on. Reads only; to be called inside a scope.

    edges     R has none, so its hits need no walk; ends exist, in the same bank; a fact is derived
              from one level down, never from itself by way of others, and from the passage it names
    vectors   every node has one of the encoder that is set, of its size and of unit length
    keywords  every node is in the keyword index once, with all of its terms
    chunks    a passage is the slice of its document that its offsets name, to the code point; a
              fact names its passage, and in words of its own stands inside one; a hash is that of
              the words
    observations  each says what facts of at least two documents say alike, and counts them

The database's own constraints forbid much of this. They can be dropped, and a dump can be restored
without them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from uuid import UUID

from memory.integrity.edges import verify_edges
from memory.integrity.keywords import verify_keywords
from memory.integrity.observations import verify_observations
from memory.integrity.records import Check, Fault, Verified
from memory.integrity.texts import verify_chunks
from memory.integrity.vectors import verify_vectors

CHECKS: Mapping[Check, Callable[[Sequence[UUID]], Verified]] = {
    Check.EDGES: verify_edges,
    Check.VECTORS: verify_vectors,
    Check.KEYWORDS: verify_keywords,
    Check.CHUNKS: verify_chunks,
    Check.OBSERVATIONS: verify_observations,
}

__all__ = [
    "CHECKS",
    "Check",
    "Fault",
    "Verified",
    "verify_chunks",
    "verify_edges",
    "verify_keywords",
    "verify_observations",
    "verify_vectors",
]
