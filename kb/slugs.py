"""A page's slug is a path: lower-case words with hyphens, in any script. Pure."""

from __future__ import annotations

import unicodedata

import regex

MAX_SLUG = 180

# Marks stay: without its vowel signs a word of many scripts is another word.
_NOT_IN_SLUGS = regex.compile(r"[^\p{L}\p{M}\p{N}_\s-]")
_GAPS = regex.compile(r"[-\s]+")
_INDEX_NAMES = frozenset({"index", "_index", "readme"})


def slug_part(value: str) -> str:
    """One part of a slug from any words; empty where nothing of them can stand in an address."""
    value = unicodedata.normalize("NFKC", value).lower()
    return _GAPS.sub("-", _NOT_IN_SLUGS.sub("", value)).strip("-_")


def slug_path(path: str) -> str:
    """The slug of a path such as ``HR/Over Time``; at most ``MAX_SLUG`` characters."""
    return "/".join(filter(None, map(slug_part, path.split("/"))))[:MAX_SLUG].rstrip("/")


def without_index(path: str) -> str:
    """``hr/index`` is the page of its folder, ``hr``. At the root there is no folder to be of."""
    folder, _, name = path.rpartition("/")
    return folder if folder.strip("/") and name.lower() in _INDEX_NAMES else path
