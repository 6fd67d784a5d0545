"""One spelling for words that readers take for the same. Pure.

Folding is for comparing words, never for offsets: a folded word may have another length.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

import regex

# Marks that only point or decorate: accents of Latin and Greek, Arabic and Hebrew vowel signs. The
# marks of Indic and Southeast Asian scripts are vowels, and й is not и.
_BASE = regex.compile(r"[\p{Latin}\p{Greek}]")
_POINTS = regex.compile(r"[\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0640]")
_IGNORED = regex.compile(r"[\p{Cf}\ufe00-\ufe0f]")
_LETTERS = str.maketrans(
    {
        **{"ı": "i", "ł": "l", "ø": "o", "đ": "d", "ð": "d", "ħ": "h"},
        **{"æ": "ae", "œ": "oe", "þ": "th", "ё": "е"},
        **dict.fromkeys("أإآٱ", "ا"),
        **dict.fromkeys("ىیئ", "ي"),
        **{"ک": "ك", "ؤ": "و", "ة": "ه"},
        **dict.fromkeys("’‘ʼ", "'"),
        **dict.fromkeys("‐‑–", "-"),
    }
)


@lru_cache(maxsize=100_000)
def fold_case(word: str, language: str = "") -> str:
    """Compatibility form and case folded, accents kept: what a stemmer wants to see."""
    if word.isascii():
        return word.casefold() if language != "tr" else _turkish(word).casefold()
    if language in ("tr", "az"):
        word = _turkish(word)
    return _IGNORED.sub(
        "", unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", word).casefold())
    )


@lru_cache(maxsize=100_000)
def fold_accents(word: str) -> str:
    """A case-folded word without the marks that writers leave out. Idempotent."""
    if word.isascii():
        return word
    word = _POINTS.sub("", word).translate(_LETTERS)
    out: list[str] = []
    for character in unicodedata.normalize("NFD", word):
        if unicodedata.category(character) == "Mn" and out and _BASE.match(out[-1]):
            continue
        if character.isdecimal() and not character.isascii():
            character = str(unicodedata.decimal(character))
        out.append(character)
    return unicodedata.normalize("NFC", "".join(out))


def fold(word: str, language: str = "") -> str:
    return fold_accents(fold_case(word, language))


def _turkish(word: str) -> str:
    return word.replace("İ", "i").replace("I", "ı")
