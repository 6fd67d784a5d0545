"""The command line that benchmarks of the running product share."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

import django

Figures = dict[str, Any]


def main(measure: Callable[..., Figures], about: str, *, flags: Sequence[str] = ()) -> int:
    """Print the figures as JSON; 2 where there is no data. ``flags`` are passed on as keywords; what
    is meant for another benchmark of the same run is let pass."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ.setdefault("ASKS_PER_DAY", "1000000")
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--data", default=os.environ.get("FOOTNOTE_DATA"), metavar="DIR")
    for flag in flags:
        parser.add_argument(f"--{flag}", action="store_true")
    given, _ = parser.parse_known_args()
    django.setup()
    from kb.evaluation.datasets import DataMissing, data_folder
    from memory.backends import registry

    try:
        figures = measure(data_folder(given.data), **{flag: getattr(given, flag) for flag in flags})
    except DataMissing as error:
        print(error, file=sys.stderr)
        return 2
    print(json.dumps({"encoder": registry.encoder().recipe.name, **figures}))
    return 0
