"""Bytes of a text file to text, whatever wrote it. Pure."""

from __future__ import annotations

import codecs
import re

from django.utils.translation import gettext_noop

from memory.language.text import normalise_source

_MARKS = (  # the longer first: UTF-32's mark begins with UTF-16's
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DECLARED = re.compile(rb"""<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w.:-]{2,40})""", re.IGNORECASE)
_HEAD = 2_048  # where a declaration may stand
_CONTROLS = re.compile(r"[\x01-\x08\x0e-\x1a\x1c-\x1f]")
_MOST_CONTROLS = 0.01  # of the characters; more is no text
_FEW_NULS, _MOST_NULS = 4, 0.1  # a text that a faulty program wrote holds some; they are removed


class Undecodable(ValueError):
    """The bytes are no text. The message is for people."""


def decode(data: bytes) -> str:
    """Normalised text, by mark, by shape (UTF-16 without a mark), as UTF-8, as declared, and last
    as Windows-1252 with Latin-1 for its gaps. Raises ``Undecodable``.
    """
    text = _decode(data)
    controls, nuls = len(_CONTROLS.findall(text)), text.count("\x00")
    if controls > _MOST_CONTROLS * len(text) or nuls > max(_FEW_NULS, _MOST_NULS * len(text)):
        raise Undecodable(gettext_noop("This is no text file."))
    return normalise_source(text)


def _decode(data: bytes) -> str:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.decode(encoding, errors="replace")
    if encoding := _wide(data):
        return data.decode(encoding, errors="replace")
    for encoding in ("utf-8", *_declared(data), "cp1252"):
        try:
            return data.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
    return data.decode("latin-1")


def _wide(data: bytes) -> str:
    """UTF-16 without a mark: every other byte of plain letters and line ends is zero."""
    head = data[: _HEAD - _HEAD % 2]
    if len(head) < 4 or len(data) % 2:
        return ""
    even, odd = head[::2].count(0), head[1::2].count(0)
    enough, none = len(head) // 2 * 0.3, len(head) // 2 * 0.02
    if odd >= enough and even <= none:
        return "utf-16-le"
    if even >= enough and odd <= none:
        return "utf-16-be"
    return ""


def _declared(data: bytes) -> list[str]:
    match = _DECLARED.search(data[:_HEAD])
    if match is None:
        return []
    try:
        # Only what decodes to text: Python also knows codecs such as "hex" and "rot13".
        info = codecs.lookup(match.group(1).decode("ascii"))
    except LookupError:
        return []
    return [info.name] if getattr(info, "_is_text_encoding", False) else []
