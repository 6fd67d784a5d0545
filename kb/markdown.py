"""Markdown to HTML: CommonMark, tables, strikethrough and ``[[wiki links]]``. Pure.

The HTML is not safe yet; it goes through ``kb.rendering`` like HTML that a person wrote.
"""

from __future__ import annotations

import re
from functools import cache
from urllib.parse import quote

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline

from kb.links import WIKI_SCHEME

_WIKI_LINK = re.compile(r"\[\[([^\[\]|\n]{1,300})(?:\|([^\[\]\n]{1,300}))?\]\]")
_FRONT_MATTER = re.compile(
    r"---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE
)
_FRONT_MATTER_LINE = re.compile(r"\s*$|\s*#|\s*-(?:\s|$)|[ \t]+\S|[A-Za-z_][\w.-]*\s*:(?:\s|$)")
_TITLE = re.compile(r"^title[ \t]*:[ \t]*(.+?)[ \t]*$", re.MULTILINE)


def to_html(source: str) -> str:
    return str(_parser().render(source))


def split_front_matter(source: str) -> tuple[str | None, str]:
    """The title that a YAML header states, and the source without that header."""
    header, body = split_header(source)
    title = _TITLE.search(header)
    return (_scalar(title.group(1)) if title else None), body


def split_header(source: str) -> tuple[str, str]:
    """The lines of a YAML header, empty where there is none, and the source without it.

    Only what reads as YAML from the first line on is a header; two rules around a sentence are not.
    """
    match = _FRONT_MATTER.match(source)
    if match is None:
        return "", source
    lines = match.group(1).splitlines()
    named = [line for line in lines if line.strip()]
    if not named or not re.match(r"[A-Za-z_][\w.-]*\s*:", named[0]):
        return "", source
    if not all(_FRONT_MATTER_LINE.match(line) for line in lines):
        return "", source
    return match.group(1), source[match.end() :]


def _scalar(value: str) -> str | None:
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        value = value[1:-1]
    return value.strip() or None


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": True, "maxNesting": 60})
    parser.validateLink = lambda url: True  # type: ignore[method-assign]  # judged when sanitised
    parser.enable(["table", "strikethrough"])
    parser.inline.ruler.before("link", "wiki_link", _wiki_link)
    return parser


def _wiki_link(state: StateInline, silent: bool) -> bool:
    if not state.src.startswith("[[", state.pos):
        return False
    match = _WIKI_LINK.match(state.src, state.pos)
    if match is None or match.end() > state.posMax or state.linkLevel:
        return False
    target = match.group(1).strip()
    label = (match.group(2) or target).strip()
    if not target:
        return False
    if not silent:
        start = state.push("link_open", "a", 1)
        start.attrs = {"href": WIKI_SCHEME + quote(target, safe="/#")}
        state.push("text", "", 0).content = label or target
        state.push("link_close", "a", -1)
    state.pos = match.end()
    return True
