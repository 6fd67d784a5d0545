"""The administration of the ground floor: the organisation, its people and keys, what was recorded."""

from memory.admin import accounts, keys, records

__all__ = ["accounts", "keys", "records"]
