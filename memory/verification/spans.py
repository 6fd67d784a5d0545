"""Finds a quote in a text and says where, in the text's own characters. Pure.

A quote is looked for as it stands, then *folded*: case, width, ligatures, curly quotes, dashes,
invisible characters and white space are put into one form, with a map back to the original. There
is no fuzzy matching: a changed word or figure is another quote. Offsets are half-open and count
code points.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import regex

from memory.errors import InvalidRange

Span = tuple[int, int]

# Characters that are not seen. Joiners and variation selectors among them: they shape a glyph, but
# a person who types the quote leaves them out. U+0640 stretches Arabic letters.
IGNORABLE = regex.compile(r"[\p{Default_Ignorable_Code_Point}\u0640\u200e\u200f\ufff9-\ufffb]+")
_PIECE = regex.compile(r"(?P<space>\s+)|\X")
_CLUSTER = regex.compile(r"\X")
_UNSPACED = regex.compile(
    r"[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}"
    r"\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]"
)
_EDGE_ELLIPSIS = regex.compile(
    r"^(?:\s*(?:\.{3}|…|\[…\]|\[\.{3}\]))+|(?:(?:\.{3}|…|\[…\]|\[\.{3}\])\s*)+$"
)
_PLAIN = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′ʼʹ‹›`´＇", "'"),
        **dict.fromkeys("“”„‟″«»〝〞＂", '"'),
        **dict.fromkeys("‐‑‒–—―−⁃﹘﹣－", "-"),
        "⁄": "/",
        "∕": "/",
        "≥": ">=",
        "≤": "<=",
    }
)
_HYPHENS = frozenset("-\u2010\u2011")
_SIGNS = _HYPHENS | frozenset("\u2212")
_RANGES = _SIGNS | frozenset("\u2013")
_NUMBER_JOINTS = frozenset(".,'’٫٬\u202f\u00a0")
_GRAPHEME_WINDOW = 64


@dataclass(frozen=True, slots=True)
class Folded:
    """``text[i]`` was made from ``original[starts[i]:ends[i]]``, always whole graphemes."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def original_span(self, start: int, end: int) -> Span:
        return self.starts[start], self.ends[end - 1]

    def is_whole(self, start: int, end: int) -> bool:
        """False where ``text[start:end]`` holds a part of one original character, as 3 is of ¾."""
        return (start == 0 or self.starts[start - 1] != self.starts[start]) and (
            end == len(self.text) or self.starts[end - 1] != self.starts[end]
        )


def fold(text: str) -> Folded:
    """One form for everything that reads the same. One pass, linear in the text."""
    out: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    after_digit = False
    for match in _PIECE.finditer(text):
        start, end = match.span()
        piece = match.group()
        folded = " " if match["space"] else _fold_piece(piece, after_digit)
        after_digit = piece.isdecimal()
        for character in folded:
            if character == " " and out and out[-1] == " ":
                ends[-1] = end
                continue
            out.append(character)
            starts.append(start)
            ends.append(end)
    return Folded("".join(out), starts, ends)


@lru_cache(maxsize=32_768)
def _fold_piece(piece: str, after_digit: bool) -> str:
    visible = IGNORABLE.sub("", piece).translate(_PLAIN)
    if not visible:
        return ""
    folded = unicodedata.normalize("NFKC", visible).casefold()
    folded = unicodedata.normalize("NFKC", folded).translate(_PLAIN)
    if visible.isdecimal():
        return "".join(str(unicodedata.decimal(digit)) for digit in visible)
    if after_digit and unicodedata.category(visible[0]) == "No":
        # 10² is not 102, and 2½ is not 21/2.
        kind = unicodedata.decomposition(visible[0]).partition(" ")[0]
        return {"<super>": "^", "<sub>": "_"}.get(kind, " ") + folded
    return folded


def locate(quote: str, text: str, *, hint: Span | None = None) -> Span | None:
    """Where ``text`` says ``quote``, or None.

    The only place decides; among several, the nearest to ``hint``; several without a hint are None,
    because nothing says which one is meant. A quote that a model cut short with dots is also
    looked for without them.
    """
    uncut = _EDGE_ELLIPSIS.sub("", quote)
    for wording in (quote, uncut) if uncut != quote else (quote,):
        places = all_occurrences(wording, text)
        if places:
            return _nearest(places, hint)
    return None


def all_occurrences(quote: str, text: str) -> list[Span]:
    """Every place where ``quote`` stands as whole words: as written if there is one, else folded."""
    wanted = quote.strip()
    if not any(unicodedata.category(character)[0] in "LNS" for character in wanted):
        return []
    exact = [span for span in _find(wanted, text) if _stands_alone(text, *span)]
    if exact:
        return exact
    needle = fold(wanted).text.strip()
    if not needle:
        return []
    page = fold(text)
    spans = (page.original_span(*span) for span in _find(needle, page.text) if page.is_whole(*span))
    return [span for span in spans if _stands_alone(text, *span)]


def snap(text: str, start: int, end: int) -> Span:
    """Widens a stated range to whole words and leaves out white space at its ends.

    Half a word, or half a number, would say something that the page does not. Raises
    ``InvalidRange`` where the range is not one of ``text`` or holds nothing.
    """
    if not 0 <= start < end <= len(text):
        raise InvalidRange(f"{start}-{end} is not a range of {len(text)} characters")
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start == end:
        raise InvalidRange("the range holds white space only")
    while _splits(text, start):
        start -= 1
    while _splits(text, end):
        end += 1
    return start, end


def _find(needle: str, text: str) -> Iterator[Span]:
    at = text.find(needle)
    while at >= 0:
        yield at, at + len(needle)
        at = text.find(needle, at + 1)


def _nearest(places: Sequence[Span], hint: Span | None) -> Span | None:
    if len(places) == 1:
        return places[0]
    if hint is None:
        return None
    return min(places, key=lambda span: abs(span[0] - hint[0]) + abs(span[1] - hint[1]))


def _stands_alone(text: str, start: int, end: int) -> bool:
    return not _splits(text, start) and not _splits(text, end)


def _splits(text: str, at: int) -> bool:
    """Is there a grapheme, a word or a number on both sides of ``at``?"""
    if not 0 < at < len(text):
        return False
    if _splits_grapheme(text, at):
        return True
    left, before_left = _visible(text, at - 1, -1)
    right, after_right = _visible(text, at, 1)
    if _is_word(left) and _is_word(right):
        return not (_UNSPACED.match(left) or _UNSPACED.match(right))
    if right.isdecimal() and left in _SIGNS and not _is_word(before_left):
        return True  # the sign of a number
    if left.isdecimal() and after_right.isdecimal():
        return right in _NUMBER_JOINTS or right in _RANGES
    if right.isdecimal() and before_left.isdecimal():
        return left in _NUMBER_JOINTS or left in _RANGES
    if left in _HYPHENS:
        return _is_word(before_left) and _is_word(right)
    return right in _HYPHENS and _is_word(left) and _is_word(after_right)


def _visible(text: str, at: int, step: int) -> tuple[str, str]:
    """The next two characters in a direction that are seen, "" past the end."""
    found = ["", ""]
    count = 0
    while 0 <= at < len(text) and count < 2:
        if not IGNORABLE.match(text[at]):
            found[count] = text[at]
            count += 1
        at += step
    return found[0], found[1]


def _is_word(character: str) -> bool:
    return character != "" and (
        character.isalnum() or character == "_" or unicodedata.category(character)[0] == "M"
    )


def _splits_grapheme(text: str, at: int) -> bool:
    if text[at].isascii():
        return text[at - 1 : at + 1] == "\r\n"
    base = at - 1
    while base > 0 and at - base < _GRAPHEME_WINDOW and not text[base].isascii():
        base -= 1
    for match in _CLUSTER.finditer(text, base):
        if match.end() >= at:
            return match.end() > at
    return False
