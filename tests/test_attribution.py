"""Who said it, in front of what they said."""

from __future__ import annotations

import pytest

from memory.attribution import said


@pytest.mark.parametrize(
    ("speaker", "text", "shown"),
    [
        ("Priya", "I play the cello.", "Priya: “I play the cello.”"),
        ("", "The cello is old.", "The cello is old."),
        ("Priya", "Priya: I play the cello.", "Priya: I play the cello."),
        ("林", "林：我拉大提琴。", "林：我拉大提琴。"),
        ("Pri", "Priya plays the cello.", "Pri: “Priya plays the cello.”"),
    ],
)
def test_text_names_its_speaker_once(speaker: str, text: str, shown: str) -> None:
    assert said(speaker, text) == shown
