"""Terms of a short text for matching a question with a unit. Pure.

A term keeps its folded form, its stem and the character n-grams inside it, so that two forms of a
word match a little even in a language without a stemmer.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

import regex
import Stemmer

GRAM = 4
_RUN = regex.compile(
    r"(?P<dense>[\p{Han}\p{Hiragana}\p{Katakana}ー]+)"
    r"|(?P<unspaced>[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]+)"
    r"|(?P<word>(?:(?![\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}])"
    r"[\p{L}\p{M}\p{N}])+(?:[.,](?=\p{Nd})\p{Nd}+)*)"
)
_MARK = regex.compile(r"[\p{Mn}\p{Cf}]")
_STEMMERS = {
    "ar": "arabic", "da": "danish", "de": "german", "el": "greek", "en": "english", "es": "spanish",
    "fi": "finnish", "fr": "french", "hi": "hindi", "hu": "hungarian", "id": "indonesian",
    "it": "italian", "nb": "norwegian", "nl": "dutch", "no": "norwegian", "pt": "portuguese",
    "ro": "romanian", "ru": "russian", "sv": "swedish", "ta": "tamil", "tr": "turkish",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Term:
    folded: str
    stem: str
    grams: frozenset[str]
    start: int
    end: int


def fold(text: str) -> str:
    """Compatibility forms, case and accents folded. Its length differs from the text's."""
    text = unicodedata.normalize("NFKD", text).casefold()
    return unicodedata.normalize("NFC", _LATIN_MARKS.sub("", text))


# Accents go where they are spelling variants; Indic vowel signs are Mc/Mn but carry meaning.
_LATIN_MARKS = regex.compile(r"(?<=[\p{Latin}\p{Greek}\p{Cyrillic}]\p{Mn}*)\p{Mn}|[\u064b-\u065f\u0670\u0640\u05b0-\u05c7]|\p{Cf}")


@lru_cache(maxsize=65536)
def _word(word: str, language: str) -> tuple[str, str, frozenset[str]]:
    folded = fold(word)
    stem = folded
    name = _STEMMERS.get(language[:2])
    if name and folded.isalpha():
        stem = fold(_stemmer(name).stemWord(unicodedata.normalize("NFC", word).casefold()))
    return folded, stem, grams(folded)


@lru_cache(maxsize=32)
def _stemmer(name: str) -> Stemmer.Stemmer:
    return Stemmer.Stemmer(name)


def grams(word: str) -> frozenset[str]:
    """The n-grams inside a word; a short word is its own."""
    if len(word) <= GRAM:
        return frozenset((word,))
    return frozenset(word[at : at + GRAM] for at in range(len(word) - GRAM + 1))


def terms(text: str, language: str = "") -> list[Term]:
    """In order. A run of a script without spaces becomes overlapping n-grams (2, Thai 4)."""
    found: list[Term] = []
    for match in _RUN.finditer(text):
        if match.lastgroup == "word":
            folded, stem, parts = _word(match.group(), language)
            if folded:
                found.append(Term(folded, stem, parts, match.start(), match.end()))
            continue
        size = 2 if match.lastgroup == "dense" else GRAM
        run = fold(match.group())
        for at in range(max(1, len(run) - size + 1)):
            gram = run[at : at + size]
            start = match.start() + at
            found.append(Term(gram, gram, frozenset((gram,)), start, min(start + size, match.end())))
    return found
