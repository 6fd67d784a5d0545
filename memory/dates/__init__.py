"""Times in words: what a query asks about and when a sentence says something happened. Pure.

Everything follows from the text and an anchor; neither the machine's clock nor its zone is asked.
"""

from memory.dates.asking import asks_period_alone
from memory.dates.iso import parse_bounds, parse_datetime, with_zone
from memory.dates.parsing import occurrence, parse_window
from memory.dates.past import is_about_past

__all__ = [
    "asks_period_alone",
    "is_about_past",
    "occurrence",
    "parse_bounds",
    "parse_datetime",
    "parse_window",
    "with_zone",
]
