"""Who said it: a memory in the first person says little without its speaker."""

from __future__ import annotations


def said(speaker: str, text: str) -> str:
    """``text`` with who said it, unless that stands there already."""
    if not speaker or text.startswith((f"{speaker}:", f"{speaker} :", f"{speaker}：")):
        return text
    return f"{speaker}: “{text}”"
