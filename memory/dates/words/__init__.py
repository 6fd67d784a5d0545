"""The vocabularies, by ISO 639-1 code."""

from __future__ import annotations

from typing import Final

from memory.dates.vocabulary import Vocabulary
from memory.dates.words.east_asian import CHINESE, JAPANESE, KOREAN
from memory.dates.words.germanic import DUTCH, ENGLISH, GERMAN
from memory.dates.words.others import ARABIC, HINDI, INDONESIAN, THAI, TURKISH, VIETNAMESE
from memory.dates.words.romance import FRENCH, ITALIAN, PORTUGUESE, SPANISH
from memory.dates.words.slavic import POLISH, RUSSIAN, UKRAINIAN

VOCABULARIES: Final[dict[str, Vocabulary]] = {
    "en": ENGLISH,
    "es": SPANISH,
    "fr": FRENCH,
    "de": GERMAN,
    "it": ITALIAN,
    "ru": RUSSIAN,
    "pt": PORTUGUESE,
    "zh": CHINESE,
    "vi": VIETNAMESE,
    "ja": JAPANESE,
    "ko": KOREAN,
    "nl": DUTCH,
    "pl": POLISH,
    "uk": UKRAINIAN,
    "tr": TURKISH,
    "id": INDONESIAN,
    "ar": ARABIC,
    "hi": HINDI,
    "th": THAI,
}
