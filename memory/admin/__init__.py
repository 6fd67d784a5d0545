"""The administration of the ground floor: the organisation, its people and keys, what was recorded."""

from memory.admin import accounts, invitations, keys, records

__all__ = ["accounts", "invitations", "keys", "records"]
