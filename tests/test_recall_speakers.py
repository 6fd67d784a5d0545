"""The one speaker whom a query names."""

from __future__ import annotations

import pytest

from memory.recall import speakers


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("What did Melanie paint?", "Melanie"),
        ("what did MELANIE's son paint", "Melanie"),
        ("Where does Caroline Smith live?", "Caroline Smith"),
        ("Where does Caroline live?", "Caroline Smith"),
        ("What did Melanie tell Caroline?", None),
        ("Who painted?", None),
        ("What is Melanieville?", None),
        ("", None),
    ],
)
def test_one_name_is_the_speakers_and_two_are_nobodys(query: str, expected: str | None) -> None:
    assert speakers.named(query, {"Melanie", "Caroline Smith", ""}) == expected


def test_names_are_compared_without_case_and_accents() -> None:
    assert speakers.named("Was sagte jorg?", {"Jörg"}) == "Jörg"
    assert speakers.named("Что сказала Анна?", {"Анна"}) == "Анна"
