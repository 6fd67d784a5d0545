"""Whether a text asks what held before, so that facts which lost to newer ones count too."""

from __future__ import annotations

from functools import cache
from typing import Final

import regex

from memory.dates.pieces import folded, without_accents
from memory.dates.vocabulary import PIECE
from memory.dates.words import VOCABULARIES
from memory.language.languages import detect_language

_END: Final = r"\W*$"  # "what was it before?", but not "before May"
_NO_DATE: Final = r"(?<![年月日号년월일\d])"  # 2020年以前 is a time, not what held before
_BEFORE_NOW: Final = regex.compile(
    r"\b(?:what|who|which|where|how)\b.*\bbefore (?:that|then|now)\b"
)


def is_about_past(text: str, language: str = "") -> bool:
    """True for "used to", "previously", "früher", "以前" and their like.

    Where the language is not told and not plain, any language's words count.
    """
    plain = folded(text)
    given = language.split("-")[0].casefold() or detect_language(plain)
    codes = {given, "en"} if given in VOCABULARIES else set(VOCABULARIES)
    bare = without_accents(plain)
    return bool(_BEFORE_NOW.search(bare)) or any(
        _pattern(code).search(plain if VOCABULARIES[code].keeps_accents else bare) for code in codes
    )


@cache
def _pattern(code: str) -> regex.Pattern[str]:
    words = VOCABULARIES[code].past.split()
    return regex.compile("|".join(map(_of_phrase, words)) or r"(?!)")


def _of_phrase(word: str) -> str:
    ends = word.endswith("$")
    pieces = [
        regex.escape(piece) for piece in PIECE.findall(word.removesuffix("$").replace("_", " "))
    ]
    if all(len(piece) == 1 for piece in pieces):  # a script that parts no words
        return _NO_DATE + r"\s*".join(pieces) + (_END if ends else "")
    joined = r"[\s'’]*".join(pieces)
    return rf"\b{joined}\b{_END if ends else ''}"
