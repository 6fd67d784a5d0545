from __future__ import annotations

import random
from itertools import pairwise

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from kb.rendering import Rendered, SourceFormat, render
from memory.chunking import (
    MAX_TOKENS,
    MIN_TOKENS,
    PASSAGES,
    SECTIONS,
    Cutting,
    chunk,
    heading_path,
    table_row,
)
from memory.chunking.oversize import cut
from memory.language.tokens import count_tokens
from memory.types import Block, BlockKind, ChunkSpan


def words(text: str) -> int:
    return len(text.split())


def chunked(source: str) -> tuple[Rendered, tuple[ChunkSpan, ...], list[str]]:
    page = render(source, SourceFormat.MARKDOWN)
    chunks = chunk(page.text, page.blocks, count_tokens)
    assert_sound(page.text, chunks)
    return page, chunks, [page.text[c.char_start : c.char_end] for c in chunks]


def assert_sound(text: str, chunks: tuple[ChunkSpan, ...]) -> None:
    """What holds for the chunks of any page."""
    position = 0
    for number, piece in enumerate(chunks):
        assert piece.ordinal == number
        assert not text[position : piece.char_start].strip()
        assert position <= piece.char_start < piece.char_end
        own = text[piece.char_start : piece.char_end]
        assert own.strip()
        assert piece.token_count == count_tokens(own) <= MAX_TOKENS
        position = piece.char_end
    assert not text[position:].strip()


def prose(count: int, seed: int = 1) -> str:
    source = random.Random(seed)
    names = "pump valve hall shift belt crane store gate lift panel route order batch".split()
    return " ".join(source.choice(names) for _ in range(count)).capitalize() + "."


# -- size -------------------------------------------------------------------------------------------


def test_short_page_is_one_chunk() -> None:
    _, chunks, texts = chunked("# Pay\n\nThe fee is 20 euros.\n\n## When\n\nOn Friday.")
    assert texts == ["Pay\nThe fee is 20 euros.\nWhen\nOn Friday."]
    assert chunks[0].heading_path == ("Pay",)
    assert chunks[0].kind is BlockKind.PARAGRAPH


def test_page_without_text_has_no_chunk() -> None:
    assert chunk("", (), count_tokens) == ()
    assert chunk(" \n\u2003\n", (), count_tokens) == ()


def test_long_page_is_cut_into_chunks_of_the_wanted_size() -> None:
    source = "\n\n".join(prose(60, seed) for seed in range(60))
    _, chunks, _ = chunked(source)
    assert all(MIN_TOKENS <= c.token_count <= MAX_TOKENS for c in chunks)
    assert len(chunks) >= 8


def test_chunks_are_about_even_rather_than_full_with_a_small_rest() -> None:
    _, chunks, _ = chunked("\n\n".join(prose(55, seed) for seed in range(11)))
    assert [c.token_count >= MIN_TOKENS for c in chunks] == [True, True]


# -- where a page is cut ------------------------------------------------------------------------------


def test_page_is_cut_before_headings_where_it_can_be() -> None:
    source = "\n\n".join(f"## Part {n}\n\n{prose(160, n)}\n\n{prose(160, n + 9)}" for n in range(5))
    _, chunks, texts = chunked(source)
    assert [text.split("\n")[0] for text in texts] == [f"Part {n}" for n in range(5)]
    assert [c.heading_path for c in chunks] == [(f"Part {n}",) for n in range(5)]


def test_heading_is_never_the_end_of_a_chunk() -> None:
    for size in range(200, 420, 7):
        _, _, texts = chunked(f"{prose(size)}\n\n# Pay\n\n## Rates\n\n{prose(350)}")
        assert not any(text.endswith(("Pay", "Rates")) for text in texts)


def test_long_paragraph_under_headings_is_cut_to_leave_room_for_them() -> None:
    _, chunks, texts = chunked(f"# Pay\n\n## Rates of the night shift\n\n{prose(900)}")
    assert chunks[0].token_count > MAX_TOKENS - 20
    assert regex.match(r"Pay\nRates of the night shift\n\w+ \w+", texts[0])
    assert {c.heading_path for c in chunks} == {("Pay", "Rates of the night shift")}


def test_item_stays_whole_with_its_paragraphs_and_code() -> None:
    item = f"- {prose(50, 1)}\n\n  {prose(50, 2)}\n\n  ```\n  {prose(20, 3)}\n  ```\n"
    page, _, texts = chunked(item * 12)
    firsts = [
        page.text[b.start : b.start + 12] for b in page.blocks if b.kind is BlockKind.LIST_ITEM
    ]
    assert all(text[:12] in firsts for text in texts)


def test_fc_60_table_is_cut_between_rows_and_each_piece_has_the_column_names() -> None:
    rows = "".join(f"| V-{n:03} | L{n % 7} | {n % 13} bar |\n" for n in range(1, 121))
    page, chunks, texts = chunked(
        f"# Valves\n\nAll of hall 2.\n\n| Valve | Line | Max pressure |\n|---|---|---|\n{rows}\nEnd.\n"
    )
    assert len(chunks) > 2
    for piece, text in zip(chunks[1:], texts[1:], strict=True):
        assert regex.match(r"V-\d{3}\tL\d\t\d+ bar\n", text)
        assert piece.header is not None
        assert page.text[slice(*piece.header)] == "Valve\tLine\tMax pressure"
    for text in texts:
        assert text.endswith((" bar", "End."))
    assert chunks[0].header is None  # it has the header row itself
    assert "Valve\tLine\tMax pressure\nV-001" in texts[0]


def test_fc_61_fence_is_whole_and_its_comment_no_heading() -> None:
    fence = "```python\n# a comment\n" + "print('x')\n" * 60 + "```"
    page, chunks, texts = chunked(f"# Setup\n\n{prose(200)}\n\n{fence}\n\n# Next\n\n{prose(200)}")
    code = next(b for b in page.blocks if b.kind is BlockKind.CODE)
    assert sum(page.text[code.start : code.end] in text for text in texts) == 1
    assert {title for c in chunks for title in c.heading_path} == {"Setup", "Next"}


def test_code_over_the_limit_is_cut_at_line_ends() -> None:
    lines = [f"value_{n} = compute({n}, {n * 7})" for n in range(200)]
    _, chunks, texts = chunked("```\n" + "\n".join(lines) + "\n```")
    assert "\n".join(texts).split("\n") == lines
    assert all(c.kind is BlockKind.CODE for c in chunks)


def test_paragraph_over_the_limit_is_cut_at_sentence_ends() -> None:
    _, _, texts = chunked(" ".join(prose(40, n) for n in range(40)))
    assert len(texts) > 2
    assert all(text.endswith(".") for text in texts)


@pytest.mark.parametrize("mark", ["。", "؟ ", "। ", "！"])
def test_sentences_end_in_any_script(mark: str) -> None:
    _, _, texts = chunked(("報告 書を毎 月出す" * 6 + mark) * 40)
    assert all(text.endswith(mark.strip()) for text in texts)


# -- runs without a gap -------------------------------------------------------------------------------

RUNS = {
    "chinese": "".join(
        chr(random.Random(1).randint(0x4E00, 0x9FA5) + n % 89) for n in range(6_000)
    ),
    "thai": "พนักงานต้องส่งใบเสร็จภายในสิ้นเดือนที่น้ำอยู่" * 130,
    "address": "https://example.test/" + "54c8d585f9" * 900,
    "families": "👨‍👩‍👧‍👦" * 400,
}


@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS.keys())
def test_fc_62_run_without_spaces_is_cut_at_grapheme_ends_and_joins_again(run: str) -> None:
    page, chunks, texts = chunked(run)
    assert "".join(texts) == page.text == run
    ends = {m.end() for m in regex.finditer(r"\X", page.text)}
    assert all(c.char_end in ends for c in chunks)
    assert all(c.token_count >= MIN_TOKENS for c in chunks[:-1])


def test_letter_under_a_thousand_marks_is_cut_all_the_same() -> None:
    chunked("a" + "\u0301" * 3_000)


def test_fc_63_empty_sections_make_no_blank_chunk() -> None:
    _, chunks, texts = chunked("# A\n\n\n## B\n\n\n\n## C\ntext")
    assert texts == ["A\nB\nC\ntext"]
    assert chunks[0].heading_path == ("A", "C")


def test_page_of_headings_alone_is_chunked() -> None:
    _, chunks, texts = chunked("# A\n\n## B\n")
    assert texts == ["A\nB"]
    assert chunks[0].kind is BlockKind.HEADING
    assert chunks[0].heading_path == ("A", "B")


def test_heading_over_the_limit_is_cut() -> None:
    chunked("# " + prose(1_200))


def test_fc_07_chunks_do_not_overlap() -> None:
    _, chunks, _ = chunked("\n\n".join(prose(90, n) for n in range(20)))
    assert all(one.char_end < two.char_start for one, two in pairwise(chunks))


# -- plain text and paths -----------------------------------------------------------------------------


def test_plain_text_without_blocks_is_taken_line_by_line() -> None:
    text = "\n".join(prose(80, n) for n in range(12))
    chunks = chunk(text, (), count_tokens)
    assert_sound(text, chunks)
    assert all(text[c.char_start : c.char_end].endswith(".") for c in chunks)


def test_text_between_blocks_is_not_lost() -> None:
    text = "one\ntwo\nthree"
    chunks = chunk(text, (Block(BlockKind.PARAGRAPH, 4, 7),), count_tokens)
    assert [text[c.char_start : c.char_end] for c in chunks] == [text]


def test_heading_path_is_that_of_the_place() -> None:
    page = render("# A\n\nx\n\n## B\n\ny\n\n# C\n\nz", SourceFormat.MARKDOWN)

    def path(word: str) -> tuple[str, ...]:
        return heading_path(page.text, page.blocks, page.text.index(word))

    assert path("x") == ("A",)
    assert path("y") == ("A", "B")
    assert path("z") == ("C",)
    assert path("B") == ("A", "B")


@pytest.mark.parametrize(
    ("word", "row"),
    [("Day", None), ("Sunday", 1), ("150", 1), ("Night", 2), ("between", None), ("Monday", 1)],
)
def test_fc_78_row_is_counted_below_the_header_of_its_own_table(word: str, row: int | None) -> None:
    source = (
        "| Day | Rate |\n|---|---|\n| Sunday | 150 |\n| Night | 130 |\n\nbetween\n\n"
        "| Shift | Rate |\n|---|---|\n| Monday | 100 |\n"
    )
    page = render(source, SourceFormat.MARKDOWN)
    assert table_row(page.blocks, page.text.index(word)) == row


SECTIONED = """# Proxy

A module for requests that go elsewhere.

## Buffering

Switches the buffering of replies on or off.

## Tiny

x

## Small

y
"""


def test_sections_follow_the_headings_however_short_they_are() -> None:
    page = render(SECTIONED, SourceFormat.MARKDOWN)
    found = chunk(page.text, page.blocks, count_tokens, SECTIONS)
    assert [span.heading_path for span in found[:2]] == [("Proxy",), ("Proxy", "Buffering")]
    assert len(chunk(page.text, page.blocks, count_tokens)) == 1


def test_what_is_next_to_nothing_joins_and_stands_under_the_headings_of_all() -> None:
    page = render(SECTIONED, SourceFormat.MARKDOWN)
    last = chunk(page.text, page.blocks, count_tokens, SECTIONS)[-1]
    assert page.text[last.char_start : last.char_end] == "Tiny\nx\nSmall\ny"
    assert last.heading_path == ("Proxy",)


# -- always -------------------------------------------------------------------------------------------

BLOCKS = st.lists(
    st.tuples(
        st.sampled_from(BlockKind),
        st.integers(0, 6),
        st.text("ab .\n漢ก็\u0301😀\u00a0!", max_size=30),
        st.integers(1, 400),
    ),
    max_size=12,
)


@settings(max_examples=150, deadline=None)
@given(BLOCKS, st.sampled_from([PASSAGES, SECTIONS]))
def test_any_blocks_are_covered_by_sound_chunks(
    drawn: list[tuple[BlockKind, int, str, int]], cutting: Cutting
) -> None:
    text, blocks = "", []
    for kind, level, piece, times in drawn:
        body = piece * times
        blocks.append(Block(kind, len(text), len(text) + len(body), level))
        text += body + "\n"
    assert_sound(text, chunk(text, blocks, count_tokens, cutting))


@given(st.text(max_size=200), st.integers(1, 12))
def test_any_text_is_cut_within_the_limit(text: str, limit: int) -> None:
    position = 0
    for start, end in cut(text, 0, len(text), limit, words):
        assert not text[position:start].strip()
        assert text[start:end].strip()
        assert words(text[start:end]) <= limit
        position = end
    assert not text[position:].strip()
