"""Which sentences are about what was asked: about whom, and about what of them. Pure.

A memory is short: where it names one person and the question another, all the rest may agree
("Maria's phone number is …" for Anna's), and a judge of likeness is fooled.
"""

from __future__ import annotations

from collections.abc import Sequence

import regex

from memory.language.folding import fold
from memory.reading import coverage
from memory.reading.questions import parts
from memory.reading.records import Reading, Sentence
from memory.reflecting.periods import months_of_dates
from memory.speaking import shared_letters
from memory.types import Passage

# Of a question with so many words besides its names, more than this share stands in no memory: then
# "the deadline for the visa" is only the nearest thing to the deadline for the tax return.
LEAST_WORDS, MOSTLY = 3, 0.5
# A sentence that lacks a larger share of the words is about something else; and so is one that lacks
# half of them, where a word among these stands in another memory.
MOST_LACKED = 0.6
_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
_LATIN = regex.compile(r"[\p{Latin}\p{N}]")
# Languages that put no ending to a name but that of a genitive: Mario is not a form of Maria there.
_PLAIN_NAMES = frozenset(("", *"en de fr es it pt nl da sv no nb id ms vi".split()))


def fitting(reading: Reading, passages: Sequence[Passage]) -> tuple[Sentence, ...]:
    """Those that name everybody whom the question (or one part of it) names, and speak of what it asks
    about them; where it names nobody, of most of it. Best first, as they were; none where most of what
    is asked about is unknown."""
    by_number = {passage.number: passage for passage in passages}
    asked = parts(reading.question.text)
    return tuple(
        sentence
        for sentence in reading.sentences
        if any(fits(part, sentence, reading, by_number[sentence.passage]) for part in asked)
    )


def named(part: str, reading: Reading) -> list[str]:
    """The names in a part of the question, but those of months: a memory's times tell these."""
    months = months_of_dates(reading.question.text)
    return [name for name in reading.question.names if name in part and name not in months]


def fits(part: str, sentence: Sentence, reading: Reading, passage: Passage) -> bool:
    """``part`` is the question, or one of a double question."""
    names = named(part, reading)
    return _is_of(names, reading, passage) and _is_on(part, names, sentence, reading)


def _is_of(names: Sequence[str], reading: Reading, passage: Passage) -> bool:
    """A longer memory may name somebody in one sentence and go on in the next."""
    text = fold(" ".join((passage.speaker, *passage.heading_path, passage.text)))
    words = [word for word in _WORD.findall(text) if len(word) > 1]
    return all(
        _is_held(piece, words, text, reading.question.language)
        for name in names
        if not _is_spelt_out(name, reading, passage)
        for piece in _WORD.findall(fold(name))
        if len(piece) > 1
    )


def _is_held(piece: str, words: Sequence[str], text: str, language: str) -> bool:
    if _UNSPACED.search(text) and piece in text:
        return True
    if language in _PLAIN_NAMES and _LATIN.search(piece):
        return any(piece.removesuffix("s") == word.removesuffix("s") for word in words)
    return any(_is_form(piece, word) for word in words)


def _is_form(name: str, word: str) -> bool:
    """All but the last letter of the shorter one is shared: ``Марта``, ``Мартой``."""
    short = min(len(name), len(word))
    shared = shared_letters(name, word)
    return name == word or (shared >= max(short - 1, 2) and max(len(name), len(word)) - shared <= 2)


def _is_spelt_out(name: str, reading: Reading, passage: Passage) -> bool:
    """An acronym may stand for the words of the memory."""
    at = reading.question.places(name)
    if not at or not name.isupper():
        return False
    return bool((reading.context[reading.numbers == passage.number][:, at] > 0).any())


def _is_on(part: str, names: Sequence[str], sentence: Sentence, reading: Reading) -> bool:
    """Without words besides the names, anything about them will do; words of two languages are not
    compared."""
    rest = _asked_of(part, names, reading)
    if len(rest) >= LEAST_WORDS and _unknown_share(rest, reading) > MOSTLY:
        return False
    lacks = coverage.lacking(rest, [sentence], reading)
    if names or not lacks:
        return not lacks or len(lacks) < len(rest)
    share = len(lacks) / len(rest)
    is_of_another = share >= coverage.HALF and coverage.stands_somewhere(lacks, reading)
    return share <= MOST_LACKED and not is_of_another


def lacking(part: str, sentences: Sequence[Sentence], reading: Reading) -> tuple[str, ...]:
    """What ``part`` of the question asks about and none of ``sentences`` speaks of, in its own words."""
    rest = _asked_of(part, named(part, reading), reading)
    return coverage.words_of(coverage.lacking(rest, sentences, reading), reading)


def _asked_of(part: str, names: Sequence[str], reading: Reading) -> list[int]:
    months = months_of_dates(reading.question.text)
    return coverage.asked_of(part, reading, known=(*names, *months))


def _unknown_share(terms: Sequence[int], reading: Reading) -> float:
    """The share of these words of the question that no sentence holds; 0 where languages differ."""
    if reading.is_foreign:
        return 0.0
    held = reading.context[:, terms].max(axis=0, initial=0.0)
    return float((held == 0).mean())
