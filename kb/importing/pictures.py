"""Images that a file shows: found in its source, and given another address there. Pure."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Collection
from urllib.parse import unquote, urlsplit

IMAGE_SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".gif", ".webp"})

# Code comes first, so that an image in it stays as it is written.
_MARKDOWN = re.compile(
    r"""
    (?P<code> ^(?P<fence>`{3,}|~{3,}) [^\n]*\n .*? (?:^(?P=fence)[`~]*[ \t]*$|\Z)
            | (?<!`)(?P<ticks>`+)(?!`) (?:(?!\n\n).){1,500}? (?<!`)(?P=ticks)(?!`) )
    | (?P<inline> !\[ [^\[\]]{0,1000} \]\( [ \t]* <? ) (?P<inline_at> [^\s<>()]{1,1000} )
    | (?P<defined> ^[ ]{0,3}\[ [^\[\]\n]{1,200} \]: [ \t]* <? ) (?P<defined_at> [^\s<>]{1,1000} )
    | (?P<tag> <img\b [^<>]{0,1000}? \ssrc\s*=\s* ["']? ) (?P<tag_at> [^\s"'<>]{1,1000} )
    """,
    re.VERBOSE | re.MULTILINE | re.DOTALL | re.IGNORECASE,
)
_HTML = re.compile(
    r"""(?P<tag> <img\b [^<>]{0,2000}? \ssrc\s*=\s* ["']? ) (?P<tag_at> [^\s"'<>]{1,1000} )""",
    re.VERBOSE | re.IGNORECASE,
)
_PLACES = ("inline", "defined", "tag")


def is_image(path: str) -> bool:
    return posixpath.splitext(path)[1].lower() in IMAGE_SUFFIXES


def replace_images(
    source: str, address_of: Callable[[str], str | None], *, is_html: bool = False
) -> str:
    """The source with another address for every image that ``address_of`` gives one for.

    It gets each address as written. Everything else stays, code included.
    """

    def rewrite(match: re.Match[str]) -> str:
        found = match.groupdict()
        for place in _PLACES:
            if found.get(place) is not None:
                written = found[f"{place}_at"]
                return found[place] + (address_of(written) or written)
        return match.group()

    return (_HTML if is_html else _MARKDOWN).sub(rewrite, source)


def find_image(page_path: str, address: str, images: Collection[str]) -> str | None:
    """The file of the tree that ``address`` means on the page: beside the page, or from a root
    above it, the nearest first.
    """
    try:
        parts = urlsplit(address)
    except ValueError:
        return None
    if parts.scheme or parts.netloc or not parts.path:
        return None
    path, folder = unquote(parts.path), posixpath.dirname(page_path)
    folders = [] if path.startswith("/") else [folder]
    while folder:
        folders.append(folder)
        folder = posixpath.dirname(folder)
    for base in (*folders, ""):
        candidate = posixpath.normpath(posixpath.join("/", base, path.lstrip("/"))).lstrip("/")
        if candidate in images:
            return candidate
    return None
