"""A tree imported again: what is skipped, versioned, resumed and left alone; and the command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import DataError, OperationalError

from kb import access, intake
from kb.errors import PageNotFound
from kb.intake import PageFields
from kb.models import Attachment, Doc, ImportedFile, Revision
from memory import tenancy
from memory.models import Membership
from tests.factories import edit_page, make_org, make_page
from tests.imports import links, outcomes, page, png, run, write

pytestmark = pytest.mark.django_db


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
    write(
        tmp_path,
        {"a.md": "1", "b.md": "", "c.md": b"\x00\x01" * 90, "d.md": "4", "e.md": "5", "f.md": "6"},
    )
    create = intake.create_page

    def stumbling(actor: Membership, fields: PageFields, **kwargs: Any) -> Doc:
        if fields.slug in ("d", "f"):
            raise {"d": ZeroDivisionError, "f": DataError}[fields.slug]
        return create(actor, fields, **kwargs)

    monkeypatch.setattr(intake, "create_page", stumbling)
    reports = run(org.editor, tmp_path)
    assert outcomes(reports) == {
        "a.md": "added",
        "b.md": "failed",
        "c.md": "failed",
        "d.md": "failed",
        "e.md": "added",
        "f.md": "failed",
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
    assert capsys.readouterr().out.splitlines() == [
        "added     a.md  → a",
        "added     b.md  → b",
        "skipped   notes.txt  Neither Markdown, HTML nor an image.",
        "2 added, 1 skipped.",
    ]
    assert page(org, "a").owner_id == org.admin.user_id
    call_command(*arguments, "--dry-run")
    told = capsys.readouterr().out
    assert "It would be: 2 unchanged, 1 skipped." in told
    assert "a.md" not in told


def test_command_folds_a_long_list_of_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    org = make_org()
    write(tmp_path, {f"page-{n:02}.md": "A." for n in range(23)})
    call_command("import_pages", str(tmp_path), "--tenant", org.tenant.slug, "--dry-run")
    *named, more, summary = capsys.readouterr().out.splitlines()
    assert len(named) == 20
    assert more == "added     and 3 more; --json names every file"
    assert summary == "It would be: 23 added."


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
