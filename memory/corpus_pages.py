"""A tree of files as pages of a corpus, cut into the sections that are indexed. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import quote

from memory.chunking import CHUNKER_VERSION, SECTIONS, SECTIONS_VERSION, chunk
from memory.errors import Unconvertible
from memory.language.analysis import ANALYSER_VERSION
from memory.language.text import content_hash
from memory.language.tokens import count_tokens
from memory.seams import Converted, Converter
from memory.trees import FileUnreadable, Refused, Tree


@dataclass(frozen=True)
class Section:
    """``text`` is the slice of its page's text; the page's title leads ``heading_path``."""

    text: str
    heading_path: tuple[str, ...]
    char_start: int
    char_end: int

    @cached_property
    def indexed_text(self) -> str:
        return "\n".join((*self.heading_path, self.text))

    @cached_property
    def sha(self) -> str:
        return content_hash(self.indexed_text)


@dataclass(frozen=True, slots=True)
class CorpusPage:
    path: str  # in the tree
    source_uri: str
    title: str
    text: str
    language: str
    sections: tuple[Section, ...]

    @property
    def rules(self) -> str:
        """What decides sections and terms besides the text. Under other rules they are made anew."""
        return f"c{CHUNKER_VERSION}.s{SECTIONS_VERSION}.a{ANALYSER_VERSION}.{self.language}"


def pages(tree: Tree, converter: Converter, *, base_uri: str) -> Iterator[CorpusPage | Refused]:
    """A page, or why there is none, for every file that the converter accepts, in order."""
    yield from tree.refused
    for path in tree.paths:
        if not converter.accepts(path):
            continue
        try:
            converted = converter.convert(path, tree.read(path))
        except (FileUnreadable, Unconvertible) as error:
            yield Refused(path, str(error))
            continue
        yield _page(path, converted, source_uri=base_uri + quote(path))


def _page(path: str, converted: Converted, *, source_uri: str) -> CorpusPage:
    text = converted.text
    sections = tuple(
        Section(
            text[span.char_start : span.char_end],
            _under(converted.title, span.heading_path),
            span.char_start,
            span.char_end,
        )
        for span in chunk(text, converted.blocks, count_tokens, SECTIONS)
    )
    return CorpusPage(path, source_uri, converted.title, text, converted.language, sections)


def _under(title: str, path: tuple[str, ...]) -> tuple[str, ...]:
    return path if path[:1] == (title,) else (title, *path)
