"""The demo organisation's pages and the questions they are tried with, as plain records. Pure.

A page file opens with ``key: value`` lines between two lines of three dashes; the rest is Markdown.
The values are words, not YAML: nothing is quoted, and ``groups`` is separated by commas.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files

HOME_SLUG = "handbook"

_FENCE = "---"
_KEYS = frozenset({"title", "slug", "language", "visibility", "groups", "status"})


@dataclass(frozen=True, slots=True)
class DemoPage:
    title: str
    slug: str
    language: str
    visibility: str  # a value of ``Visibility``
    groups: tuple[str, ...]  # who may read a ``role_restricted`` page, else empty
    status: str  # a value of ``Status``
    source: str  # Markdown, without the opening lines


@dataclass(frozen=True, slots=True)
class DemoQuestion:
    """``must_quote`` is a piece of the page's visible text that the cited words must contain."""

    slug: str
    question: str
    language: str
    expect: str  # "answered" or "declined"
    must_quote: str | None  # None exactly for what is declined
    kind: str  # what makes it worth asking: direct, linked, table, code, emoji, near_topic, …
    user: str = "editor"  # the demo user who asks


def load_pages() -> list[DemoPage]:
    """All pages, the home page first, then by slug. Raises ValueError naming a malformed file."""
    folder = files("kb.demo").joinpath("pages")
    pages = [
        parse_page(entry.read_text(encoding="utf-8"), name=entry.name)
        for entry in folder.iterdir()
        if entry.name.endswith(".md")
    ]
    return sorted(pages, key=lambda page: (page.slug != HOME_SLUG, page.slug))


def load_questions() -> list[DemoQuestion]:
    """In the order of the file; the first one is the question of the first start."""
    lines = files("kb.demo").joinpath("questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [DemoQuestion(**json.loads(line)) for line in lines if line.strip()]


def parse_page(document: str, *, name: str) -> DemoPage:
    """``name`` is only said in errors."""
    opening, fence, source = document.removeprefix(f"{_FENCE}\n").partition(f"\n{_FENCE}\n")
    if not document.startswith(f"{_FENCE}\n") or not fence:
        raise ValueError(f"{name}: a page opens with its fields between two lines of {_FENCE}")
    fields = {
        key.strip(): value.strip()
        for key, _, value in (line.partition(":") for line in opening.splitlines())
    }
    if fields.keys() != _KEYS:
        raise ValueError(f"{name}: fields are {sorted(fields)}, expected {sorted(_KEYS)}")
    groups = tuple(group.strip() for group in fields.pop("groups").split(",") if group.strip())
    return DemoPage(groups=groups, source=source, **fields)
