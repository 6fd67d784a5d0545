"""Which file becomes which page, decided from the tree alone. Pure.

A page's address is its file's path: ``HR/Over Time.md`` is ``hr/over-time``. An index file is the
page of its folder, unless another file has that address. A ``slug`` in the front matter takes the
place of the file's name, or of the whole path where it is a path itself.
"""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, replace

from django.utils.translation import gettext_noop

from kb.importing import front_matter
from kb.importing.decoding import Undecodable, decode
from kb.importing.front_matter import BadAudience, FrontMatter
from kb.importing.pictures import is_image
from kb.importing.report import FileReport, Outcome
from kb.rendering import SourceFormat
from kb.slugs import slug_path, without_index
from memory.trees import FileUnreadable, Tree

_FORMATS = {
    ".md": SourceFormat.MARKDOWN,
    ".markdown": SourceFormat.MARKDOWN,
    ".html": SourceFormat.HTML,
    ".htm": SourceFormat.HTML,
    ".xhtml": SourceFormat.HTML,
}
MAX_PAGE = 2_000_000  # bytes: 500,000 characters, the most that a page has, of four bytes each
_NO_PAGE = gettext_noop("Neither Markdown, HTML nor an image.")


@dataclass(frozen=True, slots=True)
class PlannedPage:
    path: str
    slug: str
    source_format: SourceFormat
    front: FrontMatter

    @property
    def name(self) -> str:
        return name_of(self.path)


@dataclass(frozen=True, slots=True)
class Plan:
    pages: tuple[PlannedPage, ...]  # in the order of their paths
    images: frozenset[str]  # paths
    others: tuple[FileReport, ...]  # files that become nothing, and why


def format_of(path: str) -> SourceFormat | None:
    """What a file is by its name, None where no page can be made of it."""
    return _FORMATS.get(posixpath.splitext(path)[1].lower())


def name_of(path: str) -> str:
    """The title of last resort: what the file is called, or the folder of an index file."""
    stem = without_index(posixpath.splitext(path)[0])
    words = posixpath.basename(stem).replace("_", " ").replace("-", " ").strip()
    return words[:1].upper() + words[1:] or path


def make_plan(tree: Tree, *, under: str = "") -> Plan:
    """``under``: a slug path that all pages are put below."""
    found: list[PlannedPage] = []
    others = [FileReport(file.path, Outcome.FAILED, file.reason) for file in tree.refused]
    for path in tree.paths:
        source_format = format_of(path)
        if source_format is None:
            if not is_image(path):
                others.append(FileReport(path, Outcome.SKIPPED, _NO_PAGE))
            continue
        try:
            front = _front_matter(tree, path, source_format)
        except (FileUnreadable, Undecodable, BadAudience) as error:
            others.append(FileReport(path, Outcome.FAILED, str(error)))
            continue
        found.append(PlannedPage(path, _own_slug(path, front, under), source_format, front))
    pages, doubles = _addressed(found, under)
    return Plan(pages, frozenset(filter(is_image, tree.paths)), (*others, *doubles))


def _front_matter(tree: Tree, path: str, source_format: SourceFormat) -> FrontMatter:
    data = tree.read(path)
    if len(data) > MAX_PAGE:
        raise FileUnreadable(gettext_noop("A page has at most 500,000 characters."))
    source = decode(data)
    if source_format is SourceFormat.HTML:
        return front_matter.of_html(source)
    return front_matter.of_markdown(source)


def _own_slug(path: str, front: FrontMatter, under: str) -> str:
    stem = posixpath.splitext(path)[0]
    if front.slug is not None:
        stem = (
            front.slug if "/" in front.slug else posixpath.join(posixpath.dirname(stem), front.slug)
        )
    return slug_path(posixpath.join(under, stem.lstrip("/"))) or "page"


def _addressed(
    found: list[PlannedPage], under: str
) -> tuple[tuple[PlannedPage, ...], list[FileReport]]:
    """Index pages at their folders, and files that would share an address told apart."""
    own = {page.slug for page in found}
    taken: dict[str, str] = {}
    pages, doubles = [], []
    for page in found:
        wanted = [page.slug]
        if page.front.slug is None:
            stem = posixpath.splitext(posixpath.join(under, page.path))[0]
            folder = slug_path(without_index(stem))
            wanted = [folder, page.slug] if folder and folder not in own else wanted
        slug = next((slug for slug in wanted if slug not in taken), None)
        if slug is None:
            reason = f"{taken[page.slug]} has the same address. A slug tells them apart."
            doubles.append(FileReport(page.path, Outcome.FAILED, reason, page.slug))
            continue
        taken[slug] = page.path
        pages.append(replace(page, slug=slug))
    return tuple(pages), doubles
