"""How long chunks are to be, and the versions of the rules that make them."""

from __future__ import annotations

from dataclasses import dataclass

CHUNKER_VERSION = 1
SECTIONS_VERSION = 1
MIN_TOKENS = 256
MAX_TOKENS = 512


@dataclass(frozen=True, slots=True)
class Cutting:
    """What the chunks are to be like."""

    least: int  # tokens that one should have
    bonus: float = 0.0  # off the price of a cut before a heading
    shares_path: bool = False  # its headings stand above all of it, else above its beginning


PASSAGES = Cutting(least=MIN_TOKENS)
# A chunk for every heading, whatever follows it, unless that is next to nothing.
SECTIONS = Cutting(least=12, bonus=2.0, shares_path=True)
