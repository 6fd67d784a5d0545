"""Every error of the memory app.

MemoryFault
├── OutsideScope          a tenant's table was touched without a tenant
├── TenantMismatch        a scope of another tenant is open
├── UnsafeRole            the database role could ignore row security
├── UnknownKind           an audit kind that is not in the catalogue, or a body that misses a field
├── EncoderChanged        the stored vectors have another size than the encoder's
├── VectorsInvalid        an encoder returned vectors that are not finite unit rows
├── InvalidTags           a tag or a tag filter that is not understood, or beyond a limit
├── InvalidQuery          a query that nothing can be looked up by
├── InvalidTime           a point in time that is not ISO 8601
├── BankNotFound          not there, or not this member's to see: nobody can tell which
├── InvalidBank           a bank that cannot be made
├── InvalidCorpus         a corpus that cannot be made, or a tree without a page
├── CorpusNotFound        no corpus of this name in the bank
├── Unconvertible         a file that no page can be made of
├── InvalidMemory         content, tags or metadata that cannot be retained
├── DocumentNotFound      no document of this name in the bank
├── MemoryNotFound        no memory of this id in the bank
├── OperationNotFound     no operation of this id in the bank
├── DirectiveNotFound     no directive of this id in the bank
├── MentalModelNotFound   no mental model of this id in the bank
├── InvalidMentalModel    a mental model that cannot be made
├── MentalModelExists     its id is taken
├── ExtractionFailed      no facts could be taken from a passage
├── GeneratorFailed       a generator gave no draft
│   └── UnreadableReply   a model's reply is not exactly one readable draft
├── RerankerFailed        a reranker gave no score for some passage, or none that is a number
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


class InvalidTags(MemoryFault):
    """A tag or a tag filter is not understood, or beyond a limit. Says in a sentence which."""


class InvalidQuery(MemoryFault):
    """A query without a word. Says in a sentence what is missing."""


class InvalidTime(MemoryFault):
    """A point in time or a window is not readable. Says in a sentence what would be."""


class BankNotFound(MemoryFault):
    """No bank of this name that this member may open. The argument is the name."""


class InvalidBank(MemoryFault):
    """A bank cannot be made like this. Says in a sentence why. Nothing was saved."""


class InvalidCorpus(MemoryFault):
    """A corpus cannot be made like this. Says in a sentence why. Nothing was changed."""


class CorpusNotFound(MemoryFault):
    """The bank has no corpus of this name. The argument is the name."""


class Unconvertible(MemoryFault):
    """No page can be made of a file's bytes. Says in a sentence why."""


class InvalidMemory(MemoryFault):
    """Something cannot be retained as it was given. Says in a sentence why. Nothing was saved."""


class DocumentNotFound(MemoryFault):
    """The bank has no document of this name. The argument is the name."""


class MemoryNotFound(MemoryFault):
    """The bank has no memory of this id. The argument is the id."""


class OperationNotFound(MemoryFault):
    """The bank has no operation of this id. The argument is the id."""


class DirectiveNotFound(MemoryFault):
    """The bank has no directive of this id. The argument is the id."""


class MentalModelNotFound(MemoryFault):
    """The bank has no mental model of this id. The argument is the id."""


class InvalidMentalModel(MemoryFault):
    """A mental model cannot be made like this. Says in a sentence why. Nothing was saved."""


class MentalModelExists(MemoryFault):
    """The id that a new mental model shall have is taken. The argument is the id."""


class ExtractionFailed(MemoryFault):
    """No facts could be taken from a passage. Says in a sentence why; the passage itself is kept."""


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


class RerankerFailed(MemoryFault):
    """A reranker gave no score for some passage, or none that is a number. Nothing is guessed then."""


class InvalidRange(MemoryFault):
    """A draft cites a range outside its passage and gives no quote to find it by."""
