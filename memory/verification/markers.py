"""Footnote markers in a model's answer, and the plain text around them. Pure.

Models write ``[4]``, ``[[4]]``, ``[4, 6]``, ``[4][6]``, ``【4†source】``, ``[^4]`` or ``[4](address)``.
All of it is taken out: what a reader sees is plain text, and markers are ours to add.
"""

from __future__ import annotations

from dataclasses import dataclass

import regex

_WIDEST_RANGE = 20
_CODE = regex.compile(r"```.*?(?:```|\Z)|`[^`\n]+`", regex.DOTALL)
_LIST = r"\d{1,3}(?:\s*(?:[-–,;，、&]|and)\s*\^?\d{1,3})*"
_MARKER = regex.compile(
    rf"""
    [\[【［]{{1,2}}\s*
      (?:\^|(?:sources?|passages?|chunks?|citations?|refs?|docs?|[cp])\s*\#?)?
      (?P<list>{_LIST})
      (?:\s*†[^\]】］]*)?
    \s*[\]】］]{{1,2}}
    (?:\([^()\s]*\))?
    """,
    regex.VERBOSE | regex.IGNORECASE,
)
_CUT_MARKER = regex.compile(rf"\s*[\[【［]{{1,2}}\s*\^?(?:{_LIST})?[\s,;]*\Z")
_IMAGE = regex.compile(r"!\[[^\]]*\](?:\([^()]*(?:\([^()]*\))?[^()]*\)|\[[^\]]*\])")
_LINK = regex.compile(r"\[(?P<text>[^\[\]]*)\]\((?:[^()]|\([^()]*\))*\)")
_AUTOLINK = regex.compile(r"<(?P<address>(?:https?|mailto):[^<>\s]+)>")
_TAG = regex.compile(r"</?[a-zA-Z][^<>]*>|<!--.*?-->", regex.DOTALL)
_STRONG = regex.compile(r"(?P<mark>\*\*|__)(?=\S)(?P<text>.+?)(?<=\S)(?P=mark)")
_EMPHASIS = regex.compile(r"(?<![\w*])\*(?=\S)(?P<text>[^*\n]+)(?<=\S)\*(?![\w*])")
_LINE_PREFIX = regex.compile(r"^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*•+][ \t]+)", regex.MULTILINE)
_UNSEEN = regex.compile(
    r"[\p{Cc}\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f--[\n\t]]", regex.V1
)
_ENDS = " \t\n.,;:!?)。，；：！？）」』"


@dataclass(frozen=True, slots=True)
class Marker:
    """Stood at ``at`` of the text without markers, naming passages by their numbers in the prompt."""

    at: int
    numbers: tuple[int, ...]


def take_markers(text: str) -> tuple[str, list[Marker]]:
    """The plain text of an answer, and its markers. Code between back-ticks is left as it is."""
    plain = plain_text(text)
    plain = _CUT_MARKER.sub("", plain)
    code = [match.span() for match in _CODE.finditer(plain)]
    out = ""
    markers: list[Marker] = []
    at = 0
    for match in _MARKER.finditer(plain):
        if any(start <= match.start() < end for start, end in code):
            continue
        out += plain[at : match.start()]
        at = match.end()
        following = plain[at : at + 1]
        if not following or following in _ENDS:
            out = out.rstrip(" \t\u00a0")
        elif out and not out[-1].isspace() and following.isalnum():
            out += " "
        markers.append(Marker(len(out.rstrip()), _numbers(match["list"])))
    return out + plain[at:], markers


def plain_text(text: str) -> str:
    """Without images, link targets, tags, emphasis and characters that are not seen."""
    text = _UNSEEN.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    pieces: list[str] = []
    at = 0
    for match in _CODE.finditer(text):
        pieces += (_without_markup(text[at : match.start()]), match.group())
        at = match.end()
    return "".join((*pieces, _without_markup(text[at:])))


def _without_markup(text: str) -> str:
    text = _IMAGE.sub("", text)
    text = _LINK.sub(_link_text, text)
    text = _AUTOLINK.sub(lambda match: match["address"], text)
    text = _TAG.sub("", text)
    text = _STRONG.sub(lambda match: match["text"], text)
    text = _EMPHASIS.sub(lambda match: match["text"], text)
    return _LINE_PREFIX.sub("", text)


def _link_text(match: regex.Match[str]) -> str:
    text = str(match["text"])
    return f"[{text}]" if _MARKER.fullmatch(f"[{text}]") else text


def _numbers(written: str) -> tuple[int, ...]:
    found: list[int] = []
    for part in regex.split(r"[,;，、&]|and", written):
        bounds = [int(number) for number in regex.findall(r"\d+", part)]
        if len(bounds) == 2 and 0 <= bounds[1] - bounds[0] <= _WIDEST_RANGE:
            found += range(bounds[0], bounds[1] + 1)
        else:
            found += bounds
    return tuple(dict.fromkeys(found))
