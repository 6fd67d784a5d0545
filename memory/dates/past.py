"""Whether a text asks what held before, so that facts which lost to newer ones count too."""

from __future__ import annotations

from functools import cache
from typing import Final

import regex

from memory.dates.past_wordings import WORDINGS
from memory.dates.pieces import folded, without_accents
from memory.dates.vocabulary import PIECE
from memory.dates.words import VOCABULARIES
from memory.language.languages import detect_language

# "what was it before?" and "before, when was it?", but neither "before May" nor "before, during and
# after the trip".
_ALONE: Final = (
    r"(?=\W*$|\s*[?!;…。？！]|\.\s|\s*,"
    r"(?!\s*(?:(?:and|or|und|et|y|e|o|ou)\s+)?"
    r"(?:during|after|wahrend|nach|pendant|apres|durante|despues|depois|dopo)\b))"
)
# earlier than, before 9: a term, not what held before
_NO_TERM: Final = r"(?!\s+(?:als|than|dan|чем|ніж|niz|\d))"
_NO_DATE: Final = r"(?<![年月日号년월일\d]\s?)"  # 2020年以前 is a time, not what held before
# Words of other languages: where a text's own is only guessed, they count in theirs alone.
_FALSE_FRIENDS: Final = frozenset({"ex", "prima$"})


def is_about_past(text: str, language: str = "") -> bool:
    """True for "used to", "previously", "früher", "以前" and their like.

    Where the language is not told, any language's words count: a short text does not tell its own.
    """
    plain = folded(text)
    told = language.split("-")[0].casefold()
    guessed = "" if told else detect_language(plain)
    codes = {told, "en"} if told in VOCABULARIES else set(VOCABULARIES)
    bare = without_accents(plain)
    return any(
        _pattern(code, shy=code not in (told, guessed)).search(
            plain if VOCABULARIES[code].keeps_accents else bare
        )
        for code in codes
    )


@cache
def _pattern(code: str, *, shy: bool) -> regex.Pattern[str]:
    """``shy``: without the words that mean something else in other languages."""
    words = [
        word for word in VOCABULARIES[code].past.split() if not shy or word not in _FALSE_FRIENDS
    ]
    return regex.compile("|".join([*map(_of_phrase, words), *WORDINGS.get(code, ())]) or r"(?!)")


def _of_phrase(word: str) -> str:
    ends = word.endswith("$")
    pieces = [
        regex.escape(piece) for piece in PIECE.findall(word.removesuffix("$").replace("_", " "))
    ]
    behind = _ALONE if ends else ""
    if all(len(piece) == 1 for piece in pieces):  # a script that parts no words
        return _NO_DATE + r"\s*".join(pieces) + behind
    joined = r"[\s'’]*".join(pieces)
    return rf"\b{joined}\b{behind or _NO_TERM}"
