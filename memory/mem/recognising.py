"""Which failure an error means."""

from __future__ import annotations

from django.db import DatabaseError, InterfaceError, OperationalError

from memory import errors
from memory.mem.failures import ExitCode, Failure, unreachable
from memory.members import NoMember
from memory.trees import TreeUnreadable

_KNOWN: tuple[tuple[type[Exception], ExitCode, str, str], ...] = (
    (errors.BankNotFound, ExitCode.UNKNOWN, "unknown_project", "There is no project {0}."),
    (errors.CorpusNotFound, ExitCode.UNKNOWN, "unknown_corpus", "There is no corpus {0}."),
    (NoMember, ExitCode.UNKNOWN, "unknown_member", "{0}"),
    (errors.InvalidQuery, ExitCode.BAD_FLAGS, "bad_flags", "{0}"),
    (errors.InvalidTags, ExitCode.BAD_FLAGS, "bad_flags", "{0}"),
    (errors.InvalidTime, ExitCode.BAD_FLAGS, "bad_flags", "{0}"),
    (errors.InvalidBank, ExitCode.BAD_FLAGS, "bad_flags", "{0}"),
    (errors.InvalidCorpus, ExitCode.FAILED, "unreadable_corpus", "{0}"),
    (TreeUnreadable, ExitCode.FAILED, "unreadable_corpus", "{0}"),
    (errors.InvalidMemory, ExitCode.FAILED, "invalid_memory", "{0}"),
    (errors.MemoryFault, ExitCode.FAILED, "fault", "{0}"),
    (OSError, ExitCode.FAILED, "unreadable_file", "{0}"),
)


def of_error(error: Exception) -> Failure | None:
    """The failure that an error means, None for one that is a fault of ours."""
    for kind, exit_code, word, message in _KNOWN:
        if isinstance(error, kind):
            return Failure(exit_code, word, message.format(error))
    if isinstance(error, OperationalError | InterfaceError) and _is_away(error):
        return unreachable(f"The database cannot be reached: {_first_line(error)}")
    if isinstance(error, DatabaseError):
        return Failure(ExitCode.FAILED, "database_error", _first_line(error))
    return None


def _is_away(error: Exception) -> bool:
    """No SQLSTATE: the connection was never made, or was lost. Else its class says so."""
    state = getattr(error.__cause__, "sqlstate", None)
    return state is None or state.startswith(("08", "28", "3D", "57P"))


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]
