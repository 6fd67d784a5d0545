"""Which elements a browser would not show. Pure.

What a reader cannot see must not be read to them, quoted to them or obeyed: these elements leave
the page, with everything in them, before anything else looks at it.
"""

from __future__ import annotations

import re

from kb.html_tree import Element

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_ESCAPE = re.compile(r"\\([0-9a-fA-F]{1,6})\s?|\\(.)", re.DOTALL)
_ZERO = re.compile(r"[+-]?0*\.?0*(?:[a-z]+|%)?")
_FAR_OUT = re.compile(r"-\d{3,}(?:\.\d+)?(?:px|pt|em|rem|%)?|-\d{2,}(?:\.\d+)?(?:em|rem)")
_CLIPPED = re.compile(r"rect\((?:[\s,]*0(?:px)?)+[\s,]*\)|inset\((?:5\d|[6-9]\d|100)%.*\)")
_TRANSPARENT = re.compile(
    r"transparent|(?:rgb|hsl)a?\((?:(?:[^,/)]*,){3}|[^,/)]*/)\s*(?:0+\.?0*|\.0+)%?\s*\)"
)


def is_hidden(element: Element) -> bool:
    """True if the element's own attributes keep it from being seen. Style sheets are not read."""
    if "hidden" in element.attributes or (
        element.tag == "dialog" and "open" not in element.attributes
    ):
        return True
    style = element.attributes.get("style")
    return bool(style) and _hides(_declarations(style or ""))


def _hides(style: dict[str, str]) -> bool:
    value = style.get
    clips = "hidden" in value("overflow", "") or "clip" in value("overflow", "")
    return (
        value("display") == "none"
        or value("visibility") in ("hidden", "collapse")
        or value("content-visibility") == "hidden"
        or _is_zero(value("opacity"))
        or _is_zero(value("font-size"))
        or (
            clips
            and any(
                _is_zero(value(name)) for name in ("height", "width", "max-height", "max-width")
            )
        )
        or any(
            _FAR_OUT.fullmatch(value(name, ""))
            for name in ("text-indent", "left", "top", "margin-left")
        )
        or bool(_CLIPPED.fullmatch(value("clip", "")) or _CLIPPED.fullmatch(value("clip-path", "")))
        or bool(_TRANSPARENT.fullmatch(value("color", "")))
        or value("transform", "").replace(" ", "").startswith(("scale(0)", "scale(0,"))
    )


def _is_zero(value: str | None) -> bool:
    return bool(value) and any(c == "0" for c in value or "") and bool(_ZERO.fullmatch(value or ""))


def _declarations(style: str) -> dict[str, str]:
    """Property to value, lower case, comments and escapes undone. The last one wins, as in CSS,
    except that one marked important is not undone by a plain one after it."""
    found: dict[str, str] = {}
    important: set[str] = set()
    for declaration in _unescape(_COMMENT.sub("", style)).split(";"):
        name, colon, value = declaration.partition(":")
        name, value = name.strip().lower(), " ".join(value.lower().split())
        if not colon or not value:
            continue
        value, mark, _ = value.partition("!")
        if name in important and not mark:
            continue
        if mark:
            important.add(name)
        found[name] = value.strip()
    return found


def _unescape(style: str) -> str:
    def character(match: re.Match[str]) -> str:
        if match.group(1):
            code = int(match.group(1), 16)
            return chr(code) if 0 < code < 0xD800 else "\ufffd"
        return match.group(2)

    return _ESCAPE.sub(character, style)
