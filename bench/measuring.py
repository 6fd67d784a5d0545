"""The command line that benchmarks of the running product share."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import django

Figures = dict[str, Any]


def main(measure: Callable[[Path], Figures], about: str) -> int:
    """Print the figures as JSON; 2 where there is no data."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ.setdefault("ASKS_PER_DAY", "1000000")
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--data", default=os.environ.get("FOOTNOTE_DATA"), metavar="DIR")
    named = parser.parse_args().data
    django.setup()
    from kb.evaluation.datasets import DataMissing, data_folder
    from memory.backends import registry

    try:
        figures = measure(data_folder(named))
    except DataMissing as error:
        print(error, file=sys.stderr)
        return 2
    print(json.dumps({"encoder": registry.encoder().recipe.name, **figures}))
    return 0
