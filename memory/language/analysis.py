"""Words and index terms of a text, in any script. Pure.

    text --tokenise--> tokens (words with offsets) --term_spans--> terms of the keyword index

What a word becomes depends on how its script is written:

* words between spaces: folded and stemmed; an identifier such as ``POL-0054`` is a term as a
  whole and by its parts;
* scripts without spaces (Chinese, Japanese, Thai, Lao, Khmer, Burmese): pieces of two neighbouring
  letters, and of three or four. A short query is a word and asks for the long pieces, so that
  a word that is not there finds nothing; a long one is a sentence and asks for pairs, which may be
  met in part;
* Korean: the word, and its pieces as above, since particles grow on to it.

Every language is asked for as it was indexed: give ``query_terms`` the language of the pages. For
pages of several languages there is ``memory.language.queries``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import regex
import Stemmer

from memory.language.folding import fold, fold_accents, fold_case
from memory.language.languages import STEMMERS, STOP_WORDS, detect_language

__all__ = [
    "Token",
    "asked_words",
    "detect_language",
    "is_unspaced",
    "query_terms",
    "term_spans",
    "terms",
    "tokenise",
]

ANALYSER_VERSION = 1

_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}ー々〆\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_TOKEN = regex.compile(
    rf"(?P<unspaced>[{_UNSPACED}][{_UNSPACED}\p{{M}}]*)"
    rf"|(?P<word>[[\p{{L}}\p{{N}}_]--[{_UNSPACED}]][[\p{{L}}\p{{N}}\p{{M}}_\u00ad\u200c\u200d]--[{_UNSPACED}]]*"
    r"(?:['’ʼ״׳][\p{L}\p{M}]+)*)",
    regex.V1,
)
_UNSPACED_START = regex.compile(rf"[{_UNSPACED}]", regex.V1)
# What holds an identifier together, with nothing but itself between two words.
_JOINERS = frozenset("-‐‑./_:@+")
_JOINERS_OF_NUMBERS = frozenset(",'’")
_HANGUL = regex.compile(r"\p{Hangul}")
_CLUSTER = regex.compile(r"\X")
_DIGIT = regex.compile(r"\d")
_GROUPED = regex.compile(r"\d{1,3}(?:[.,'’]\d{3})+")
# Korean particles and the commonest endings of "to do", "to become" and "to be", after two syllables.
_ENDINGS = regex.compile(
    "(?<=..)(?:에서는|에게서|으로는|에서|에게|으로|까지|부터|처럼|보다|마다|이나|이란|은|는|이|가|을|를|의|에|도|로|와|과|만|나|란"
    "|합니까|합니다|하나요|하는가|한다|하는|하고|하며|하면|하여|해야|했다|한|할|함|해"
    "|됩니까|됩니다|되나요|된다|되는|되고|되면|된|될|됨|입니까|입니다|인가요|이다|인가)$"
)
_KATAKANA = regex.compile(r"[\p{Katakana}ー]+")
_SOUTHEAST = regex.compile(r"[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
# Accents that make another word, not another spelling: indexed with and without, asked for as typed.
_ACCENTS_MATTER = frozenset({"vi"})
_LONGEST_TERM = 64
_MOST_PARTS = 12  # of one identifier; longer ones (a URL) are known by their parts alone


@dataclass(frozen=True, slots=True)
class Token:
    """A word, or an unbroken run of a script without spaces. ``text`` is the slice as written."""

    text: str
    start: int
    end: int
    folded: str


@dataclass(frozen=True, slots=True)
class TermSpan:
    """A term and the words it came from: ``text[start:end]``."""

    term: str
    start: int
    end: int


def tokenise(text: str, language: str = "") -> list[Token]:
    """Words in order, never overlapping. Parts of an identifier are words of their own."""
    return [
        Token(match.group(), match.start(), match.end(), fold(match.group(), language))
        for match in _TOKEN.finditer(text)
    ]


def terms(text: str, language: str = "", *, grams: bool = False) -> list[str]:
    """Index terms with repeats. ``grams`` adds the four-letter pieces of words, marked ``#``."""
    return [span.term for span in term_spans(text, language, grams=grams)]


def term_spans(text: str, language: str = "", *, grams: bool = False) -> list[TermSpan]:
    """Index terms and where they stand, in order of the words."""
    spans = []
    for group in _groups(text):
        for start, end, word in group:
            for term in _word_terms(word, language, grams):
                spans.append(TermSpan(term, start, end))
        if len(group) > 1:
            start, end = group[0][0], group[-1][1]
            for term in _compounds(text[start:end], len(group)):
                spans.append(TermSpan(term, start, end))
    return spans


def query_terms(text: str, language: str = "", *, grams: bool = False) -> list[str]:
    """Distinct terms to look up, in the order of the query. Stop words are not asked for, and a
    query of nothing else has no terms.

    ``language`` is that of the pages. Unknown, the words are taken as they are.
    """
    asked = asked_words(text, language, grams=grams)
    return list(dict.fromkeys(term for terms in asked for term in terms))


def asked_words(text: str, language: str, *, grams: bool = False) -> list[tuple[str, ...]]:
    """The terms of each word and of each identifier as a whole; none of a stop word. Whatever the
    language, they are the same words."""
    stop = STOP_WORDS.get(language) or STOP_WORDS[""]
    asked: list[tuple[str, ...]] = []
    for group in _groups(text):
        for _, _, word in group:
            is_stop = len(group) == 1 and _stop_form(word, language) in stop
            asked.append(() if is_stop else _asked_terms(word, language, grams))
        if len(group) > 1:
            asked.append(tuple(_compounds(text[group[0][0] : group[-1][1]], len(group))))
    return asked


def _stop_form(word: str, language: str) -> str:
    return fold_case(word, language) if language in _ACCENTS_MATTER else fold(word, language)


# -- words ----------------------------------------------------------------------------------------

_Word = tuple[int, int, str]


def _groups(text: str) -> Iterator[list[_Word]]:
    """Words; those that only a joiner parts come together."""
    group: list[_Word] = []
    for match in _TOKEN.finditer(text):
        word = (match.start(), match.end(), match.group())
        if match.lastgroup == "unspaced":
            if group:
                yield group
            yield [word]
            group = []
            continue
        if group and not _joined(text, group[-1][1], match.start()):
            yield group
            group = []
        group.append(word)
    if group:
        yield group


def _joined(text: str, end: int, start: int) -> bool:
    between = text[end:start]
    if between in _JOINERS_OF_NUMBERS:
        return text[end - 1].isdigit() and text[start].isdigit()
    return between in _JOINERS


def _compounds(written: str, parts: int) -> list[str]:
    """The whole of an identifier; a number with its thousands apart is also one without."""
    if parts > _MOST_PARTS or len(written) > _LONGEST_TERM:
        return []
    found = [fold(written)]
    if _GROUPED.fullmatch(written):
        found.append(regex.sub(r"\D", "", fold(written)))
    return found


@lru_cache(maxsize=100_000)
def _word_terms(word: str, language: str, grams: bool) -> tuple[str, ...]:
    cased = fold_case(word, language)
    if is_unspaced(cased):
        letters = _CLUSTER.findall(fold_accents(cased))
        sizes = (2, 4) if _SOUTHEAST.match(cased) else (2, 3)
        return _without_empty(_pieces(letters, sizes) or ["".join(letters)])
    found = [_stem(cased, language)[:_LONGEST_TERM]]
    if language in _ACCENTS_MATTER and (plain := fold_accents(cased)) != found[0]:
        found.append(plain)
    if _HANGUL.match(cased):
        found += _pieces(list(cased), (2, 3))
    elif grams:
        found += _grams(fold_accents(cased))
    return _without_empty(found)


@lru_cache(maxsize=20_000)
def _asked_terms(word: str, language: str, grams: bool) -> tuple[str, ...]:
    cased = fold_case(word, language)
    if is_unspaced(cased):
        return _asked_pieces(_CLUSTER.findall(fold_accents(cased)))
    if _HANGUL.match(cased):
        return _asked_pieces(list(_ENDINGS.sub("", cased)))
    asked = _word_terms(word, language, grams)
    if language in _ACCENTS_MATTER and not cased.isascii():
        return tuple(term for term in asked if term != fold_accents(cased))
    return asked


def is_unspaced(word: str) -> bool:
    """Whether a run of text is in a script that parts no words."""
    return _UNSPACED_START.match(word) is not None


def _asked_pieces(letters: list[str]) -> tuple[str, ...]:
    word, length = "".join(letters), len(letters)
    if _SOUTHEAST.match(word):
        size = 4 if 4 <= length <= 8 else 2
    else:
        size = 3 if 3 <= length <= 4 or (length > 2 and _KATAKANA.fullmatch(word)) else 2
    return _without_empty(_pieces(letters, (size,)) or [word])


def _without_empty(found: list[str]) -> tuple[str, ...]:
    """A mark on its own folds to nothing."""
    return tuple(term for term in found if term)


def _pieces(letters: list[str], sizes: tuple[int, ...]) -> list[str]:
    return ["".join(letters[i : i + n]) for n in sizes for i in range(len(letters) - n + 1)]


def _grams(word: str, size: int = 4) -> list[str]:
    return ["#" + word[i : i + size] for i in range(len(word) - size + 1)]


def _stem(folded: str, language: str) -> str:
    if language in _ACCENTS_MATTER:
        return folded
    stemmer = None if _DIGIT.search(folded) else _stemmer(language)
    return fold_accents(stemmer.stemWord(folded) if stemmer else folded)


@lru_cache(maxsize=64)
def _stemmer(language: str) -> Stemmer.Stemmer | None:
    name = STEMMERS.get(language.split("-")[0])
    return Stemmer.Stemmer(name) if name else None
