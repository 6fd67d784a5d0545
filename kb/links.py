"""Where a link of a page leads, as far as its text alone can say. Pure.

Which page a slug or a wiki name means is decided in the database; ``resolve_links`` writes that
decision into the page when it is shown, and changes no visible character.
"""

from __future__ import annotations

import html
import posixpath
import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import quote, unquote, urlsplit
from uuid import UUID

from kb.sites import Site
from kb.slugs import slug_part, slug_path, without_index

WIKI_SCHEME = "wiki:"
WANTED = '<span class="wanted">'  # a link to a page that its reader has not
ANCHOR_PREFIX = "hd-"  # keeps headings apart from the ids of the page around the article

_OWN_ADDRESS = re.compile(r"^/(?:kb|[^/]+/p)/(?=.)")  # as an API or the address bar shows a page
_CITED = re.compile(r"cite=[0-9]+-[0-9]+(?:&rev=[0-9]+)?")
_PAGE_SUFFIX = re.compile(r"\.(?:md|markdown|html?|xhtml)$", re.IGNORECASE)
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_IGNORED_IN_URLS = re.compile(
    r"[\x00-\x20\x7f-\xa0\u1680\u2000-\u200f\u2028-\u202f\u205f-\u2064\u3000\ufeff]+"
)
_UNSAFE_IN_URLS = re.compile(r"[\s\"'<>`{}|\\^\x00-\x20]")
_ANCHOR = re.compile(r"<a( [^>]*)?>|</a>")
_HREF = re.compile(r' href="([^"]*)"')
_NOT_SLUG = re.compile(r"[^\w\s-]")
_GAPS = re.compile(r"[\s_-]+")


class TargetKind(StrEnum):
    PAGE = "page"  # ``value``: a path as written, such as ``hr/overtime``, ``../it/`` or ``/it``
    DOC = "doc"  # ``value``: the page's id
    WIKI = "wiki"  # ``value``: a title or slug as its writer named it
    ANCHOR = "anchor"  # a place on the same page
    EXTERNAL = "external"  # ``value``: the whole URL


@dataclass(frozen=True, slots=True)
class LinkTarget:
    kind: TargetKind
    value: str
    fragment: str = ""  # as written, without the sign
    cited: str = ""  # the query that opens a page at cited words

    @property
    def doc_id(self) -> UUID | None:
        return UUID(self.value) if self.kind is TargetKind.DOC else None


def safe_href(href: str) -> str | None:
    """The address as it may stand in a page, or None where following it could do harm.

    Allowed are http, https, mailto, wiki names and relative addresses. A browser ignores blanks and
    controls inside a scheme, so they go before the scheme is read.
    """
    href = _IGNORED_IN_URLS.sub(lambda match: "%20" if match.group() == " " else "", href.strip())
    if not href:
        return None
    scheme = _SCHEME.match(href)
    if scheme and scheme.group().lower() not in ("http:", "https:", "mailto:", WIKI_SCHEME):
        return None
    return _UNSAFE_IN_URLS.sub(lambda match: quote(match.group(), safe=""), href)


def parse_target(href: str) -> LinkTarget | None:
    """None for an address that is unsafe or names no page (mail)."""
    cleaned = safe_href(href)
    if cleaned is None:
        return None
    lowered = cleaned.lower()
    if lowered.startswith(WIKI_SCHEME):
        name, _, fragment = unquote(cleaned[len(WIKI_SCHEME) :]).partition("#")
        if not name.strip():
            return LinkTarget(TargetKind.ANCHOR, "", fragment.strip()) if fragment.strip() else None
        return LinkTarget(TargetKind.WIKI, name.strip(), fragment.strip())
    if lowered.startswith("mailto:"):
        return None
    if lowered.startswith(("http:", "https:", "//")):
        return LinkTarget(TargetKind.EXTERNAL, cleaned)
    try:
        parts = urlsplit(cleaned)
    except ValueError:
        return None
    path, fragment = unquote(parts.path), unquote(parts.fragment)
    if not path:
        return LinkTarget(TargetKind.ANCHOR, "", fragment) if fragment else None
    return _page_target(path, fragment, parts.query if _CITED.fullmatch(parts.query) else "")


def _page_target(path: str, fragment: str, cited: str) -> LinkTarget | None:
    is_folder = path.endswith("/")
    path = posixpath.normpath(path)
    path = _OWN_ADDRESS.sub("/", path)
    last = path.rsplit("/", 1)[-1]
    if _UUID.fullmatch(last):
        return LinkTarget(TargetKind.DOC, str(UUID(last)), fragment, cited)
    path = _PAGE_SUFFIX.sub("", path)
    if path.strip("/") in ("", "."):
        return None
    return LinkTarget(TargetKind.PAGE, f"{path}/" if is_folder else path, fragment, cited)


def page_candidates(base: str, value: str, *, home_language: str = "en") -> tuple[str, ...]:
    """The slugs that a path on the page ``base`` can mean, the likeliest first.

    ==========  ===================================================================================
    ``../pay``  a file: read from the page's folder, then from the page as a folder
    ``../pay/`` a folder's address: the other way round
    ``/pay``    from the root of a site, which may be any folder above the page (the outermost
                first); a site in several languages has its home language at the root
    ==========  ===================================================================================

    What is not rooted is tried from the roots as well, last. An index page stands for its folder.
    """
    parts = base.split("/")[:-1]
    roots = ["/".join(parts[:count]) for count in range(len(parts) + 1)]
    if value.startswith("/"):
        folders = [at for root in roots for at in (root, posixpath.join(root, home_language))]
    else:
        near = [posixpath.dirname(base), base]
        folders = [*(reversed(near) if value.endswith("/") else near), *roots]
    found: dict[str, None] = {}
    for folder in folders:
        path = posixpath.normpath(posixpath.join("/", folder, value.strip("/")))
        found[slug_path(path)] = None
        found[slug_path(without_index(path))] = None
    found.pop("", None)
    return tuple(found)


def link_name(target: LinkTarget) -> str:
    """What every page that ``target`` may mean is called by (see ``page_names``): the key of the
    links that wait for it. Empty where the address ends in dots and says no name.
    """
    if target.kind is TargetKind.DOC:
        return target.value
    return _name(target.value)


def page_names(slug: str, title: str, doc_id: UUID) -> frozenset[str]:
    """The ``link_name`` of every link that may mean this page."""
    last = slug_part(slug.rsplit("/", 1)[-1])
    return frozenset({last, _name(slug), _name(title), str(doc_id), ""})


def _name(path: str) -> str:
    return slug_part(without_index(path.rstrip("/")).rsplit("/", 1)[-1])


def heading_anchor(heading: str) -> str:
    """The id of a heading with this text, or the fragment that leads to it."""
    words = _GAPS.sub("-", _NOT_SLUG.sub("", heading.strip().casefold())).strip("-")
    return ANCHOR_PREFIX + (words[:80].rstrip("-") or "section")


def resolve_links(
    markup: str, resolver: Callable[[LinkTarget], str | None], *, site: Site | None = None
) -> str:
    """Stored canonical HTML with the links between pages filled in.

    ``resolver`` gets page, doc and wiki targets and returns the address, or None where this reader
    has no such page: the link becomes ``<span class="wanted">``. Text stays as it is. Full addresses
    of ``site`` are links between pages, too.
    """
    closing: list[str] = []

    def rewrite(match: re.Match[str]) -> str:
        if match.group() == "</a>":
            return closing.pop() if closing else "</a>"
        attributes = match.group(1) or ""
        href = _HREF.search(attributes)
        written = html.unescape(href.group(1)) if href else ""
        target = parse_target(site.local(written) if site else written)
        if target is None or target.kind in (TargetKind.EXTERNAL, TargetKind.ANCHOR):
            closing.append("</a>")
            return match.group()
        address = resolver(target)
        if address is None:
            closing.append("</span>")
            return WANTED
        closing.append("</a>")
        return f'<a href="{html.escape(address + _place(target))}">'

    return _ANCHOR.sub(rewrite, markup)


def _place(target: LinkTarget) -> str:
    """Query and fragment of the place on the page."""
    if target.cited:
        return f"?{target.cited}#cite"
    if not target.fragment:
        return ""
    named = target.fragment.startswith(ANCHOR_PREFIX)
    return "#" + quote(target.fragment if named else heading_anchor(target.fragment))
