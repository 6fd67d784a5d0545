"""Every error of the memory app.

MemoryFault
├── OutsideScope          a tenant's table was touched without a tenant
├── TenantMismatch        a scope of another tenant is open
├── UnsafeRole            the database role could ignore row security
├── UnknownKind           an audit kind that is not in the catalogue, or a body that misses a field
├── EncoderChanged        the stored vectors have another size than the encoder's
├── VectorsInvalid        an encoder returned vectors that are not finite unit rows
├── GeneratorFailed       a generator gave no draft
│   └── UnreadableReply   a model's reply is not exactly one readable draft
└── InvalidRange          a draft cites a place that its passage does not have
"""

from __future__ import annotations

from enum import StrEnum


class MemoryFault(Exception):
    """The root of this tree."""


class OutsideScope(MemoryFault):
    """A tenant's table was touched outside ``tenancy.scope``."""


class TenantMismatch(MemoryFault):
    """A scope was opened inside the scope of another tenant."""


class UnsafeRole(MemoryFault):
    """The application's database role is a superuser, an owner, or bypasses row security."""


class UnknownKind(MemoryFault):
    """An audit entry whose kind is not registered, or whose body misses a registered field."""


class EncoderChanged(MemoryFault):
    """The stored vectors have another size than the encoder's, and were not rebuilt."""


class VectorsInvalid(MemoryFault):
    """An encoder returned rows of a wrong shape, not finite, or not of unit length."""


class FailureKind(StrEnum):
    TIMEOUT = "timeout"
    QUOTA = "quota"
    UNAVAILABLE = "unavailable"
    UNREADABLE = "unreadable"


class GeneratorFailed(MemoryFault):
    """A generator gave no draft. ``kind`` says why, for the log; a reader is told it was our fault."""

    def __init__(self, message: str, *, kind: FailureKind = FailureKind.UNAVAILABLE) -> None:
        super().__init__(message)
        self.kind = kind


class UnreadableReply(GeneratorFailed):
    """A model's reply is not exactly one readable draft. It is never guessed at."""

    def __init__(self, message: str) -> None:
        super().__init__(message, kind=FailureKind.UNREADABLE)


class InvalidRange(MemoryFault):
    """A draft cites a range outside its passage and gives no quote to find it by."""
