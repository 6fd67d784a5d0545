"""Ids of passages as callers see them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.chunk_ids import ChunkId, parse


@given(st.text(), st.text(), st.integers(0, 999_999_999))
def test_id_is_read_back_whatever_the_names_hold(bank: str, document: str, index: int) -> None:
    made = ChunkId(bank, document, index)
    assert parse(str(made)) == made


def test_plain_names_stay_readable() -> None:
    assert str(ChunkId("support", "notes/1", 2)) == "support_notes/1_2"
    assert str(ChunkId("a_b", "50%", 0)) == "a%5Fb_50%25_0"


@pytest.mark.parametrize(
    "text", ["", "a", "a_b", "a_b_c", "a_b_01", "a_b_-1", "a_b_c_1", "a%_b_1", "a_b%20_1", "a_b_1 "]
)
def test_what_no_chunk_is_called_is_none(text: str) -> None:
    assert parse(text) is None
