"""Every text colour of the interface meets WCAG AA on every ground it stands on, in both themes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings

TOKEN = re.compile(r"--([\w-]+): light-dark\(#([0-9a-f]{6}), #([0-9a-f]{6})\)")
GROUNDS = ("paper", "sheet", "sunken")
TEXTS = ("ink", "ink-soft", "ink-faint", "rubric", "link", "good", "fair", "calm", "bad")
PAIRS = [(text, ground) for text in TEXTS for ground in GROUNDS] + [
    ("ink", "mark"),
    ("ink", "mark-live"),
    ("link", "mark"),
    ("rubric", "mark"),
    ("rubric", "rubric-wash"),
    ("paper", "ink"),  # primary buttons
    ("sheet", "rubric"),  # a footnote's number while it is lit
]


@pytest.fixture(scope="module")
def tokens() -> dict[str, tuple[str, str]]:
    css = (Path(settings.BASE_DIR) / "static/css/tokens.css").read_text()
    return {name: (light, dark) for name, light, dark in TOKEN.findall(css)}


def luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(("text", "ground"), PAIRS)
@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_text_is_readable_on_its_ground(
    tokens: dict[str, tuple[str, str]], text: str, ground: str, theme: int
) -> None:
    assert contrast(tokens[text][theme], tokens[ground][theme]) >= 4.5


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_focus_ring_stands_out(tokens: dict[str, tuple[str, str]], theme: int) -> None:
    assert contrast(tokens["focus"][theme], tokens["paper"][theme]) >= 3
