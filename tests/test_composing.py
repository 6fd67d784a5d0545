"""What is shown around a quote."""

from __future__ import annotations

import pytest

from kb.composing import _CONTEXT_LENGTH, _around

QUOTE = "At most 12 hours."


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("One. ", " Two."),
        ("", ""),
        ("word " * 60, " word" * 60),
        ("字" * 300, "字" * 300),
        ("x" * 300, "y" * 300),
    ],
)
def test_context_is_what_stands_beside_the_quote(before: str, after: str) -> None:
    text = f"{before}{QUOTE}{after}"
    start = len(before)
    shown = _around(text, start, start + len(QUOTE))
    assert before.endswith(shown[0])
    assert after.startswith(shown[1])
    assert all(len(side) <= _CONTEXT_LENGTH for side in shown)


@pytest.mark.parametrize("width", range(4, 9))
def test_context_begins_and_ends_with_whole_words(width: int) -> None:
    word = "w" * width
    text = f"{f'{word} ' * 60}{QUOTE}{f' {word}' * 60}"
    start = 60 * (width + 1)
    before, after = _around(text, start, start + len(QUOTE))
    assert {*before.split(), *after.split()} == {word}
    assert len(before) > _CONTEXT_LENGTH - 2 * width < len(after)


def test_script_without_spaces_loses_nothing() -> None:
    text = f"{'字' * 300}{QUOTE}{'字' * 300}"
    before, after = _around(text, 300, 300 + len(QUOTE))
    assert len(before) == len(after) == _CONTEXT_LENGTH
