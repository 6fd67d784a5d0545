"""A text as the tokens that one language sees in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

import regex

from memory.dates.pieces import Cut, Piece, Reading
from memory.dates.tokens import GUESSED, Kind, Token
from memory.dates.vocabulary import Lexicon, Vocabulary, lexicon_of
from memory.dates.words import VOCABULARIES
from memory.language.numerals import chinese_value, phrases

# Without a word of these kinds a text names no time; with figures in it, these may do as well.
_TELLING: Final = (
    Kind.RELATIVE + Kind.MONTH + Kind.MONTH_OR_NOT + Kind.WEEKDAY + Kind.WEEKDAY_OR_NOT
    + Kind.UNIT + Kind.SEASON
)  # fmt: skip
_TELLING_NUMBERS: Final = (
    Kind.IN + Kind.FROM + Kind.BETWEEN + Kind.SINCE + Kind.BEFORE + Kind.AFTER + Kind.PART
    + Kind.YEAR_MARK + Kind.MONTH_MARK
)  # fmt: skip
_DASHES: Final = frozenset("-–—~～〜")
_HAN_DIGITS: Final = {
    **{digit: str(value) for value, digit in enumerate("零一二三四五六七八九")},
    **{"〇": "0", "两": "2", "兩": "2"},
}
_OTHER: Final = Token(Kind.OTHER)
_DASH: Final = Token(Kind.DASH)
_GLUE: Final = Token(Kind.GLUE)
_HELD: Final = Token(Kind.HELD, GUESSED)
_CLAUSE: Final = Token(Kind.CLAUSE)
_STOPS: Final = frozenset(".!?;。！？；।؟")


@dataclass(frozen=True, slots=True)
class Language:
    """A vocabulary with the lexicon that was made of it."""

    vocabulary: Vocabulary
    lexicon: Lexicon
    telling: frozenset[str]
    telling_numbers: frozenset[str]
    held_forms: regex.Pattern[str] | None


@cache
def language_of(code: str) -> Language:
    vocabulary = VOCABULARIES[code]
    lexicon = lexicon_of(vocabulary, phrases(code))
    return Language(
        vocabulary,
        lexicon,
        telling=_starting(lexicon, _TELLING),
        telling_numbers=_starting(lexicon, _TELLING + _TELLING_NUMBERS),
        held_forms=regex.compile(vocabulary.held_forms) if vocabulary.held_forms else None,
    )


def _starting(lexicon: Lexicon, kinds: str) -> frozenset[str]:
    return frozenset(
        first
        for first, beginning in lexicon.items()
        if any(token.kind and token.kind in kinds for _, token in beginning)
    )


def tokenise(
    reading: Reading, language: Language, *, ordinary: frozenset[str] | None = None
) -> list[Token]:
    """Glue and commas are left out, so that rules see what belongs together. Empty where the text
    has no word that could name a time in this language.

    ``ordinary`` are common words of the language that the text is in, where that is another one:
    they tell no day (German "hier" is not French), and neither do short forms that are words as well.
    """
    telling = language.telling_numbers if reading.has_numbers else language.telling
    if not reading.has_dates and telling.isdisjoint(reading.words):
        return []
    pieces = reading.pieces
    tokens: list[Token] = []
    is_after_comma = False
    at = 0
    while at < len(pieces):
        length, token = phrase_at(pieces, at, language.lexicon)
        if not length:
            length, token = _plain_at(pieces, at, tokens, language)
        if ordinary is not None and _is_chance(token, pieces[at], ordinary):
            token = _OTHER
        if token.kind != Kind.GLUE:
            tokens.append(replace(token, is_after_comma=True) if is_after_comma else token)
        is_after_comma = pieces[at].text == "," or (is_after_comma and token.kind == Kind.GLUE)
        at += length
    if language.vocabulary.has_buddhist_years:
        return [_gregorian(token) for token in tokens]
    return tokens


def phrase_at(pieces: Sequence[Piece], at: int, lexicon: Lexicon) -> tuple[int, Token]:
    """The longest phrase that starts here and how many pieces it has, 0 where there is none."""
    for phrase, token in lexicon.get(pieces[at].text, ()):
        if len(phrase) == 1 or tuple(p.text for p in pieces[at : at + len(phrase)]) == phrase:
            return len(phrase), token
    return 0, _OTHER


def _plain_at(
    pieces: Sequence[Piece], at: int, before: list[Token], language: Language
) -> tuple[int, Token]:
    """What needs no lexicon."""
    piece = pieces[at]
    if piece.cut is Cut.HAN_NUMBER:
        end = at
        while end < len(pieces) and pieces[end].cut is Cut.HAN_NUMBER:
            end += 1
        return end - at, _han_number("".join(p.text for p in pieces[at:end]))
    if piece.cut is Cut.WORD and language.held_forms and language.held_forms.fullmatch(piece.text):
        return 1, _HELD
    if piece.cut is not Cut.MARK:
        return 1, piece.token
    if piece.text in _DASHES:
        return 1, _DASH
    if piece.text == ",":
        return 1, _GLUE
    if piece.text == "." and before and _takes_dot(pieces[at - 1], before[-1], language.vocabulary):
        return 1, _GLUE
    return 1, _CLAUSE if piece.text in _STOPS else _OTHER


def _takes_dot(piece: Piece, token: Token, vocabulary: Vocabulary) -> bool:
    """The dot of "13. Juli" or of "Sept. 5" ends no sentence."""
    if token.kind == Kind.NUMBER:
        return vocabulary.has_dotted_ordinals
    return token.kind in "MnWw" and len(piece.text) <= 4


def _is_chance(token: Token, piece: Piece, ordinary: frozenset[str]) -> bool:
    if token.kind == Kind.RELATIVE:
        return piece.text in ordinary
    return token.kind in (Kind.MONTH_OR_NOT, Kind.WEEKDAY_OR_NOT) and len(piece.text) <= 3


def _han_number(digits: str) -> Token:
    if len(digits) > 1 and all(digit in _HAN_DIGITS for digit in digits):  # 二〇二四
        return Token(Kind.HAN_NUMBER, int("".join(map(_HAN_DIGITS.__getitem__, digits))))
    value = chinese_value(digits.replace("两", "二").replace("兩", "二"))
    return _OTHER if value is None else Token(Kind.HAN_NUMBER, value)


def _gregorian(token: Token) -> Token:
    if token.kind == Kind.NUMBER and 2400 < token.number < 2700:
        return replace(token, number=token.number - 543)
    return token
