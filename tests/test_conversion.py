"""Files as pages of a corpus: what the converters take, make and refuse."""

from __future__ import annotations

import pytest

from kb.importing.conversion import PageConverter
from memory.backends.converters.fake import FakeConverter
from memory.errors import Unconvertible
from memory.seams import Converter
from memory.types import BlockKind


@pytest.mark.parametrize("converter", [PageConverter(), FakeConverter()])
def test_is_a_converter(converter: Converter) -> None:
    assert isinstance(converter, Converter)


@pytest.mark.parametrize(
    ("name", "accepted"),
    [("a.md", True), ("a/B.HTML", True), ("a.htm", True), ("a.png", False), ("README", False)],
)
def test_takes_markdown_and_html_by_their_names(name: str, accepted: bool) -> None:
    assert PageConverter().accepts(name) is accepted


def test_blocks_are_slices_of_the_text() -> None:
    made = PageConverter().convert("a.md", "# Töpfe 🙂\n\nEin Topf.\n".encode())
    assert made.title == "Töpfe 🙂"
    assert [(block.kind, made.text[block.start : block.end]) for block in made.blocks] == [
        (BlockKind.HEADING, "Töpfe 🙂"),
        (BlockKind.PARAGRAPH, "Ein Topf."),
    ]


@pytest.mark.parametrize(
    ("name", "source", "title", "language"),
    [
        ("a.md", "---\ntitle: T\nlang: de\n---\nWords.", "T", "de"),
        ("get-started.md", "Only words, and no title at all.", "Get started", "en"),
        ("docs/pods/index.html", "<p>Only words, and no title at all.</p>", "Pods", "en"),
        ("a.html", "<html lang=fr><title>Page</title><p>Des mots.</p>", "Page", "fr"),
        # Who may read a page of the knowledge base says nothing about a corpus.
        ("a.md", "---\nvisibility: nobody\ntitle: T\n---\nWords that are English.", "T", "en"),
    ],
)
def test_title_and_language(name: str, source: str, title: str, language: str) -> None:
    made = PageConverter().convert(name, source.encode())
    assert (made.title, made.language) == (title, language)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.md", b""),
        ("a.md", b"\x00\x01\x02" * 50),
        ("a.html", b"<script>all of it</script><p hidden>or hidden</p>"),
        ("a.png", b"words"),
    ],
)
def test_what_has_no_words_for_a_reader_is_refused(name: str, data: bytes) -> None:
    with pytest.raises(Unconvertible):
        PageConverter().convert(name, data)


def test_the_fake_reads_plain_text() -> None:
    made = FakeConverter().convert("a.txt", b"# Pods\n\nA pod is small.\n")
    assert (made.title, made.language) == ("Pods", "en")
    assert [made.text[block.start : block.end] for block in made.blocks] == [
        "Pods",
        "A pod is small.",
    ]
    for data in (b"", b"\xff\xfe"):
        with pytest.raises(Unconvertible):
            FakeConverter().convert("a.txt", data)
