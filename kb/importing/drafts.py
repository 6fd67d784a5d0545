"""A planned file as read: its text, the images that it shows, and a digest of all of it. Pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from kb.importing import pictures
from kb.importing.decoding import decode
from kb.importing.planning import Plan, PlannedPage
from kb.rendering import SourceFormat
from memory.trees import FileUnreadable, Tree


@dataclass(frozen=True, slots=True)
class Draft:
    page: PlannedPage
    source: str
    images: Mapping[str, str]  # path of each image of the tree that it shows: sha-256 of its bytes
    broken: Mapping[str, str]  # images that cannot be read, and why

    def digest(self, *, publish: bool) -> str:
        """Equal for two files exactly where an import would make the same page of them."""
        page = self.page
        decisive = [
            self.source,
            page.slug,
            page.source_format,
            asdict(page.front),
            sorted(self.images.items()),
            publish,
        ]
        return hashlib.sha256(json.dumps(decisive).encode()).hexdigest()

    def source_with(self, addresses: Mapping[str, str]) -> str:
        """The source with its images at ``addresses``, which are by the path of the image."""

        def address_of(written: str) -> str | None:
            path = pictures.find_image(self.page.path, written, addresses)
            return addresses[path] if path is not None else None

        return pictures.replace_images(self.source, address_of, is_html=_is_html(self.page))


def read_draft(tree: Tree, plan: Plan, page: PlannedPage) -> Draft:
    """Raises ``FileUnreadable`` and ``Undecodable``."""
    source = decode(tree.read(page.path))
    images: dict[str, str] = {}
    broken: dict[str, str] = {}
    for path in _images_of(page, source, plan):
        try:
            images[path] = hashlib.sha256(tree.read(path)).hexdigest()
        except FileUnreadable as error:
            broken[path] = str(error)
    return Draft(page, source, images, broken)


def _images_of(page: PlannedPage, source: str, plan: Plan) -> list[str]:
    found: dict[str, None] = {}

    def note(written: str) -> None:
        path = pictures.find_image(page.path, written, plan.images)
        if path is not None:
            found[path] = None

    pictures.replace_images(source, note, is_html=_is_html(page))
    return list(found)


def _is_html(page: PlannedPage) -> bool:
    return page.source_format is SourceFormat.HTML
