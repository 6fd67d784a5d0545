"""Models of the ground floor: who, audit, banks and what they hold."""

from memory.levels import EdgeType, FactType, Level
from memory.models.accounts import ApiKey, Membership, Role, Tenant, User
from memory.models.audit import AuditEntry, AuditHead, Event
from memory.models.banks import Access, Bank, BankKind, Corpus, Document
from memory.models.base import TenantModel
from memory.models.graph import Edge, Entity, EntityTrigram, NodeEntity
from memory.models.invitations import Invitation
from memory.models.nodes import Node, NodeTag, Vector
from memory.models.operations import Operation, OperationStatus, OperationType
from memory.models.reflecting import ChangeKind, Directive, MemoryChange, MentalModel
from memory.models.terms import Term, TermBlock, TermStatistics

__all__ = [
    "Access",
    "ApiKey",
    "AuditEntry",
    "AuditHead",
    "Bank",
    "BankKind",
    "ChangeKind",
    "Corpus",
    "Directive",
    "Document",
    "Edge",
    "EdgeType",
    "Entity",
    "EntityTrigram",
    "Event",
    "FactType",
    "Invitation",
    "Level",
    "Membership",
    "MemoryChange",
    "MentalModel",
    "Node",
    "NodeEntity",
    "NodeTag",
    "Operation",
    "OperationStatus",
    "OperationType",
    "Role",
    "Tenant",
    "TenantModel",
    "Term",
    "TermBlock",
    "TermStatistics",
    "User",
    "Vector",
]
