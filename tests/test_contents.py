from __future__ import annotations

from kb.contents import Entry, contents
from kb.rendering import render


def of(source: str, **options: bool) -> list[tuple[int, str, str]]:
    entries = contents(render(source, "markdown").html, **options)
    return [(entry.depth, entry.title, entry.anchor) for entry in entries]


def test_fewer_than_three_headings_need_no_contents() -> None:
    assert of("# A\n\n## B\n\ntext") == []


def test_headings_are_listed_with_their_depth_and_anchor() -> None:
    assert of("## A\n\n#### *B* & C\n\n## A\n\n### D") == [
        (1, "A", "hd-a"),
        (2, "B & C", "hd-b-c"),
        (1, "A", "hd-a-2"),
        (2, "D", "hd-d"),
    ]


def test_title_of_the_page_is_left_out_and_depths_begin_at_one() -> None:
    assert of("# Title\n\n## A\n\n### B", skip_first=True) == [(1, "A", "hd-a"), (2, "B", "hd-b")]


def test_heading_in_a_code_block_is_none() -> None:
    assert of("```\n<h2 id='x'>no</h2>\n```\n\n# A\n\n# B") == []


def test_entry_is_plain_text() -> None:
    assert contents('<h2 id="hd-a"><code>&lt;b&gt;</code></h2>' * 3)[0] == Entry("<b>", "hd-a", 1)
