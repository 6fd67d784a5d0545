from __future__ import annotations

import pytest

from config import env


@pytest.mark.parametrize(
    ("value", "expected"),
    [("1", True), ("true", True), ("ON", True), ("0", False), ("no", False), ("", True)],
)
def test_flag_reads_common_spellings(
    monkeypatch: pytest.MonkeyPatch, value: str, expected: bool
) -> None:
    monkeypatch.setenv("SOME_FLAG", value)
    assert env.flag("SOME_FLAG", default=True) is expected


def test_flag_that_is_neither_names_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_FLAG", "perhaps")
    with pytest.raises(env.BadVariable, match="SOME_FLAG='perhaps' is neither true nor false"):
        env.flag("SOME_FLAG")


def test_number_outside_its_range_names_the_range(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "70000")
    with pytest.raises(env.BadVariable, match="PORT=70000 is outside 1 to 65535"):
        env.number("PORT", 8000, low=1, high=65535)


def test_number_that_is_a_word_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "eighty")
    with pytest.raises(env.BadVariable, match="PORT='eighty' is not a whole number"):
        env.number("PORT", 8000)


def test_empty_variable_counts_as_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLM_TIMEOUT", " ")
    assert env.real("LLM_TIMEOUT", 60.0) == 60.0


def test_words_drop_spaces_and_empty_items(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALLOWED_HOSTS", " a.example, ,b.example ")
    assert env.words("ALLOWED_HOSTS") == ["a.example", "b.example"]
