"""What ``mem forget`` removes, and how it asks."""

from __future__ import annotations

from dataclasses import dataclass

from memory import banks
from memory.errors import DocumentNotFound
from memory.language.text import clean_text
from memory.mem.failures import ExitCode, Failed, Failure
from memory.mem.people import counted, plain
from memory.models import Bank, Document, Membership
from memory.retain import changing


@dataclass(frozen=True, slots=True)
class Wanted:
    """A document of a project, or with None the whole project."""

    bank: Bank
    document: str | None

    @property
    def what(self) -> str:
        return f"project {self.bank.name}" if self.document is None else self.document

    @property
    def question(self) -> str:
        if self.document is None:
            return f"This removes {self.what} with all that it holds, for good. Add --yes to do it."
        return f"This removes {self.what} and its facts from {self.bank.name}. Add --yes to do it."

    def gone(self, memories: int) -> str:
        name = plain(self.what)
        if self.document is None:
            return f"{name} is gone with all that it held"
        return f"{name} is gone with {counted(memories, 'fact')}"

    def remove(self) -> dict[str, int]:
        if self.document is None:
            return {"memories": banks.delete(self.bank)}
        return {"memories": changing.delete_document(self.bank.pk, self.document)}


def find(member: Membership, bank: Bank, document: str | None) -> Wanted:
    """Raises ``DocumentNotFound``, and ``Failed`` for a project that is not theirs to remove."""
    if document is None:
        if not banks.is_theirs(member, bank):
            message = f"Only the owner of {bank.name} and admins may remove it."
            raise Failed(Failure(ExitCode.FAILED, "forbidden", message))
        return Wanted(bank, None)
    name = clean_text(document)
    if not Document.objects.filter(bank=bank, corpus=None, name=name).exists():
        raise DocumentNotFound(document)
    return Wanted(bank, name)
