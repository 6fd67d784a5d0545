from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.marking import ARRIVAL, MarkedSpan, mark_spans
from kb.rendering import SourceFormat, render

FC_05 = "Overtime **must not** exceed [12 hours](/kb/decree) per `week` for staff."


class _Reader(HTMLParser):
    """Reads text, marked text by footnote, and fails on tags that do not nest."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.marked: dict[int, str] = {}
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if "id" in attributes and str(attributes["id"]).startswith("cite"):
            self.ids.append(str(attributes["id"]))
        if tag not in ("br", "hr", "img"):
            self.open.append((tag, attributes))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        self.text += data
        for tag, attributes in self.open:
            if tag == "mark":
                for number in str(attributes["data-n"]).split():
                    self.marked[int(number)] = self.marked.get(int(number), "") + data


def read(html: str) -> _Reader:
    reader = _Reader()
    reader.feed(html)
    reader.close()
    assert reader.open == []
    return reader


def mark(source: str, *quotes: str) -> tuple[str, _Reader]:
    """Mark each quote at its first place. What is marked must not change the text."""
    page = render(source, SourceFormat.MARKDOWN)
    spans = [
        MarkedSpan(page.text.index(quote), page.text.index(quote) + len(quote), number)
        for number, quote in enumerate(quotes, start=1)
    ]
    html = mark_spans(page.html, spans)
    reader = read(html)
    assert reader.text == page.text
    return html, reader


def test_no_spans_leaves_html_untouched() -> None:
    assert mark_spans("<p>Text</p>", []) == "<p>Text</p>"


def test_fc_01_mark_after_an_emoji_equals_the_quote() -> None:
    quote = "Overtime is capped at 12 hours per week."
    source = f"- \N{E-MAIL SYMBOL} Ask the release desk for the overtime form.\n- {quote}\n"
    assert mark(source, quote)[1].marked == {1: quote}


def test_fc_02_marks_among_several_emoji_equal_their_quotes() -> None:
    quotes = ("Zone 4 opens at 07:00.", "Repairs end at 19:30 🌙 sharp.", "Zone 5 stays closed.")
    source = f"😀😀 {quotes[0]} 🛠️ {quotes[1]} {quotes[2]}\n"
    assert mark(source, *quotes)[1].marked == dict(enumerate(quotes, start=1))


def test_fc_03_mark_on_the_last_line_does_not_drift_with_line_ends() -> None:
    quote = "Night entry needs a badge and a code."
    lines = "\r\n\r\n".join(["The gate closes at 22:00.", "Guards walk at 23:00.", quote])
    assert mark(lines, quote)[1].marked == {1: quote}


@pytest.mark.parametrize(
    "quote",
    [
        "git diff origin/main...",
        "Notes from R&D are in *draft* form.",
        "The cap is 5 < x < 9 units.",
    ],
)
def test_fc_04_marks_read_as_rendered_not_as_written(quote: str) -> None:
    source = (
        "Run `git diff origin/main...` first. Notes from R&amp;D are in \\*draft\\* form."
        " The cap is 5 &lt; x &lt; 9 units.\n"
    )
    assert mark(source, quote)[1].marked == {1: quote}


def test_fc_05_quote_across_bold_link_and_code_is_marked_in_pieces() -> None:
    html, reader = mark(FC_05, "Overtime must not exceed 12 hours per week for staff.")
    assert reader.marked == {1: "Overtime must not exceed 12 hours per week for staff."}
    assert re.search(
        r'<a href="/kb/decree"[^>]*><mark class="cite" data-n="1">12 hours</mark></a>', html
    )
    assert html.count('id="cite-1"') == 1
    assert html.count('data-ends="1"') == 1


def test_fc_06_second_of_two_equal_sentences_is_marked() -> None:
    sentence = "The fee is 20 euros."
    page = render(f"## Students\n\n{sentence}\n\n## Adults\n\n{sentence}\n", SourceFormat.MARKDOWN)
    start = page.text.rindex(sentence)
    html = mark_spans(page.html, [MarkedSpan(start, start + len(sentence), 1)])
    students, adults = html.split("Adults")
    assert "<mark" not in students
    assert read(adults.partition("</h2>")[2]).marked == {1: sentence}


def test_table_row_is_marked_by_cells_and_never_between_them() -> None:
    source = "| When | Rate |\n|---|---|\n| Night | 130 % |\n"
    html, reader = mark(source, "Night\t130 %")
    assert reader.marked == {1: "Night130 %"}
    assert re.search(r"</td>\t<td>", html)


def test_quote_over_two_blocks_leaves_the_break_bare() -> None:
    html, reader = mark("First part.\n\nSecond part.\n", "part.\nSecond")
    assert reader.marked == {1: "part.Second"}
    assert "</p>\n<p" in html


def test_overlapping_citations_share_one_piece_that_names_both() -> None:
    html, reader = mark("Alpha beta gamma delta.", "Alpha beta gamma", "beta gamma delta.")
    assert reader.marked == {1: "Alpha beta gamma", 2: "beta gamma delta."}
    assert 'data-n="1 2" data-ends="1">beta gamma</mark>' in html
    assert reader.ids == ["cite-1", "cite-2"]


def test_citations_that_begin_together_both_keep_a_target() -> None:
    _, reader = mark("Alpha beta gamma.", "Alpha", "Alpha beta")
    assert sorted(reader.ids) == ["cite-1", "cite-2"]


def test_arrival_is_marked_without_a_number() -> None:
    html = mark_spans("<p>Some words</p>", [MarkedSpan(5, 10, ARRIVAL)])
    assert html == '<p>Some <mark class="cite" id="cite" data-n="0">words</mark></p>'


def test_code_block_is_marked_over_its_lines() -> None:
    _, reader = mark("```sh\n\nmake build\nmake run\n```\n", "make build\nmake run")
    assert reader.marked == {1: "make build\nmake run"}


def test_span_past_the_end_of_the_page_marks_what_is_there() -> None:
    assert read(mark_spans("<p>Text</p>", [MarkedSpan(2, 99, 1)])).marked == {1: "xt"}


@pytest.mark.parametrize("span", [MarkedSpan(3, 3, 1), MarkedSpan(4, 2, 1), MarkedSpan(-2, 2, 1)])
def test_impossible_span_marks_nothing(span: MarkedSpan) -> None:
    assert mark_spans("<p>Text</p>", [span]) == "<p>Text</p>"


PARTS = [*"ab *_`[]()&<>#-|\n0", "😀", "é", "漢", "م", "&amp;", "**", "\n\n", "[x](/y)", "```\n"]
SOURCES = st.lists(st.sampled_from(PARTS), max_size=80).map("".join)


@given(SOURCES, st.lists(st.tuples(st.integers(0, 80), st.integers(1, 40)), max_size=4))
def test_marking_never_changes_text_and_marks_exact_slices(
    source: str, spans: list[tuple[int, int]]
) -> None:
    page = render(source, SourceFormat.MARKDOWN)
    wanted = [
        MarkedSpan(start, min(start + length, len(page.text)), number)
        for number, (start, length) in enumerate(spans, start=1)
    ]
    html = mark_spans(page.html, wanted)
    reader = read(html)
    assert reader.text == unescape(re.sub(r"<[^>]*>", "", page.html))
    for span in wanted:
        if span.start < span.end:
            marked = "".join(reader.marked.get(span.number, "").split())
            assert marked == "".join(page.text[span.start : span.end].split())
