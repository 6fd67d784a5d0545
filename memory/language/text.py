"""The one form that text takes before anything is hashed, cut or counted. Pure.

Every offset, length and digest in the product is of text that went through here once, so what is
done here is never done again further down.
"""

from __future__ import annotations

import hashlib
import unicodedata
from typing import Any

import regex

_SURROGATES = regex.compile(r"[\ud800-\udfff]")
# Tag characters are invisible and have one good use: the letters of a subdivision flag, between a
# black flag and the cancel tag. Anywhere else they carry words that a reader cannot see.
_FLAG_OR_TAG = regex.compile(
    r"(\U0001F3F4[\U000E0030-\U000E0039\U000E0061-\U000E007A]{1,8}\U000E007F)|[\U000E0000-\U000E007F]"
)
_LINE_CHARACTERS = regex.compile(r"[\s\p{Cc}]+")
_INVISIBLE = frozenset({"Zs", "Zl", "Zp", "Cc", "Cf"})
# Look like nothing, yet are letters or symbols to Unicode: the Hangul fillers, the blank Braille cell.
_BLANK_LETTERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")


def normalise_source(value: str) -> str:
    """What is stored of a page's source or a passage's text.

    A leading byte order mark goes, line ends become LF, NUL is removed (PostgreSQL cannot hold it),
    half a surrogate pair becomes U+FFFD, and invisible tag characters go unless they spell a flag.
    Idempotent.
    """
    value = value.replace("\x00", "").lstrip("\ufeff")
    value = value.replace("\r\n", "\n").replace("\r", "\n")
    value = _SURROGATES.sub("\ufffd", value)
    return _FLAG_OR_TAG.sub(lambda match: match.group(1) or "", value)


def clean_text(value: str) -> str:
    """The same for a field of one line (a title, a tag, an id, a name): white space is one space, none is
    left outside, and a letter with its mark is one character, however it was typed (NFC)."""
    line = _LINE_CHARACTERS.sub(" ", normalise_source(value)).strip()
    return unicodedata.normalize("NFC", line)


def clean_json(value: Any) -> Any:
    """The same for every string of a JSON value, keys included. Line ends inside stay."""
    if isinstance(value, str):
        return normalise_source(value)
    if isinstance(value, dict):
        return {clean_json(key): clean_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [clean_json(item) for item in value]
    return value


def is_blank(text: str) -> bool:
    """True where a reader sees nothing: only spaces, controls and format characters."""
    return all(
        unicodedata.category(character) in _INVISIBLE or character in _BLANK_LETTERS
        for character in text
    )


def has_word(text: str) -> bool:
    """Whether there is a letter or a digit."""
    return any(character.isalpha() or character.isnumeric() for character in text)


def content_hash(text: str) -> str:
    """SHA-256 of the UTF-8 bytes, 64 lower-case hex digits. The text must be normalised."""
    return hashlib.sha256(text.encode()).hexdigest()
