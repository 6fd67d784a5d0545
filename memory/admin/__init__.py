"""The administration of the ground floor: the organisation, its people and keys, what was recorded,
and the banks of its memory."""

from memory.admin import (
    accounts,
    banks,
    documents,
    entities,
    invitations,
    keys,
    memories,
    operations,
    records,
)

__all__ = [
    "accounts",
    "banks",
    "documents",
    "entities",
    "invitations",
    "keys",
    "memories",
    "operations",
    "records",
]
