"""Numbers as a drawing takes them."""

from __future__ import annotations


def text(number: float) -> str:
    """At most two decimals, with a point."""
    shown = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if shown == "-0" else shown
