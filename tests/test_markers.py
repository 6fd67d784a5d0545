"""Markers taken out of an answer, and the plain text that is left."""

from __future__ import annotations

import pytest

from memory.verification.markers import plain_text, take_markers


@pytest.mark.parametrize(
    ("answer", "text", "numbers"),
    [
        ("The cap is 12 hours [4].", "The cap is 12 hours.", [(4,)]),
        ("The cap is 12 hours. [4]", "The cap is 12 hours.", [(4,)]),
        ("The cap is 12 hours[4].", "The cap is 12 hours.", [(4,)]),
        ("The cap [[4]] is 12.", "The cap is 12.", [(4,)]),
        ("The cap is 12 [4, 6].", "The cap is 12.", [(4, 6)]),
        ("The cap is 12 [4][6].", "The cap is 12.", [(4,), (6,)]),
        ("The cap is 12 [4] [6].", "The cap is 12.", [(4,), (6,)]),
        ("The cap is 12 [4-6].", "The cap is 12.", [(4, 5, 6)]),
        ("The cap is 12 [4; 6 and 8].", "The cap is 12.", [(4, 6, 8)]),
        ("The cap is 12【4】.", "The cap is 12.", [(4,)]),
        ("The cap is 12【4†source】.", "The cap is 12.", [(4,)]),
        ("The cap is 12 ［4］.", "The cap is 12.", [(4,)]),
        ("The cap is 12 [^4].", "The cap is 12.", [(4,)]),
        ("The cap is 12 [passage 4].", "The cap is 12.", [(4,)]),
        ("The cap is 12 [C4].", "The cap is 12.", [(4,)]),
        ("The cap is 12 [٤].", "The cap is 12.", [(4,)]),
        ("The cap is 12 [4](https://collector.example).", "The cap is 12.", [(4,)]),
        ("上限是12小时【4】。", "上限是12小时。", [(4,)]),
        ("The cap is 12[4]and more", "The cap is 12 and more", [(4,)]),
        ("The cap is 12 [4", "The cap is 12", []),
        ("The cap is 12 [[4, ", "The cap is 12", []),
        ("In [2024] it was 12.", "In [2024] it was 12.", []),
        ("Set `row[4]` to 12.", "Set `row[4]` to 12.", []),
        ("", "", []),
    ],
)
def test_fc_18_markers_are_taken_out(
    answer: str, text: str, numbers: list[tuple[int, ...]]
) -> None:
    plain, markers = take_markers(answer)
    assert plain == text
    assert [marker.numbers for marker in markers] == numbers


def test_marker_stands_after_the_words_before_it() -> None:
    text, markers = take_markers("One. [1] Two [2].")
    assert text == "One. Two."
    assert [text[: marker.at] for marker in markers] == ["One.", "One. Two"]


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("See ![x](https://collector.example/?q=1) here.", "See  here."),
        ("See [the rule](https://collector.example) here.", "See the rule here."),
        ("See <https://collector.example/?q=1>.", "See https://collector.example/?q=1."),
        ("See <img src=x onerror=alert(1)>here<br/>.", "See here."),
        ("a < b and c > d", "a < b and c > d"),
        ("**12 hours** and *never* __more__", "12 hours and never more"),
        ("2 * 3 * 4 and snake_case_name", "2 * 3 * 4 and snake_case_name"),
        ("# Title\n- one\n> two", "Title\none\ntwo"),
        ("Run `rm **x**` now", "Run `rm **x**` now"),
        ("```sh\n# no heading\n```", "```sh\n# no heading\n```"),
        ("ok\U000e0041\U000e0050 \u202egnp\u202c", "ok gnp"),
        ("a\r\nb\rc\x00", "a\nb\nc"),
    ],
)
def test_fc_68_answer_is_plain_text(answer: str, text: str) -> None:
    assert plain_text(answer) == text
