"""Which failure an error means."""

from __future__ import annotations

from django.conf import settings
from django.db import DatabaseError, InterfaceError, OperationalError

from memory import errors
from memory.mem.failures import ExitCode, Failed, Failure, not_set_up, unreachable
from memory.people.members import NoMember
from memory.trees import TreeUnreadable

_NO_SUCH_TABLE = "42P01"
_KNOWN: tuple[tuple[type[Exception], ExitCode, str, str], ...] = (
    (errors.BankNotFound, ExitCode.UNKNOWN, "unknown_project", "There is no project {0}."),
    (errors.DocumentNotFound, ExitCode.UNKNOWN, "unknown_document", "There is no document {0}."),
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
)


def of_error(error: Exception) -> Failure | None:
    """The failure that an error means, None for one that is a fault of ours."""
    if isinstance(error, Failed):
        return error.failure
    for kind, exit_code, word, message in _KNOWN:
        if isinstance(error, kind):
            return Failure(exit_code, word, message.format(error))
    if isinstance(error, OperationalError | InterfaceError) and _is_away(error):
        return unreachable(f"The database cannot be reached: {_first_line(error)}")
    if isinstance(error, DatabaseError) and _sqlstate(error) == _NO_SUCH_TABLE:
        return not_set_up(str(settings.HOME.path))
    if isinstance(error, DatabaseError):
        return Failure(ExitCode.FAILED, "database_error", _first_line(error))
    if isinstance(error, OSError):
        return Failure(ExitCode.FAILED, "unreadable_file", _of_file(error))
    return None


def _of_file(error: OSError) -> str:
    if error.filename is None or error.strerror is None:
        return str(error)
    return f"{error.filename} cannot be read: {error.strerror}."


def _is_away(error: Exception) -> bool:
    """No SQLSTATE: the connection was never made, or was lost. Else its class says so."""
    state = _sqlstate(error)
    return state is None or state.startswith(("08", "28", "3D", "57P"))


def _sqlstate(error: Exception) -> str | None:
    state: str | None = getattr(error.__cause__, "sqlstate", None)
    return state


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]
