"""Files as pages without a knowledge base: what a corpus of references is made of."""

from __future__ import annotations

from kb.importing import front_matter
from kb.importing.decoding import Undecodable, decode
from kb.importing.front_matter import BadAudience
from kb.importing.planning import format_of, name_of
from kb.rendering import SourceFormat, render
from memory.errors import Unconvertible
from memory.language.languages import detect_language
from memory.seams import Converted


class PageConverter:
    """``memory.seams.Converter`` for Markdown and HTML, rendered as pages are."""

    def accepts(self, name: str) -> bool:
        return format_of(name) is not None

    def convert(self, name: str, data: bytes) -> Converted:
        source_format = format_of(name)
        if source_format is None:
            raise Unconvertible("Neither Markdown nor HTML.")
        try:
            source = decode(data)
        except Undecodable as error:
            raise Unconvertible(str(error)) from error
        page = render(source, source_format)
        if not page.text.strip():
            raise Unconvertible("It has no text that a reader would see.")
        return Converted(
            title=page.title or name_of(name),
            text=page.text,
            blocks=page.blocks,
            language=_stated_language(source, source_format) or detect_language(page.text),
        )


def _stated_language(source: str, source_format: SourceFormat) -> str | None:
    if source_format is SourceFormat.HTML:
        return front_matter.of_html(source).language
    try:
        return front_matter.of_markdown(source).language
    except BadAudience:  # who may read a page is decided by the bank here
        return None
