"""Trees become pages: fields, links both ways, images, offsets."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from kb.models import Attachment, DocLink, Revision, Status
from kb.rendering import outline
from memory import tenancy
from memory.models import Node
from tests.factories import make_org, make_page
from tests.imports import links, outcomes, page, png, run, write

pytestmark = pytest.mark.django_db


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
