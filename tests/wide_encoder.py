"""Encoders that make other vectors than the tests' usual one: by name, and by size."""

from __future__ import annotations

from memory.backends.encoders.fake import FakeEncoder
from memory.seams import Recipe


class OtherEncoder(FakeEncoder):
    """Vectors of the usual size that cannot be compared with the usual ones."""

    def __init__(self) -> None:
        super().__init__(64)
        self.recipe = Recipe("other-words/64", 64)


class WideEncoder(FakeEncoder):
    def __init__(self) -> None:
        super().__init__(128)
        self.recipe = Recipe("wide-words/128", 128)


class MisnamedEncoder(FakeEncoder):
    """Took another size and kept its name."""

    def __init__(self) -> None:
        super().__init__(128)
        self.recipe = Recipe("fake-bag-of-words/64", 128)
