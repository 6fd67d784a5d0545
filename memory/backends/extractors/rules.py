"""Facts by rules alone: sentences and turns, verbatim. Works with nothing configured."""

from __future__ import annotations

from memory.facts import rules
from memory.facts.records import Excerpt, Extracted


class RulesExtractor:
    """Reading a passage again costs nothing and gives the same facts."""

    name = "rules/1"
    is_free = True

    def extract(self, excerpt: Excerpt) -> Extracted:
        return Extracted(tuple(rules.extract(excerpt)))
