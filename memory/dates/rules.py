"""A rule of the grammar: a pattern over the kinds of tokens, and what makes a period of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import regex

from memory.dates.lexing import Language
from memory.dates.tokens import Builder


@dataclass(frozen=True, slots=True)
class Rule:
    pattern: regex.Pattern[str]
    build: Builder
    needs: str = ""  # what the vocabulary has to say of itself

    @classmethod
    def of(cls, pattern: str, build: Builder, needs: str = "") -> Rule:
        return cls(regex.compile(pattern), build, needs)

    def places(self, kinds: str, language: Language) -> Iterator[tuple[int, int]]:
        """Where it fits, in order; nowhere in a language that it is not for."""
        if self.needs and not getattr(language.vocabulary, self.needs):
            return
        for match in self.pattern.finditer(kinds):
            yield match.span()
