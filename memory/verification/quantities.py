"""What stands behind a number: a multiplier, a unit, both. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import regex

from memory.language.units import (
    MONEY_NAMES,
    MULTIPLIER_WORDS,
    PER,
    TIME_NAMES,
    UNSPACED_UNITS,
    unit_of,
)

_AFTER = regex.compile(
    r"\s?[-‐‑]?\s?(?P<word>km/h|Mbit/s|Gbit/s|(?:km|m|cm)[23](?!\w)|[^\W\d_]+[²³]?|°[CF]?"
    r"|[%％٪‰$€£¥₫₹₩₽₺฿₿¢])"
)
_LATIN_WORD = regex.compile(r"[\p{Latin}\d_]+")
# Between a number and its unit these end the search: "12 of the hours".
_LINKING = frozenset(
    "of to in the per and or is are was a an for at on bis und von à et de y".split()
)
# "£1.5m": behind a currency these are no metres.
_MONEY_LETTERS = {"m": Fraction(10**6), "b": Fraction(10**9)}
_FIRST_UNSPACED = "\u2e80"


@dataclass(frozen=True, slots=True)
class Quantity:
    """``values`` are the readings of the number, ``end`` is where the quantity ends."""

    values: frozenset[Fraction]
    end: int
    unit: str = ""


def read_quantity(text: str, number: Quantity) -> Quantity:
    """ "1.5 million euros", "12 working days": the number with what follows it."""
    found = number
    for _ in range(3):
        after = _AFTER.match(text, found.end)
        if after is None:
            return found
        start, word = after.start("word"), after["word"]
        factor, length = _multiplier(text, start, word, found)
        if not length:
            return _with_unit(text, after, found)
        values = frozenset(value * factor for value in found.values)
        found = replace(found, values=values, end=start + length)
    return found


def is_identifier(text: str, end: int) -> bool:
    """Is a number that ends here the head of a word such as ``4G2``, rather than ``12h``?"""
    word = _LATIN_WORD.match(text, pos=end)
    if word is None:
        return False
    token = word.group()
    return not (
        unit_of(token) or token.casefold() in MULTIPLIER_WORDS or token.casefold() in _MONEY_LETTERS
    )


def _unspaced_unit(text: str, start: int) -> str:
    return next((unit for unit in UNSPACED_UNITS if text.startswith(unit, start)), "")


def _with_unit(text: str, after: regex.Match[str], found: Quantity) -> Quantity:
    start, word = after.start("word"), after["word"]
    written = word if unit_of(word) else _unspaced_unit(text, start)
    name = unit_of(written)
    if name:
        fits = not found.unit or found.unit == name
        return replace(found, unit=name, end=start + len(written)) if fits else found
    # One adjective may stand between: "12 working days".
    following = _AFTER.match(text, after.end())
    if (
        following
        and not found.unit
        and following.start("word") > after.end()
        and len(word) > 2
        and word.casefold() not in _LINKING | PER
        and unit_of(following["word"]) in TIME_NAMES
    ):
        return replace(found, unit=unit_of(following["word"]), end=following.end())
    return found


def _multiplier(text: str, start: int, word: str, found: Quantity) -> tuple[Fraction, int]:
    """The factor and its length, 0 where there is none."""
    folded = word.casefold()
    is_attached = start == found.end
    if is_attached and found.unit in MONEY_NAMES and folded in _MONEY_LETTERS:
        return _MONEY_LETTERS[folded], len(word)
    if folded in MULTIPLIER_WORDS and (len(folded) > 1 or is_attached or not folded.isascii()):
        return MULTIPLIER_WORDS[folded], len(word)
    for length in (2, 1):
        piece = text[start : start + length]
        if piece in MULTIPLIER_WORDS and piece[0] >= _FIRST_UNSPACED:
            return MULTIPLIER_WORDS[piece], length
    return Fraction(1), 0
