"""Lines of ``mem`` on a terminal, and elsewhere."""

from __future__ import annotations

import io
from unittest.mock import patch

import pytest

from memory.mem.terminal import Terminal


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def wrapped(line: str, width: int) -> list[str]:
    return list(Terminal(width).wrapped(line, lead=0))


def test_a_pipe_gets_whole_lines_without_styles() -> None:
    pipe = Terminal.of(io.StringIO())
    assert list(pipe.wrapped("word " * 100, lead=5)) == ["word " * 100]
    assert pipe.strong("one") == pipe.faint("one") == "one"


def test_a_screen_gets_its_width_and_styles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "40")
    screen = Terminal.of(Screen())
    assert screen.width == 40
    assert screen.strong("one") == "\x1b[1mone\x1b[0m"


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_a_screen_that_wants_no_styles_gets_none(environment: dict[str, str]) -> None:
    with patch.dict("os.environ", environment):
        assert Terminal.of(Screen()).faint("one") == "one"


def test_lines_break_between_words_and_lose_only_white_space() -> None:
    line = "the proxy buffers requests over ten kilobytes and then it fails"
    parts = wrapped(line, 24)
    assert max(map(len, parts)) <= 24
    assert " ".join(parts) == line


def test_the_lead_is_part_of_the_width() -> None:
    parts = list(Terminal(30).wrapped("word " * 20, lead=10))
    assert max(map(len, parts)) <= 20


def test_a_word_longer_than_a_line_is_cut() -> None:
    parts = wrapped("x" * 50, 20)
    assert parts == ["x" * 20, "x" * 20, "x" * 10]


def test_wide_letters_take_two_columns() -> None:
    assert wrapped("漢" * 25, 20) == ["漢" * 10, "漢" * 10, "漢" * 5]


def test_an_empty_line_stays_one() -> None:
    assert wrapped("", 40) == [""]
