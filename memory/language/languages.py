"""Languages that the analyser knows: their stemmers, their commonest words, and a guess by both. Pure."""

from __future__ import annotations

from collections import Counter

import regex

from memory.language.folding import fold_accents, fold_case
from memory.language.stop_words import COMMON_WORDS

# Snowball's name by ISO 639-1 code. Languages that are missing here are indexed by whole words.
STEMMERS = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german",
    "el": "greek", "en": "english", "es": "spanish", "et": "estonian", "eu": "basque",
    "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian",
    "hy": "armenian", "id": "indonesian", "it": "italian", "lt": "lithuanian",
    "nb": "norwegian", "ne": "nepali", "nl": "dutch", "nn": "norwegian", "no": "norwegian",
    "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian",
    "sv": "swedish", "ta": "tamil", "tr": "turkish", "fa": "persian",
}  # fmt: skip

_CASED = {
    language: frozenset(fold_case(word, language) for word in words.split())
    for language, words in COMMON_WORDS.items()
}
# Folded as the analyser folds; Vietnamese with its accents, which tell words apart.
STOP_WORDS: dict[str, frozenset[str]] = {
    language: words if language == "vi" else frozenset(map(fold_accents, words))
    for language, words in _CASED.items()
}
STOP_WORDS["no"] = STOP_WORDS["nn"] = STOP_WORDS["nb"]
# Nothing known of the language: English is what people mix into everything.
STOP_WORDS[""] = STOP_WORDS["en"]

_SCRIPTS = regex.compile(
    r"(?P<ja>[\p{Hiragana}\p{Katakana}])|(?P<zh>\p{Han})|(?P<ko>\p{Hangul})|(?P<th>\p{Thai})|(?P<lo>\p{Lao})"
    r"|(?P<km>\p{Khmer})|(?P<my>\p{Myanmar})|(?P<el>\p{Greek})|(?P<he>\p{Hebrew})|(?P<arabic>\p{Arabic})"
    r"|(?P<devanagari>\p{Devanagari})|(?P<bn>\p{Bengali})|(?P<ta>\p{Tamil})|(?P<te>\p{Telugu})|(?P<ka>\p{Georgian})"
    r"|(?P<hy>\p{Armenian})|(?P<am>\p{Ethiopic})|(?P<cyrillic>\p{Cyrillic})|(?P<latin>\p{Latin})"
)
_FAMILIES = {
    "latin": [
        "en",
        "de",
        "es",
        "fr",
        "it",
        "pt",
        "nl",
        "sv",
        "nb",
        "da",
        "fi",
        "pl",
        "cs",
        "ro",
        "hu",
        "tr",
        "id",
        "vi",
    ],
    "cyrillic": ["ru", "uk"],
    "arabic": ["ar", "fa"],
    "devanagari": ["hi"],
}
# Letters that decide, or at least speak for, a language of their family.
_LETTERS = {
    "de": "äöüß",
    "es": "ñ¿¡",
    "fr": "çêèœ",
    "pt": "ãõ",
    "sv": "åäö",
    "nb": "åøæ",
    "da": "åøæ",
    "fi": "äö",
    "pl": "ąćęłńśźż",
    "cs": "ěřůčšž",
    "ro": "ăâîșțşţ",
    "hu": "őűáé",
    "tr": "ğışçöü",
    "vi": "đơưăạảấầẩậắằặẹẻẽếềểễệịọỏốồổỗộớờởợụủứừửữự",
    "uk": "іїєґ",
    "ru": "ыэё",
    "fa": "پچژگکی",
}
_WORD = regex.compile(r"[\p{L}\p{M}]+")
_SAMPLE = 4_000  # characters that decide


def detect_language(text: str) -> str:
    """ISO 639-1 code, or "" where nothing speaks for one. Kana means Japanese, Han alone Chinese."""
    sample = text[:_SAMPLE]
    scripts = Counter(match.lastgroup for match in _SCRIPTS.finditer(sample))
    if not scripts:
        return ""
    if (
        scripts["ja"]
        and scripts["ja"] + scripts["zh"] > scripts["latin"] / 2
        and scripts["ja"] * 12 > scripts["zh"]
    ):
        return "ja"
    # A letter of a script without an alphabet weighs about three of one with it.
    weighed = {name: count * (3 if name in ("zh", "ko") else 1) for name, count in scripts.items()}
    script = max(weighed, key=lambda name: weighed[name])
    family = _FAMILIES.get(script or "")
    return _of_family(sample, family) if family else script or ""


def _of_family(sample: str, family: list[str]) -> str:
    words = Counter(map(fold_case, _WORD.findall(sample)))
    letters = Counter(sample.casefold())
    total = sum(words.values())
    scores = {}
    for language in family:
        common = sum(count for word, count in words.items() if word in _CASED[language])
        own = sum(letters[letter] for letter in _LETTERS.get(language, ""))
        scores[language] = common + 0.5 * min(own, total)
    best = max(scores, key=lambda language: scores[language])
    if len(family) == 1 or scores[best] >= max(1.0, 0.02 * total):
        return best
    return ""
