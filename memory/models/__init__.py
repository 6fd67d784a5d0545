"""Models of the ground floor: who, audit, banks and what they hold."""

from memory.models.accounts import ApiKey, Membership, Role, Tenant, User
from memory.models.audit import AuditEntry, AuditHead, Event
from memory.models.base import TenantModel
from memory.models.invitations import Invitation
from memory.models.nodes import Bank, BankKind, Level, Node, Term, Vector

__all__ = [
    "ApiKey",
    "AuditEntry",
    "AuditHead",
    "Bank",
    "BankKind",
    "Event",
    "Invitation",
    "Level",
    "Membership",
    "Node",
    "Role",
    "Tenant",
    "TenantModel",
    "Term",
    "User",
    "Vector",
]
