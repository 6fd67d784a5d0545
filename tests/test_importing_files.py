"""From files to a plan: encodings, archives that mean harm, front matter, addresses, images."""

from __future__ import annotations

import io
import os
import stat
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from kb.importing import front_matter, pictures
from kb.importing.decoding import Undecodable, decode
from kb.importing.drafts import read_draft
from kb.importing.front_matter import BadAudience, FrontMatter
from kb.importing.planning import MAX_PAGE, make_plan
from kb.importing.report import Outcome
from kb.models import Category, Status, Visibility
from memory import trees
from memory.trees import FileUnreadable, FolderTree, TreeUnreadable, ZipTree, open_tree

Files = Mapping[str, str | bytes]


def folder(root: Path, files: Files) -> FolderTree:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return FolderTree(root)


def archive(files: Files) -> io.BytesIO:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as out:
        for name, content in files.items():
            out.writestr(name, content)
    return buffer


def reasons(tree: FolderTree | ZipTree) -> dict[str, str]:
    return {report.path: report.reason for report in tree.refused}


# -- encodings ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"]
)
def test_text_is_read_whatever_unicode_form_it_has(encoding: str) -> None:
    assert decode("# Überstunden\r\n\nMaximum 12 hours\n".encode(encoding)) == (
        "# Überstunden\n\nMaximum 12 hours\n"
    )


def test_text_that_is_no_utf8_is_read_as_windows_then_latin_text() -> None:
    assert decode("“Überstunden” kosten 5 €".encode("cp1252")) == "“Überstunden” kosten 5 €"
    assert decode(b"caf\xe9 \x81") == "café \x81"


def test_declared_charset_counts_where_it_is_one_of_text() -> None:
    page = '<meta charset="windows-1251"><p>Сверхурочные</p>'
    assert decode(page.encode("cp1251")) == page
    assert decode(b'<meta charset="hex"><p>caf\xe9</p>') == '<meta charset="hex"><p>café</p>'


def test_fc_58_text_with_a_few_nuls_is_text_without_them() -> None:
    data = b"# Pumps\x00\n\nThe pump\x00 code is 55.\x00\n"
    assert decode(data) == "# Pumps\n\nThe pump code is 55.\n"


@pytest.mark.parametrize("data", [b"# A\x00\n\nb", b"a\x00\x00 b\x00"])
def test_fc_58_a_nul_does_not_make_a_short_text_a_program(data: bytes) -> None:
    assert decode(data) == data.decode().replace("\x00", "")


@pytest.mark.parametrize(
    "data", [b"PK\x03\x04\x00\x00\x00\x08", b"\x89PNG\r\n\x1a\n\x00\x00\x00\r"]
)
def test_bytes_that_are_no_text_are_refused(data: bytes) -> None:
    with pytest.raises(Undecodable):
        decode(data * 40)


# -- trees ----------------------------------------------------------------------------------------


def test_folder_tells_its_files_and_not_what_systems_leave_behind(tmp_path: Path) -> None:
    tree = folder(
        tmp_path,
        {"b/two.md": "2", "a.md": "1", ".git/config": "x", "b/.DS_Store": "x", "Thumbs.db": "x"},
    )
    assert tree.paths == ("a.md", "b/two.md")
    assert tree.refused == ()
    assert tree.read("b/two.md") == b"2"


def test_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("secret")
    root = tmp_path / "docs"
    folder(root, {"a.md": "1"})
    (root / "b.md").symlink_to(tmp_path / "secret.md")
    (root / "c").symlink_to(tmp_path)
    tree = FolderTree(root)
    assert tree.paths == ("a.md",)
    assert "Links are not followed" in reasons(tree)["b.md"]


def test_what_is_no_file_is_refused_unopened(tmp_path: Path) -> None:
    folder(tmp_path, {"a.md": "1"})
    os.mkfifo(tmp_path / "pipe.md")
    tree = FolderTree(tmp_path)
    assert tree.paths == ("a.md",)
    assert "not a file" in reasons(tree)["pipe.md"]


def test_a_pipe_is_no_archive(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.zip")
    with pytest.raises(TreeUnreadable, match="neither"), open_tree(tmp_path / "pipe.zip"):
        pass


def test_archive_is_read_below_the_folder_that_wraps_it() -> None:
    tree = ZipTree(
        archive({"docs-main/a.md": "1", "docs-main/hr/b.md": "2", "__MACOSX/._a.md": "x"})
    )
    assert tree.paths == ("a.md", "hr/b.md")
    assert tree.read("hr/b.md") == b"2"
    assert tree.refused == ()


@pytest.mark.parametrize(
    "name", ["../evil.md", "/etc/evil.md", "a/../../evil.md", "..\\evil.md", "C:\\evil.md"]
)
def test_path_that_leads_out_of_the_archive_is_refused(name: str) -> None:
    tree = ZipTree(archive({name: "x", "good.md": "1"}))
    assert tree.paths == ("good.md",)
    assert list(reasons(tree).values()) == ["Its path leads out of the tree."]


def test_name_that_cannot_be_an_address_is_refused(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"caf\xe9.md")).write_text("x")
    (tmp_path / "a\x01b.md").write_text("x")
    tree = folder(tmp_path, {"good.md": "1"})
    assert tree.paths == ("good.md",)
    assert reasons(tree) == {
        "a b.md": "Its name has characters that cannot be read.",
        "caf\ufffd.md": "Its name has characters that cannot be read.",
    }


def test_page_of_more_than_a_page_can_hold_is_refused_before_it_is_read_as_text(
    tmp_path: Path,
) -> None:
    plan = make_plan(folder(tmp_path, {"a.md": b"0" * (MAX_PAGE + 1), "b.md": b"0" * MAX_PAGE}))
    assert [page.path for page in plan.pages] == ["b.md"]
    assert "at most 500,000 characters" in plan.others[0].reason


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_links_and_doubles_in_an_archive_are_refused() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as out:
        link = zipfile.ZipInfo("link.md")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        out.writestr(link, "/etc/passwd")
        out.writestr("a.md", "first")
        out.writestr("a.md", "second")
        out.writestr("cafe\u0301.md", "apart")
        out.writestr("caf\u00e9.md", "together")
    tree = ZipTree(buffer)
    assert tree.paths == ("a.md", "caf\u00e9.md")
    assert tree.read("a.md") == b"first"
    assert sorted(reasons(tree)) == ["a.md", "caf\u00e9.md", "link.md"]


def test_archive_that_unpacks_to_too_much_is_refused_unread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bomb = archive({f"{n}.md": b"0" * 40_000 for n in range(4)})
    assert len(bomb.getvalue()) < 4_000
    monkeypatch.setattr(trees, "MAX_TOTAL", 100_000)
    with pytest.raises(TreeUnreadable, match="Unpacked"):
        ZipTree(bomb)


def test_archive_of_too_many_files_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trees, "MAX_FILES", 3)
    with pytest.raises(TreeUnreadable, match="more than 3 files"):
        ZipTree(archive({f"{n}.md": "x" for n in range(4)}))


def test_file_that_unpacks_to_too_much_is_refused_and_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(trees, "MAX_FILE", 10_000)
    tree = ZipTree(archive({"big.md": b"0" * 10_001, "good.md": "1"}))
    assert tree.paths == ("good.md",)
    assert "big.md" in reasons(tree)


def test_size_that_an_archive_lies_about_unpacks_no_further(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    buffer = archive({"big.md": b"0" * 10_001})
    tree = ZipTree(buffer)
    monkeypatch.setattr(trees, "MAX_FILE", 10_000)
    with pytest.raises(FileUnreadable):
        tree.read("big.md")


def test_encrypted_and_broken_files_are_told_apart_from_the_good_ones() -> None:
    buffer = archive({"good.md": "1" * 100, "broken.md": "2" * 100})
    data = bytearray(buffer.getvalue())
    at = data.index(b"broken.md") + len("broken.md")
    data[at : at + 4] = b"\xff\xff\xff\xff"
    tree = ZipTree(io.BytesIO(bytes(data)))
    assert tree.read("good.md") == b"1" * 100
    with pytest.raises(FileUnreadable, match="broken at this file"):
        tree.read("broken.md")
    encrypted = bytearray(archive({"a.md": "1"}).getvalue())
    encrypted[encrypted.index(b"PK\x01\x02") + 8] |= 1
    assert reasons(ZipTree(io.BytesIO(bytes(encrypted)))) == {"a.md": "It is encrypted."}


def test_what_is_no_archive_says_so() -> None:
    with pytest.raises(TreeUnreadable, match="no zip archive"):
        ZipTree(io.BytesIO(b"not a zip"))


# -- front matter ---------------------------------------------------------------------------------


def test_front_matter_becomes_fields() -> None:
    source = (
        "---\ntitle: 'Overtime: who pays'\nslug: hr/overtime\nlang: pt_BR\nstatus: published\n"
        "category: How-to\nvisibility: role_restricted\ngroups: [hr, legal]\n---\nText"
    )
    assert front_matter.of_markdown(source) == FrontMatter(
        title="Overtime: who pays",
        slug="hr/overtime",
        language="pt-br",
        status="published",
        category="how_to",
        visibility="role_restricted",
        groups=("hr", "legal"),
    )


@pytest.mark.parametrize(
    "header",
    ["status: Completed\ncategory: concept", "title: [", "- a list", "date: 2024-01-01\ntags: [a]"],
)
def test_words_that_mean_nothing_here_are_passed_over(header: str) -> None:
    assert front_matter.of_markdown(f"---\n{header}\n---\nText") == FrontMatter()


@pytest.mark.parametrize("header", ["draft: true", "published: false", "status: Draft"])
def test_draft_in_any_dialect_is_a_draft(header: str) -> None:
    assert front_matter.of_markdown(f"---\n{header}\n---\nText").status == "draft"


def test_groups_alone_restrict_a_page() -> None:
    front = front_matter.of_markdown("---\ngroups: hr, legal\n---\nText")
    assert (front.visibility, front.groups) == ("role_restricted", ("hr", "legal"))


@pytest.mark.parametrize("header", ["visibility: secret", "visibility: role_restricted"])
def test_page_whose_readers_cannot_be_told_is_refused(header: str) -> None:
    with pytest.raises(BadAudience):
        front_matter.of_markdown(f"---\n{header}\n---\nText")


def test_html_says_its_language() -> None:
    assert front_matter.of_html('<!DOCTYPE html><html dir="ltr" lang="gl">').language == "gl"


def test_vocabularies_are_those_of_the_models() -> None:
    assert set(Status.values) == front_matter.STATUSES
    assert set(Visibility.values) == front_matter.VISIBILITIES
    assert set(Category.values) == front_matter.CATEGORIES


# -- plans ----------------------------------------------------------------------------------------


def slugs(tree: FolderTree, **options: str) -> dict[str, str]:
    return {page.path: page.slug for page in make_plan(tree, **options).pages}


def test_path_is_the_address_and_an_index_file_is_its_folder(tmp_path: Path) -> None:
    tree = folder(
        tmp_path,
        {
            "HR/Over Time.md": "1",
            "HR/_index.md": "2",
            "it/README.md": "3",
            "it.md": "4",
            "index.md": "5",
            "हिन्दी/पृष्ठ.md": "6",
            "help.HTML": "7",
        },
    )
    assert slugs(tree) == {
        "HR/Over Time.md": "hr/over-time",
        "HR/_index.md": "hr",
        "it/README.md": "it/readme",
        "it.md": "it",
        "index.md": "index",
        "हिन्दी/पृष्ठ.md": "हिन्दी/पृष्ठ",
        "help.HTML": "help",
    }


def test_slug_of_the_file_takes_the_place_of_its_name_or_path(tmp_path: Path) -> None:
    tree = folder(
        tmp_path,
        {"hr/a.md": "---\nslug: Overtime\n---\n", "hr/b.md": "---\nslug: law/decree\n---\n"},
    )
    assert slugs(tree) == {"hr/a.md": "hr/overtime", "hr/b.md": "law/decree"}
    assert slugs(tree, under="old") == {"hr/a.md": "old/hr/overtime", "hr/b.md": "old/law/decree"}


def test_two_files_of_one_address_are_told_apart(tmp_path: Path) -> None:
    plan = make_plan(
        folder(tmp_path, {"a.md": "1", "a.html": "2", "b/index.md": "3", "b/README.md": "4"})
    )
    assert {page.path: page.slug for page in plan.pages} == {
        "a.html": "a",
        "b/README.md": "b",
        "b/index.md": "b/index",
    }
    assert [(one.path, one.outcome) for one in plan.others] == [("a.md", Outcome.FAILED)]
    assert "a.html" in plan.others[0].reason


def test_other_files_are_named_with_their_reason(tmp_path: Path) -> None:
    plan = make_plan(
        folder(tmp_path, {"a.png": b"\x89PNG", "notes.docx": "x", "b.md": b"\x00\x01\x02" * 50})
    )
    assert plan.images == {"a.png"}
    assert plan.pages == ()
    assert {one.path: one.outcome for one in plan.others} == {
        "notes.docx": Outcome.SKIPPED,
        "b.md": Outcome.FAILED,
    }


def test_last_resort_for_a_title_is_the_name_of_the_file(tmp_path: Path) -> None:
    tree = folder(tmp_path, {"hr/over_time-rules.md": "1", "it/index.md": "2"})
    assert [page.name for page in make_plan(tree).pages] == ["Over time rules", "It"]


# -- images ---------------------------------------------------------------------------------------


def replaced(source: str, *, is_html: bool = False) -> str:
    return pictures.replace_images(source, lambda at: f"/new/{at}", is_html=is_html)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('![A [b] pump](img/p.png "title")', '![A [b] pump](img/p.png "title")'),
        ("![A pump](img/p.png)", "![A pump](/new/img/p.png)"),
        ("![A pump](<p.png>)", "![A pump](</new/p.png>)"),
        ("[![a](p.png)](page.md)", "[![a](/new/p.png)](page.md)"),
        ("![a][p]\n\n[p]: p.png", "![a][p]\n\n[p]: /new/p.png"),
        ('<img alt="a" src="p.png">', '<img alt="a" src="/new/p.png">'),
        ("<IMG SRC=p.png>", "<IMG SRC=/new/p.png>"),
        ("`![a](p.png)`", "`![a](p.png)`"),
        ("```md\n![a](p.png)\n```\n![b](q.png)", "```md\n![a](p.png)\n```\n![b](/new/q.png)"),
        ("~~~\n![a](p.png)", "~~~\n![a](p.png)"),
    ],
)
def test_address_of_an_image_is_replaced_and_nothing_else(source: str, expected: str) -> None:
    assert replaced(source) == expected


def test_address_of_an_image_in_html_is_replaced() -> None:
    assert replaced("<pre>![a](p.png)</pre><img class='x' src='p.png'>", is_html=True) == (
        "<pre>![a](p.png)</pre><img class='x' src='/new/p.png'>"
    )


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("p.png", "docs/hr/p.png"),
        ("../logo.png", "docs/logo.png"),
        ("/assets/my%20logo.png?v=2", "assets/my logo.png"),
        ("/logo.png", "docs/logo.png"),
        ("https://example.org/p.png", None),
        ("../../../../etc/p.png", None),
        ("http://[x", None),
    ],
)
def test_image_is_found_beside_the_page_or_from_a_root_above(
    address: str, found: str | None
) -> None:
    images = {"docs/hr/p.png", "docs/logo.png", "assets/my logo.png"}
    assert pictures.find_image("docs/hr/overtime.md", address, images) == found


def test_digest_follows_text_fields_images_and_wish_to_publish(tmp_path: Path) -> None:
    def digest(files: Files, *, publish: bool = False) -> str:
        tree = folder(tmp_path, files)
        plan = make_plan(tree)
        return read_draft(tree, plan, plan.pages[0]).digest(publish=publish)

    first = digest({"a.md": "![x](p.png)", "p.png": b"1"})
    assert digest({"a.md": b"\xef\xbb\xbf![x](p.png)", "p.png": b"1"}) == first
    assert digest({"a.md": "![x](p.png)", "p.png": b"2"}) != first
    assert digest({"a.md": "![y](p.png)", "p.png": b"1"}) != first
    assert digest({"a.md": "![x](p.png)"}, publish=True) != digest({"a.md": "![x](p.png)"})
