"""The audit kinds of the ground floor: who may do what."""

from __future__ import annotations

from memory import audit

_CHANGE = ("actor", "before", "after")

KEY_CREATED = audit.register("memory.key_created", *_CHANGE, "user_id", "key_id")
KEY_REVOKED = audit.register("memory.key_revoked", *_CHANGE, "user_id", "key_id")
MEMBER_ADDED = audit.register("memory.member_added", *_CHANGE, "user_id")
MEMBER_CHANGED = audit.register("memory.member_changed", *_CHANGE, "user_id")
MEMBER_INVITED = audit.register("memory.member_invited", *_CHANGE, "invitation_id")
INVITATION_RENEWED = audit.register("memory.invitation_renewed", *_CHANGE, "invitation_id")
INVITATION_REVOKED = audit.register("memory.invitation_revoked", *_CHANGE, "invitation_id")
ACCOUNT_CHANGED = audit.register("memory.account_changed", *_CHANGE, "user_id", "fields")
PASSWORD_LINK_MADE = audit.register("memory.password_link_made", "actor", "user_id")
TENANT_CHANGED = audit.register("memory.tenant_changed", *_CHANGE)
