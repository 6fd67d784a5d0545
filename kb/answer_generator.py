"""Asks the generator that settings name for a draft. The specification's name for this step."""

from __future__ import annotations

from kb.context import Context
from memory.backends import registry
from memory.reading.records import Reading
from memory.types import Draft


def generate(context: Context, question: str, reading: Reading) -> Draft:
    """Claims with the places that should carry them; nothing is verified yet.

    Called outside of any transaction. Raises ``GeneratorFailed``.
    """
    return registry.generator().draft(question, context.passages, reading)
