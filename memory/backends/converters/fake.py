"""A converter of plain text: the first line is the title, every line with a ``#`` a heading."""

from __future__ import annotations

from memory.errors import Unconvertible
from memory.language.text import normalise_source
from memory.seams import Converted
from memory.types import Block, BlockKind


class FakeConverter:
    def accepts(self, name: str) -> bool:
        return name.endswith(".txt")

    def convert(self, name: str, data: bytes) -> Converted:
        try:
            text = normalise_source(data.decode())
        except UnicodeDecodeError as error:
            raise Unconvertible("This is no text in UTF-8.") from error
        if not text.strip():
            raise Unconvertible("It is empty.")
        title = text.strip().partition("\n")[0].lstrip("# ")
        return Converted(title=title, text=text, blocks=tuple(_blocks(text)), language="en")


def _blocks(text: str) -> list[Block]:
    blocks, start = [], 0
    for line in text.split("\n"):
        if line.strip():
            level = len(line) - len(line.lstrip("#"))
            kind = BlockKind.HEADING if level else BlockKind.PARAGRAPH
            words = start + len(line) - len(line.lstrip("# "))
            blocks.append(Block(kind, words, start + len(line.rstrip()), min(level, 6)))
        start += len(line) + 1
    return blocks
