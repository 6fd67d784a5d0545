"""Folders and archives as one thing: named files whose bytes can be read one at a time. Pure.

Nothing is ever written to a disk from an archive, so a name cannot leave its place; names that try
are refused all the same, because they would become addresses.
"""

from __future__ import annotations

import os
import stat
import unicodedata
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from memory.language.text import clean_text

MAX_FILES = 20_000
MAX_TOTAL = 512 * 2**20  # bytes of all files of an archive, unpacked
MAX_FILE = 16 * 2**20
MAX_PATH = 400  # code points

_JUNK_FOLDERS = frozenset({"__macosx", "node_modules", "__pycache__"})
_JUNK_FILES = frozenset({"thumbs.db", "desktop.ini"})


class TreeUnreadable(ValueError):
    """A folder or archive that cannot be read at all. The message is for people."""


class FileUnreadable(ValueError):
    """One file of a tree that cannot be read. The message is for people."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A file that is there and is not read. ``reason`` is for people."""

    path: str
    reason: str


class Tree(Protocol):
    @property
    def paths(self) -> tuple[str, ...]:
        """In order, with ``/`` between parts; unique."""
        ...

    @property
    def refused(self) -> tuple[Refused, ...]:
        """What is there and not among ``paths``. Junk that systems leave behind is not told."""
        ...

    def read(self, path: str) -> bytes:
        """Raises ``FileUnreadable``."""
        ...


class FolderTree:
    """A folder on this machine. Links are not followed: they may lead out of it."""

    def __init__(self, root: Path) -> None:
        if not root.is_dir():
            raise TreeUnreadable(f"{root} is no folder.")
        self._root = root
        self._places: dict[str, Path] = {}
        refused = []
        for place in _walk(root):
            name = place.relative_to(root).as_posix()
            path = _clean(name)
            problem = _problem_of(path) or _problem_in_folder(place)
            if not problem and path in self._places:
                problem = "Another file has the same name."
            if problem:
                refused.append(_refusal(path, problem))
            else:
                self._places[path] = place
            if len(self._places) > MAX_FILES:
                raise TreeUnreadable(f"There are more than {MAX_FILES:,} files.")
        self.refused = tuple(refused)
        self.paths = tuple(sorted(self._places))

    def read(self, path: str) -> bytes:
        try:
            with self._places[path].open("rb") as file:
                return _bounded(file)
        except OSError as error:
            raise FileUnreadable(f"It cannot be read: {error.strerror}.") from error


class ZipTree:
    """A zip archive. Where one folder wraps everything, paths begin below it."""

    def __init__(self, file: IO[bytes]) -> None:
        try:
            self._zip = zipfile.ZipFile(file)
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
            raise TreeUnreadable(
                gettext_noop("This is no zip archive, or a broken one.")
            ) from error
        entries = [entry for entry in self._zip.infolist() if not entry.is_dir()]
        if len(entries) > MAX_FILES:
            raise TreeUnreadable(
                _("The archive has more than {most} files.").format(most=f"{MAX_FILES:,}")
            )
        if sum(entry.file_size for entry in entries) > MAX_TOTAL:
            raise TreeUnreadable(
                _("Unpacked, the archive has over {most} MB.").format(most=MAX_TOTAL // 2**20)
            )
        found: dict[str, zipfile.ZipInfo] = {}
        refused = []
        for entry in entries:
            path = _clean(entry.filename.replace("\\", "/"))
            if _is_junk(path):
                continue
            problem = _problem_of(path) or _problem_in_archive(entry)
            if not problem and path in found:
                problem = "Another file of the archive has the same name."
            if problem:
                refused.append(_refusal(path, problem))
            else:
                found[path] = entry
        wrapper = _wrapper(found)
        self._entries = {path.removeprefix(wrapper): entry for path, entry in found.items()}
        self.refused = tuple(refused)
        self.paths = tuple(sorted(self._entries))

    def read(self, path: str) -> bytes:
        try:
            with self._zip.open(self._entries[path]) as file:
                return _bounded(file)
        except FileUnreadable:
            raise
        except Exception as error:
            # zlib, the archive's own checks and unknown compressions each raise their own.
            raise FileUnreadable(gettext_noop("The archive is broken at this file.")) from error


@contextmanager
def open_tree(path: Path) -> Iterator[Tree]:
    """Raises ``TreeUnreadable``."""
    if path.is_dir():
        yield FolderTree(path)
        return
    if path.exists() and not path.is_file():
        raise TreeUnreadable(f"{path} is neither a folder nor an archive.")
    try:
        file = path.open("rb")
    except OSError as error:
        raise TreeUnreadable(f"{path} cannot be read: {error.strerror}.") from error
    with file:
        if not zipfile.is_zipfile(file):
            raise TreeUnreadable(f"{path} is neither a folder nor a zip archive.")
        file.seek(0)
        yield ZipTree(file)


def _walk(root: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not _is_junk(name))
        for name in sorted(names):
            if not _is_junk(name):
                yield Path(folder, name)


def _clean(name: str) -> str:
    """One spelling: macOS writes accents apart from their letters."""
    name = name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return unicodedata.normalize("NFC", name).removeprefix("./")


def _is_junk(path: str) -> bool:
    parts = path.lower().split("/")
    return (
        any(part in _JUNK_FOLDERS for part in parts)
        or any(part.startswith(".") and part.strip(".") for part in parts)
        or parts[-1] in _JUNK_FILES
    )


def _problem_of(path: str) -> str:
    if "\ufffd" in path or any(unicodedata.category(sign) == "Cc" for sign in path):
        return "Its name has characters that cannot be read."
    if len(path) > MAX_PATH:
        return f"Its path has more than {MAX_PATH} characters."
    if path.startswith("/") or path[1:2] == ":" or ".." in path.split("/"):
        return "Its path leads out of the tree."
    return ""


def _problem_in_folder(place: Path) -> str:
    """Reading a pipe or a device may never end."""
    try:
        kind = stat.S_IFMT(place.lstat().st_mode)
    except OSError as error:
        return f"It cannot be read: {error.strerror}."
    if kind == stat.S_IFLNK:
        return "A link to another file. Links are not followed."
    return "" if kind == stat.S_IFREG else "A pipe, socket or device, not a file."


def _problem_in_archive(entry: zipfile.ZipInfo) -> str:
    mode = entry.external_attr >> 16
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        return "A link or device, not a file."
    if entry.flag_bits & 1:
        return "It is encrypted."
    return _TOO_LARGE if entry.file_size > MAX_FILE else ""


_TOO_LARGE = f"It has more than {MAX_FILE // 2**20} MB."


def _bounded(file: IO[bytes]) -> bytes:
    """At most ``MAX_FILE`` bytes, whatever the archive or file system said of its size."""
    data = file.read(MAX_FILE + 1)
    if len(data) > MAX_FILE:
        raise FileUnreadable(_TOO_LARGE)
    return data


def _wrapper(found: dict[str, zipfile.ZipInfo]) -> str:
    tops = {path.partition("/")[0] if "/" in path else "" for path in found}
    return f"{tops.pop()}/" if len(tops) == 1 and "" not in tops else ""


def _refusal(path: str, reason: str) -> Refused:
    return Refused(clean_text(path)[:MAX_PATH], reason)
