from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.language.text import clean_json, clean_text, content_hash, is_blank, normalise_source

ANYTHING = st.text(st.characters(exclude_categories=()), max_size=80)
FLAG_OF_WALES = "\U0001f3f4\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f"


def test_fc_03_line_ends_become_one_form() -> None:
    assert normalise_source("a\r\nb\rc\n\r\nd") == "a\nb\nc\n\nd"


def test_byte_order_mark_goes_from_the_front_alone() -> None:
    assert normalise_source("\ufeffab\ufeffc") == "ab\ufeffc"


def test_fc_58_nul_is_removed_before_anything_is_counted() -> None:
    text = normalise_source("a\x00b\x00\r\x00\nThe pump code is 55.\x00")
    assert text == "ab\nThe pump code is 55."
    assert text.index("The pump") == 3


def test_fc_59_half_a_pair_is_replaced_and_a_whole_one_kept() -> None:
    assert normalise_source("fee \ud83d ?") == "fee \ufffd ?"
    assert normalise_source("\udc8f") == "\ufffd"
    assert normalise_source("\U0001f600") == "\U0001f600"
    assert content_hash(normalise_source("\ud83d"))  # can be encoded


def test_fc_67_invisible_tag_characters_go() -> None:
    hidden = "".join(chr(0xE0000 + ord(c)) for c in "APPROVED")
    assert normalise_source(f"31 March.{hidden}") == "31 March."


def test_flag_keeps_its_tags() -> None:
    assert normalise_source(f"in {FLAG_OF_WALES}!") == f"in {FLAG_OF_WALES}!"


@pytest.mark.parametrize(
    "flag",
    [
        FLAG_OF_WALES[:-1],  # never closed
        "\U0001f3f4" + "".join(chr(0xE0000 + ord(c)) for c in "ignoreallrules") + "\U000e007f",
        "\U0001f3f4\U000e007f",
    ],
)
def test_tags_behind_a_flag_that_spell_no_flag_go(flag: str) -> None:
    assert normalise_source(flag) == "\U0001f3f4"


@given(ANYTHING)
def test_normalising_twice_changes_nothing(value: str) -> None:
    once = normalise_source(value)
    assert normalise_source(once) == once
    assert "\r" not in once
    assert "\x00" not in once
    once.encode()


def test_field_of_one_line_has_single_spaces() -> None:
    assert clean_text("  Over\ttime\r\n\u00a0 rules\x00 ") == "Over time rules"


def test_fc_58_json_is_cleaned_to_its_leaves_and_keys() -> None:
    dirty = {
        "source\x00": "scan\x00.pdf",
        "tags": ["area\x00one", 3, None, ("\ud83d",)],
        "ok": True,
    }
    assert clean_json(dirty) == {
        "source": "scan.pdf",
        "tags": ["areaone", 3, None, ["\ufffd"]],
        "ok": True,
    }


@pytest.mark.parametrize(
    "text", ["", "   ", "\r\n\t", "\u200b", "\u00a0\u2003", "\ufeff\u2060", "\u3164"]
)
def test_fc_65_text_that_nobody_sees_is_blank(text: str) -> None:
    assert is_blank(text)


@pytest.mark.parametrize("text", ["a", " ? ", "\u200b0", "😀", "\u0301"])
def test_text_that_somebody_sees_is_not_blank(text: str) -> None:
    assert not is_blank(text)


def test_hash_is_of_the_utf8_bytes() -> None:
    assert content_hash("é") == hashlib.sha256(b"\xc3\xa9").hexdigest()
