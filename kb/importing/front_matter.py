"""What a file says of itself above its text, as fields of a page. Pure.

Sites use the same keys in their own ways (``status: Completed``), so a value that means nothing
here is passed over. Who may read a page is the exception: an unknown word there stops the file,
because the page might be shown to more people than its writer meant.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml
from django.utils.translation import gettext_noop

from kb.markdown import split_header
from memory.language.text import clean_text

# The values of Status, Visibility and Category, which a pure module cannot ask.
STATUSES = frozenset({"draft", "published", "archived"})
VISIBILITIES = frozenset({"public", "org_only", "role_restricted"})
CATEGORIES = frozenset({"how_to", "reference", "decision_log", "policy", "runbook"})

_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z0-9]{2,8})?", re.IGNORECASE)
_HTML_LANGUAGE = re.compile(r"<html\b[^>]{0,300}?\slang\s*=\s*[\"']?([\w-]{2,12})", re.IGNORECASE)
_MAX_HEADER = 20_000  # code points


class BadAudience(ValueError):
    """A file whose readers cannot be told. The message is for people."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontMatter:
    """None where the file says nothing."""

    title: str | None = None
    slug: str | None = None
    language: str | None = None
    category: str | None = None
    status: str | None = None
    visibility: str | None = None
    groups: tuple[str, ...] | None = None


def of_markdown(source: str) -> FrontMatter:
    """Raises ``BadAudience``."""
    header, _ = split_header(source)
    fields = _fields(header)
    visibility, groups = _audience(fields)
    return FrontMatter(
        title=_text(fields.get("title")),
        slug=_text(fields.get("slug")),
        language=_language(fields),
        category=_word(fields.get("category"), CATEGORIES),
        status=_status(fields),
        visibility=visibility,
        groups=groups,
    )


def of_html(source: str) -> FrontMatter:
    match = _HTML_LANGUAGE.search(source[:4_000])
    return FrontMatter(language=_language({"language": match.group(1)}) if match else None)


def _fields(header: str) -> dict[str, Any]:
    """Keys in lower case, scalars as the words that stand there: no dates, no yes and no."""
    if not header.strip() or len(header) > _MAX_HEADER:
        return {}
    try:
        found = yaml.load(header, Loader=yaml.BaseLoader)
    except (yaml.YAMLError, RecursionError):
        return {}
    return (
        {str(key).lower(): value for key, value in found.items()}
        if isinstance(found, Mapping)
        else {}
    )


def _text(value: Any) -> str | None:
    return clean_text(value).strip() or None if isinstance(value, str) else None


def _word(value: Any, allowed: frozenset[str]) -> str | None:
    word = re.sub(r"[\s-]+", "_", (_text(value) or "").lower())
    return word if word in allowed else None


def _language(fields: Mapping[str, Any]) -> str | None:
    for key in ("language", "lang", "locale"):
        value = (_text(fields.get(key)) or "").replace("_", "-")
        if _LANGUAGE.fullmatch(value):
            return value.lower()
    return None


def _status(fields: Mapping[str, Any]) -> str | None:
    if _text(fields.get("draft")) == "true" or _text(fields.get("published")) == "false":
        return "draft"
    return _word(fields.get("status"), STATUSES)


def _audience(fields: Mapping[str, Any]) -> tuple[str | None, tuple[str, ...] | None]:
    groups = _groups(fields.get("groups", fields.get("allowed_groups")))
    stated = fields.get("visibility")
    if stated is None or stated == "":
        return ("role_restricted", groups) if groups else (None, None)
    visibility = _word(stated, VISIBILITIES)
    if visibility is None:
        allowed = ", ".join(sorted(VISIBILITIES))
        raise BadAudience(f"Its visibility is none of {allowed}.")
    if visibility == "role_restricted" and not groups:
        raise BadAudience(gettext_noop("It is restricted to groups, and names none."))
    return visibility, groups


def _groups(value: Any) -> tuple[str, ...] | None:
    named = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else []
    groups = tuple(group for item in named if (group := _text(item)))
    return groups or None
