"""The names that a sentence mentions: people, places, things, identifiers, dates. Pure; rules only.

Where a script has capitals, a name is what has one inside a sentence. Elsewhere it is what stands
beside a title (``王先生``, ``田中さん``, ``คุณสมชาย``) or inside title marks, and Latin words among letters
without capitals.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import regex

from memory.facts.cue_words import STATES
from memory.facts.given_names import GIVEN_NAMES
from memory.facts.name_words import (
    COMMON,
    COMMON_ENDINGS,
    CONNECTORS,
    IMPERATIVES,
    NOUN_ENDINGS_DE,
    NOUN_LANGUAGES,
    OPENERS,
    PREPOSITIONS_DE,
    TITLES,
    TITLES_AFTER,
    TITLES_BEFORE,
    VERBS,
)
from memory.facts.records import Mention, MentionKind
from memory.language.folding import fold
from memory.language.languages import STOP_WORDS

MOST = 20  # of one fact
LONGEST = 120  # characters of a name

_ADDRESS = regex.compile(
    r"https?://[^\s<>\"'）)\]]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?<![\w@])[@#]\p{L}[\p{L}\p{N}_]{1,60}"
)
_DAY = regex.compile(r"(?<![\d-])\d{4}-\d{2}-\d{2}(?![\d-])")
_CODE = regex.compile(
    r"(?<![\p{L}\p{M}\p{N}_-])(?=[\p{Latin}\d_/.-]*\p{Latin})(?=[\p{Latin}\d_/.-]*\d)"
    r"[\p{Latin}\d_]+(?:[-/.][\p{Latin}\d_]+)*"
)
_QUANTITY = regex.compile(
    r"\d+(?:[.,:]\d+)*(?:-)?\p{L}{1,3}|\d+s|\d+(?:-\p{L}+)+"
)  # 7pm, 24th, 12-hour
_CONSTANT = regex.compile(r"(?<![\p{L}\p{N}_])\p{Lu}[\p{Lu}\p{N}]*_[\p{Lu}\p{N}_]+(?![\p{L}_])")
_WORD = r"\p{Lu}[\p{L}\p{M}\p{N}]*(?:[’'&-]\p{L}[\p{L}\p{M}\p{N}]*)*"
_SEQUENCE = regex.compile(
    rf"(?<![\p{{L}}\p{{M}}\p{{N}}_@#/-])(?:{TITLES}\s+)?{_WORD}"
    rf"(?:(?:[ ]|\.[ ](?<=\b\p{{Lu}}\.[ ])|[ ](?:{CONNECTORS})[ ]){_WORD})*"
)
_CAPITALISED = regex.compile(rf"(?<![\p{{L}}\p{{M}}\p{{N}}_]){_WORD}")
_START = regex.compile(r"(?:^|[.!?…:;•\n|]\s*|[“\"«„(¿¡*_-]\s*)$")
_POSSESSIVE = regex.compile(r"[’'](?:s|S|re|ve|ll|d|m)?$")
_POSSESSIVE_S = regex.compile(r"[’']s$")
_NEXT_WORD = regex.compile(r"[ ](\p{Ll}[\p{L}\p{M}]*(?:['’]t)?)(?![\p{L}-])")
_PAST = regex.compile(r"\p{Ll}{2,}[^\We]ed")
_ARTICLE_LANGUAGES = frozenset({"fr", "es", "it", "pt", "nl"})
_UNCASED_LATIN = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}]")
_QUOTED = regex.compile(r"[《「『〈]([^》」』〉\n]{1,40})[》」』〉]")
_IMPERATIVES = frozenset(map(fold, IMPERATIVES))
_KATAKANA = regex.compile(r"\p{Katakana}[\p{Katakana}ー・]{2,30}")


def mentions(
    text: str,
    language: str = "",
    *,
    known: frozenset[str] = frozenset(),
    document: str = "",
) -> list[Mention]:
    """Each name once, as it is written first. ``known`` are words that are names for certain; what
    ``document`` has without a capital only begins a sentence, where a name stands behind it."""
    found: dict[str, Mention] = {}
    ordinary = _lower_words(document or text)
    for mention in _all(text, language.partition("-")[0], known, ordinary):
        if len(mention.name) <= LONGEST:
            found.setdefault(fold(mention.name), mention)
    return list(found.values())[:MOST]


def capitalised_inside(text: str, language: str = "") -> frozenset[str]:
    """Words with a capital where no sentence begins. What also occurs without one is no name."""
    if language.partition("-")[0] in NOUN_LANGUAGES:
        return frozenset()
    inside = {
        _bare(match.group())
        for match in _CAPITALISED.finditer(text)
        if not _START.search(text, max(0, match.start() - 4), match.start())
    }
    lower = _lower_words(text)
    return frozenset(word for word in inside if word.casefold() not in lower and len(word) > 1)


def openers(text: str) -> frozenset[str]:
    """Words with a capital that a sentence begins with, and that may be names."""
    return frozenset(_bare(match.group()) for match in _opening(text))


def names_at_start(
    text: str, language: str = "", *, document: str = "", known: frozenset[str] = frozenset()
) -> frozenset[str]:
    """Words that begin a sentence and are names all the same.

    A given name, a folded name in ``known``, what owns something (*Alice's*), or what does something
    (*Alice fixed*) and is no common word. What ``document`` has without a capital is no name.
    """
    language = language.partition("-")[0]
    lower = _lower_words(document or text)
    empty = STOP_WORDS.get(language) or STOP_WORDS[""]
    found = set()
    for match in _opening(text):
        word = _bare(match.group())
        key = fold(word)
        if len(word) < 2 or _is_empty(match.group(), empty) or word.casefold() in lower:
            continue
        if key in known or key in GIVEN_NAMES or _acts(text, match, key, language):
            found.add(word)
    return frozenset(found)


def _opening(text: str) -> Iterator[regex.Match[str]]:
    for match in _CAPITALISED.finditer(text):
        if _START.search(text, max(0, match.start() - 4), match.start()):
            yield match


def _acts(text: str, match: regex.Match[str], key: str, language: str) -> bool:
    if language in NOUN_LANGUAGES or key in COMMON or key.endswith(COMMON_ENDINGS):
        return False
    following = _NEXT_WORD.match(text, match.end())
    if language in _ARTICLE_LANGUAGES:
        # A noun that is no name has an article before it.
        return following is not None and following[1] in STATES
    if language not in ("", "en"):
        return False
    if _POSSESSIVE_S.search(match.group()):
        return True
    if following is None:
        return False
    if key.endswith("s"):  # "Backups failed", but "Atlas needs": of many things it is "need"
        return following[1] in VERBS and following[1].endswith("s")
    return following[1] in VERBS or _PAST.fullmatch(following[1]) is not None


@lru_cache(maxsize=64)
def _lower_words(text: str) -> frozenset[str]:
    return frozenset(regex.findall(r"(?<!\p{L})\p{Ll}[\p{L}\p{M}]*", text))


def _all(
    text: str, language: str, known: frozenset[str], ordinary: frozenset[str]
) -> Iterator[Mention]:
    rest = text
    for pattern in (_ADDRESS, _DAY, _CONSTANT, _CODE):
        kind = MentionKind.DATE if pattern is _DAY else MentionKind.IDENTIFIER
        for match in pattern.finditer(rest):
            written = match.group().rstrip(".,;:!?")
            if pattern is _CODE and _QUANTITY.fullmatch(written):
                continue
            yield Mention(written, kind)
            rest = rest[: match.start()] + " " * len(match.group()) + rest[match.end() :]
    for match in _SEQUENCE.finditer(rest):
        if name := _name(rest, match, language, known, ordinary):
            yield Mention(name)
    yield from map(Mention, _uncased(text))


def _name(
    text: str,
    match: regex.Match[str],
    language: str,
    known: frozenset[str],
    ordinary: frozenset[str],
) -> str:
    """The name in a run of capitalised words, without the word that only begins a sentence."""
    words = match.group().split(" ")
    empty = STOP_WORDS.get(language) or STOP_WORDS[""]
    is_start = bool(_START.search(text, 0, match.start()))
    while words and _is_empty(words[0], empty):
        words, is_start = words[1:], False
    while words and (_is_empty(words[-1], empty) or fold(words[-1]) in CONNECTORS.split("|")):
        words.pop()
    is_addressed = is_start and _opens(words, known, ordinary)
    if is_addressed:
        words, is_start = words[1:], False
    if not words:
        return ""
    bare = _bare(" ".join(words))
    if not bare or (len(bare) < 2 and not _UNCASED_LATIN.match(bare)):
        return ""
    is_single = len(words) == 1
    if bare in known or any(letter.isupper() for letter in bare.split(" ")[0][1:]):
        return bare
    if language in NOUN_LANGUAGES:
        is_person = is_addressed and fold(bare.split(" ")[0]) in GIVEN_NAMES
        return bare if is_person or _is_german_name(text, match.start(), words) else ""
    return "" if is_single and is_start else bare


def _opens(words: list[str], known: frozenset[str], ordinary: frozenset[str]) -> bool:
    """Whether the first of the words is what to do, and the name begins behind it: "Ask Oskar"."""
    if len(words) < 2 or words[0] in known or fold(words[0]) in GIVEN_NAMES:
        return False
    if fold(words[0]) in _IMPERATIVES:
        return True
    return fold(_bare(words[1])) in GIVEN_NAMES and words[0].casefold() in ordinary


def _is_empty(word: str, empty: frozenset[str]) -> bool:
    bare = fold(_bare(word))
    return bare in empty or bare in OPENERS or fold(word) in OPENERS


def _is_german_name(text: str, start: int, words: list[str]) -> bool:
    """Every noun has a capital: a name is two of them in a row, or one where no article can stand."""
    if len(words) > 1:
        return not any(word.casefold().endswith(NOUN_ENDINGS_DE) for word in words)
    before = text[:start].rstrip().rpartition(" ")[2].casefold()
    return before in PREPOSITIONS_DE and not words[0].casefold().endswith(NOUN_ENDINGS_DE)


def _bare(written: str) -> str:
    return _POSSESSIVE.sub("", written.strip(" .,;:!?-"))


def _uncased(text: str) -> Iterator[str]:
    for pattern in (TITLES_AFTER, TITLES_BEFORE):
        for match in pattern.finditer(text):
            yield match["name"]
    for match in _QUOTED.finditer(text):
        yield match[1].strip()
    for match in _KATAKANA.finditer(text):
        yield match.group().strip("・")
