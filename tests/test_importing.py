"""Trees become pages: links both ways, images, versions, resuming, and what is left alone."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext
from PIL import Image

from kb import access, intake
from kb.errors import PageNotFound
from kb.importing.applying import Import, ImportOptions
from kb.importing.report import FileReport
from kb.importing.trees import FolderTree
from kb.intake import PageFields
from kb.models import Attachment, Doc, DocLink, ImportedFile, Revision, Status
from kb.rendering import outline
from memory import tenancy
from memory.models import Membership, Node
from tests.factories import Org, edit_page, make_org, make_page

pytestmark = pytest.mark.django_db

Files = Mapping[str, str | bytes]


def png(colour: str = "red") -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (3, 2), colour).save(out, "PNG")
    return out.getvalue()


def write(root: Path, files: Files) -> None:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def run(member: Membership, root: Path, **options: Any) -> dict[str, FileReport]:
    given = ImportOptions(**({"origin": "docs", "publish": True, "enqueue": False} | options))
    return {one.path: one for one in Import(member, FolderTree(root), given).files()}


def outcomes(reports: Mapping[str, FileReport]) -> dict[str, str]:
    return {path: report.outcome.value for path, report in reports.items()}


def page(org: Org, slug: str) -> Doc:
    with tenancy.scope(org.tenant.pk):
        return Doc.objects.select_related("head_revision", "published_revision").get(
            slug=slug, deleted_at=None
        )


def links(org: Org, slug: str) -> dict[str, str | None]:
    with tenancy.scope(org.tenant.pk):
        found = DocLink.objects.filter(source__slug=slug, source__deleted_at=None)
        return dict(found.values_list("href", "target__slug"))


# -- pages and links ------------------------------------------------------------------------------


def test_tree_becomes_pages_with_their_fields(tmp_path: Path) -> None:
    org = make_org()
    write(
        tmp_path,
        {
            "hr/Over Time.md": "# Overtime\n\nAt most 12 hours in a week.",
            "hr/secret.md": "---\ntitle: Bonus\ngroups: [hr]\ncategory: policy\n---\nThe bonus is 5.",
            "help.html": '<html lang="gl"><title>Axuda</title><body><p>O texto.</p></body></html>',
            "draft.md": "---\ndraft: true\n---\nNot yet written, nobody may read it.",
        },
    )
    assert set(outcomes(run(org.editor, tmp_path)).values()) == {"added"}
    overtime, secret = page(org, "hr/over-time"), page(org, "hr/secret")
    assert (overtime.title, overtime.language, overtime.status) == ("Overtime", "en", "published")
    assert overtime.owner_id == org.editor.user_id
    assert (secret.title, secret.visibility, secret.allowed_groups, secret.category) == (
        "Bonus",
        "role_restricted",
        ["hr"],
        "policy",
    )
    axuda, draft = page(org, "help"), page(org, "draft")
    assert (axuda.title, axuda.language) == ("Axuda", "gl")
    assert axuda.head_revision is not None
    assert (axuda.head_revision.source_format, axuda.head_revision.text) == ("html", "O texto.")
    assert (draft.title, draft.status, draft.published_revision) == ("Draft", Status.DRAFT, None)


def test_pages_are_drafts_unless_they_are_to_be_published(tmp_path: Path) -> None:
    org = make_org()
    write(tmp_path, {"a.md": "Words."})
    run(org.editor, tmp_path, publish=False)
    assert page(org, "a").status == Status.DRAFT
    assert outcomes(run(org.editor, tmp_path, publish=True)) == {"a.md": "changed"}
    assert page(org, "a").published_revision is not None


def test_links_lead_both_ways_whatever_the_order_and_the_writing(tmp_path: Path) -> None:
    org = make_org()
    write(
        tmp_path,
        {
            "a/first.md": "[s](../b/second.md#top) [s](/b/second/) [s](../../b/second/) [[Second one]]"
            " [i](../b/) [x](gone.md)",
            "b/second.md": "# Second one\n\n[back](../a/first.md) [near](third.html) [near](Third)",
            "b/third.html": '<p>Third.</p><a href="second.md">up</a> <a href="/a/first">f</a>',
            "b/index.md": "# All of b\n\n[s](second.md)",
        },
    )
    run(org.editor, tmp_path)
    assert links(org, "a/first") == {
        "../b/second.md#top": "b/second",
        "/b/second/": "b/second",
        "../../b/second/": "b/second",
        "wiki:Second one": "b/second",
        "../b/": "b",
        "gone.md": None,
    }
    assert links(org, "b/second") == {
        "../a/first.md": "a/first",
        "third.html": "b/third",
        "Third": "b/third",
    }
    assert links(org, "b/third") == {"second.md": "b/second", "/a/first": "a/first"}


def test_nearer_page_that_comes_later_takes_the_link(tmp_path: Path) -> None:
    org = make_org()
    make_page(org, "The general rules.", slug="z-rules")
    write(tmp_path, {"hr/a.md": "[rules](z-rules.md)"})
    run(org.editor, tmp_path)
    assert links(org, "hr/a") == {"z-rules.md": "z-rules"}
    write(tmp_path, {"hr/z-rules.md": "The rules of HR."})
    run(org.editor, tmp_path)
    assert links(org, "hr/a") == {"z-rules.md": "hr/z-rules"}


def test_rooted_link_in_a_translation_leads_to_its_own_language_or_home(tmp_path: Path) -> None:
    org = make_org()
    write(
        tmp_path,
        {
            "content/en/pod.md": "A pod. [n](/node/)",
            "content/en/node.md": "A node.",
            "content/de/pod.md": "Ein Pod. [n](/de/node/) [e](/node/)",
            "content/de/node.md": "Ein Knoten.",
        },
    )
    run(org.editor, tmp_path)
    assert links(org, "content/en/pod") == {"/node/": "content/en/node"}
    assert links(org, "content/de/pod") == {
        "/de/node/": "content/de/node",
        "/node/": "content/en/node",
    }


def test_cost_of_a_page_does_not_grow_with_the_links_that_wait(tmp_path: Path) -> None:
    def queries(wanted: int) -> int:
        org = make_org()
        root = tmp_path / str(wanted)
        many = " ".join(f"[x](wanted-{n}.md) [[Wanted title {n}]]" for n in range(wanted))
        write(root, {"a.md": many, "b.md": many})
        with CaptureQueriesContext(connection) as before:
            run(org.editor, root)
        write(root, {"wanted-1.md": "# Wanted title 1"})
        with CaptureQueriesContext(connection) as after:
            run(org.editor, root)
        with tenancy.scope(org.tenant.pk):
            resolved = DocLink.objects.filter(target__slug="wanted-1")
            assert sorted(resolved.values_list("source__slug", flat=True)) == ["a", "a", "b", "b"]
            assert DocLink.objects.filter(target=None).count() == 4 * wanted - 4
        return len(before) + len(after)

    assert queries(200) == queries(2)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
def test_offsets_hold_whatever_the_file_was_written_in(tmp_path: Path, encoding: str) -> None:
    org = make_org()
    source = "# Überstunden\r\n\r\nHöchstens 12 Stunden.\r\n\r\n| a | b |\n|---|---|\n| 1 | é |\n"
    write(tmp_path, {"a.md": source.encode(encoding)})
    assert outcomes(run(org.editor, tmp_path)) == {"a.md": "added"}
    with tenancy.scope(org.tenant.pk):
        revision = Revision.objects.get(doc=page(org, "a"))
        assert outline(revision.html)[0] == revision.text
        assert "Höchstens 12 Stunden." in revision.text
        for node in Node.objects.all():
            assert revision.text[node.char_start : node.char_end] == node.text


# -- images ---------------------------------------------------------------------------------------


def test_image_comes_along_under_an_address_of_its_page(tmp_path: Path) -> None:
    org = make_org()
    write(
        tmp_path,
        {
            "hr/a.md": "![A pump](img/pump.png) ![again](/hr/img/pump.png) ![no](gone.png)",
            "hr/img/pump.png": png(),
            "b.html": '<p>B</p><img src="hr/img/pump.png" alt="A pump">',
            "unused.png": png("blue"),
        },
    )
    reports = run(org.editor, tmp_path)
    assert outcomes(reports) == {"hr/a.md": "added", "b.html": "added", "unused.png": "skipped"}
    with tenancy.scope(org.tenant.pk):
        images = {image.doc_id: image for image in Attachment.objects.all()}
        assert len(images) == 2  # one for each page: whoever may see the page may see its image
        doc = page(org, "hr/a")
        image = images[doc.pk]
        assert (image.media_type, image.width, image.height) == ("image/png", 3, 2)
        address = f"/{org.tenant.slug}/files/{image.pk}/"
        assert doc.head_revision is not None
        assert doc.head_revision.source.count(address) == 2
        assert "gone.png" in doc.head_revision.source
        assert f'src="{address}' in doc.head_revision.html


def test_file_that_is_no_image_fails_and_not_its_page(tmp_path: Path) -> None:
    org = make_org()
    write(tmp_path, {"a.md": "The page. ![x](x.png)", "x.png": b"<svg onload=alert(1)>"})
    reports = run(org.editor, tmp_path)
    assert outcomes(reports) == {"a.md": "added", "x.png": "failed"}
    assert "no image" in reports["x.png"].reason
    with tenancy.scope(org.tenant.pk):
        assert not Attachment.objects.exists()


def test_changed_page_keeps_the_image_that_did_not_change(tmp_path: Path) -> None:
    org = make_org()
    write(tmp_path, {"a.md": "One. ![x](x.png)", "x.png": png()})
    run(org.editor, tmp_path)
    write(tmp_path, {"a.md": "Two. ![x](x.png)"})
    assert outcomes(run(org.editor, tmp_path)) == {"a.md": "changed"}
    with tenancy.scope(org.tenant.pk):
        assert Attachment.objects.count() == 1
    write(tmp_path, {"x.png": png("blue")})
    assert outcomes(run(org.editor, tmp_path)) == {"a.md": "changed"}
    with tenancy.scope(org.tenant.pk):
        assert Attachment.objects.count() == 2


# -- again ----------------------------------------------------------------------------------------


def test_second_import_writes_nothing(tmp_path: Path, django_assert_max_num_queries: Any) -> None:
    org = make_org()
    write(tmp_path, {"a.md": "One. ![x](x.png) [b](b.md)", "b.md": "Two.", "x.png": png()})
    run(org.editor, tmp_path)
    with django_assert_max_num_queries(12):
        assert set(outcomes(run(org.editor, tmp_path)).values()) == {"unchanged"}
    with tenancy.scope(org.tenant.pk):
        assert (Doc.objects.count(), Revision.objects.count()) == (2, 2)


def test_changed_file_is_a_new_revision_and_the_others_stay(tmp_path: Path) -> None:
    org = make_org()
    write(tmp_path, {"a.md": "The limit is 12.", "b.md": "Two."})
    run(org.editor, tmp_path)
    write(tmp_path, {"a.md": "The limit is 14."})
    assert outcomes(run(org.editor, tmp_path)) == {"a.md": "changed", "b.md": "unchanged"}
    doc = page(org, "a")
    assert doc.published_revision is not None
    assert (doc.published_revision.number, doc.published_revision.text) == (2, "The limit is 14.")


def test_run_that_died_is_taken_up_where_it_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    org = make_org()
    write(tmp_path, {f"p{n}.md": f"Page {n}. [next](p{n + 1}.md)" for n in range(6)})
    create, made = intake.create_page, []

    def dying(*args: Any, **kwargs: Any) -> Doc:
        made.append(create(*args, **kwargs))
        if len(made) == 4:
            raise OperationalError("the server closed the connection")
        return made[-1]

    monkeypatch.setattr(intake, "create_page", dying)
    with pytest.raises(OperationalError):
        run(org.editor, tmp_path)
    with tenancy.scope(org.tenant.pk):
        assert Doc.objects.count() == 3  # the fourth went with its transaction
    monkeypatch.setattr(intake, "create_page", create)
    found = outcomes(run(org.editor, tmp_path))
    assert [found[f"p{n}.md"] for n in range(6)] == ["unchanged"] * 3 + ["added"] * 3
    assert links(org, "p2") == {"p3.md": "p3"}


def test_file_that_fails_stops_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    org = make_org()
    write(tmp_path, {"a.md": "1", "b.md": "", "c.md": b"\x00\x01" * 90, "d.md": "4", "e.md": "5"})
    create = intake.create_page

    def stumbling(actor: Membership, fields: PageFields, **kwargs: Any) -> Doc:
        if fields.slug == "d":
            raise ZeroDivisionError
        return create(actor, fields, **kwargs)

    monkeypatch.setattr(intake, "create_page", stumbling)
    reports = run(org.editor, tmp_path)
    assert outcomes(reports) == {
        "a.md": "added",
        "b.md": "failed",
        "c.md": "failed",
        "d.md": "failed",
        "e.md": "added",
    }
    assert reports["b.md"].reason == "A page needs some text."
    assert "no text file" in reports["c.md"].reason
    assert "ZeroDivisionError" in reports["d.md"].reason


# -- what is not the import's to change -----------------------------------------------------------


def test_page_that_came_from_elsewhere_is_left_alone(tmp_path: Path) -> None:
    org = make_org()
    make_page(org, "Written here.", slug="hr/a")
    write(tmp_path, {"hr/a.md": "From a file.", "b.md": "B."})
    reports = run(org.editor, tmp_path)
    assert outcomes(reports) == {"hr/a.md": "refused", "b.md": "added"}
    assert reports["hr/a.md"].reason == "Another page has this address."
    assert outcomes(run(org.editor, tmp_path, origin="other")) == {
        "hr/a.md": "refused",
        "b.md": "refused",
    }
    assert outcomes(run(org.editor, tmp_path, origin="other", under="other"))["b.md"] == "added"
    with tenancy.scope(org.tenant.pk):
        texts = set(Revision.objects.values_list("doc__slug", "text"))
        assert ("hr/a", "Written here.") in texts
        assert ("other/b", "B.") in texts


def test_page_that_was_edited_here_is_left_alone_unless_told(tmp_path: Path) -> None:
    org = make_org()
    write(tmp_path, {"a.md": "From the file."})
    run(org.editor, tmp_path)
    edit_page(org, page(org, "a"), source="Mended here.")
    assert outcomes(run(org.editor, tmp_path)) == {"a.md": "unchanged"}
    write(tmp_path, {"a.md": "A newer file."})
    reports = run(org.editor, tmp_path)
    assert outcomes(reports) == {"a.md": "refused"}
    assert "edited here" in reports["a.md"].reason
    assert outcomes(run(org.editor, tmp_path, overwrite=True)) == {"a.md": "changed"}
    doc = page(org, "a")
    assert doc.head_revision is not None
    assert (doc.head_revision.number, doc.head_revision.text) == (3, "A newer file.")


def test_page_that_was_renamed_here_keeps_its_name(tmp_path: Path) -> None:
    org = make_org()
    write(tmp_path, {"a.md": "One."})
    run(org.editor, tmp_path)
    edit_page(org, page(org, "a"), slug="hr/better-name")
    write(tmp_path, {"a.md": "Two."})
    assert outcomes(run(org.editor, tmp_path)) == {"a.md": "changed"}
    doc = page(org, "hr/better-name")
    assert doc.head_revision is not None
    assert doc.head_revision.text == "Two."


def test_page_in_the_bin_comes_anew(tmp_path: Path) -> None:
    org = make_org()
    write(tmp_path, {"a.md": "One."})
    run(org.editor, tmp_path)
    with tenancy.scope(org.tenant.pk):
        intake.delete_page(org.editor, page(org, "a"))
    assert outcomes(run(org.editor, tmp_path)) == {"a.md": "added"}
    with tenancy.scope(org.tenant.pk):
        assert Doc.objects.filter(deleted_at=None).count() == 1
        assert ImportedFile.objects.count() == 1


def test_page_that_the_importer_may_not_see_is_not_changed(tmp_path: Path) -> None:
    org = make_org()
    write(tmp_path, {"a.md": "---\ngroups: [board]\n---\nThe sale of the company."})
    run(org.admin, tmp_path)
    write(tmp_path, {"a.md": "Overwritten."})
    reports = run(org.editor, tmp_path)
    assert outcomes(reports) == {"a.md": "refused"}
    assert reports["a.md"].reason == "Another page has this address."


def test_file_whose_readers_cannot_be_told_becomes_no_page(tmp_path: Path) -> None:
    org = make_org()
    write(tmp_path, {"a.md": "---\nvisibility: secret\n---\nThe sale of the company."})
    assert outcomes(run(org.editor, tmp_path)) == {"a.md": "failed"}
    with tenancy.scope(org.tenant.pk):
        assert not Doc.objects.exists()


def test_two_tenants_import_the_same_tree_apart(tmp_path: Path) -> None:
    one, two = make_org(), make_org()
    write(tmp_path, {"a.md": "A. [b](b.md) ![x](x.png)", "b.md": "B.", "x.png": png()})
    assert set(outcomes(run(one.editor, tmp_path)).values()) == {"added"}
    assert set(outcomes(run(two.editor, tmp_path)).values()) == {"added"}
    for org in (one, two):
        assert links(org, "a") == {"b.md": "b"}
        with tenancy.scope(org.tenant.pk):
            assert Doc.objects.count() == 2
            assert access.visible_docs(org.reader).count() == 2
            assert Attachment.objects.get().doc_id == page(org, "a").pk


def test_reader_imports_nothing(tmp_path: Path) -> None:
    org = make_org()
    write(tmp_path, {"a.md": "A."})
    with pytest.raises(PageNotFound):
        run(org.reader, tmp_path)


# -- the command ----------------------------------------------------------------------------------


def test_command_imports_as_the_first_admin_and_reports(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    org = make_org()
    write(tmp_path, {"a.md": "A.", "b.md": "B.", "notes.txt": "x"})
    arguments = ["import_pages", str(tmp_path), "--tenant", org.tenant.slug, "--publish"]
    call_command(*arguments, "--dry-run")
    assert "It would be: 2 added, 1 skipped." in capsys.readouterr().out
    with tenancy.scope(org.tenant.pk):
        assert not Doc.objects.exists()
    call_command(*arguments)
    assert "2 added, 1 skipped." in capsys.readouterr().out
    assert page(org, "a").owner_id == org.admin.user_id
    call_command(*arguments, "--dry-run")
    assert "It would be: 2 unchanged, 1 skipped." in capsys.readouterr().out


def test_command_fails_where_a_file_failed_and_says_which(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    org = make_org()
    write(tmp_path, {"a.md": "A.", "b.md": ""})
    with pytest.raises(SystemExit) as exit_:
        call_command("import_pages", str(tmp_path), "--tenant", org.tenant.slug)
    assert exit_.value.code == 1
    printed = capsys.readouterr()
    assert "b.md: A page needs some text." in printed.err
    assert "1 added, 1 failed." in printed.out


@pytest.mark.parametrize("role", ["reader", "missing"])
def test_command_refuses_a_reader_and_a_stranger(tmp_path: Path, role: str) -> None:
    org = make_org()
    write(tmp_path, {"a.md": "A."})
    user = {"reader": org.reader.user.username}.get(role, "nobody")
    with pytest.raises(CommandError):
        call_command("import_pages", str(tmp_path), "--tenant", org.tenant.slug, "--user", user)


def test_command_refuses_a_folder_that_is_not_there(tmp_path: Path) -> None:
    org = make_org()
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("import_pages", str(tmp_path / "gone"), "--tenant", org.tenant.slug)
