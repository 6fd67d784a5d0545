from __future__ import annotations

import pytest

from kb.slugs import MAX_SLUG, slug_part, slug_path, without_index


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ("Over Time!", "over-time"),
        ("_index", "index"),
        ("Überstunden & Zulagen", "überstunden-zulagen"),
        ("हिन्दी पृष्ठ", "हिन्दी-पृष्ठ"),
        ("Ｆｕｌｌ　Ｗｉｄｔｈ", "full-width"),
        ("snake_case", "snake_case"),
        ("../..", ""),
        ("😀", ""),
    ],
)
def test_words_become_a_part_of_an_address(words: str, part: str) -> None:
    assert slug_part(words) == part
    assert slug_part(part) == part


def test_path_keeps_its_folders_and_drops_empty_parts() -> None:
    assert slug_path("/HR//Over Time/!/x.y") == "hr/over-time/xy"
    assert len(slug_path("long/" * 100)) <= MAX_SLUG
    assert not slug_path("long/" * 100).endswith("/")


@pytest.mark.parametrize(
    ("path", "page"),
    [
        ("hr/index", "hr"),
        ("hr/README", "hr"),
        ("a/b/_index", "a/b"),
        ("index", "index"),
        ("/index", "/index"),
        ("hr/indexes", "hr/indexes"),
    ],
)
def test_index_page_stands_for_its_folder(path: str, page: str) -> None:
    assert without_index(path) == page
