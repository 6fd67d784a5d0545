"""Writing pages in the browser: create, edit, preview, history, and two who save at once."""

from __future__ import annotations

import re
from typing import Any

import pytest

from kb import intake
from kb.html_tree import parse
from kb.models import Doc, Revision, Status, Visibility
from memory import tenancy
from memory.models import Role
from tests.factories import Org, edit_page, make_member, make_page
from tests.web.conftest import SignedIn


def form(**fields: Any) -> dict[str, Any]:
    return {
        "title": "Overtime",
        "source": "# Overtime\n\nAt most 12 hours.",
        "source_format": "markdown",
        "slug": "",
        "status": "published",
        "visibility": "org_only",
        "allowed_groups": "",
        "language": "",
    } | fields


def only_doc(org: Org) -> Doc:
    with tenancy.scope(org.tenant.pk):
        return Doc.objects.select_related("head_revision", "published_revision").get()


def test_editor_creates_a_page_that_is_there_at_once(org: Org, signed_in: SignedIn) -> None:
    client = signed_in(org.editor)
    response = client.post(f"/{org.tenant.slug}/new", form(slug="HR/Overtime rules"), follow=True)
    assert response.redirect_chain == [(f"/{org.tenant.slug}/p/hr/overtime-rules", 302)]
    assert "At most 12 hours." in str(response.content, "utf-8")
    doc = only_doc(org)
    assert (doc.owner_id, doc.status, doc.language) == (org.editor.user_id, Status.PUBLISHED, "en")


def test_fc_58_nul_in_the_form_is_removed_and_the_page_saved(org: Org, signed_in: SignedIn) -> None:
    fields = form(title="Pumps\x00", source="The pump\x00 code is 55.")
    signed_in(org.editor).post(f"/{org.tenant.slug}/new", fields)
    with tenancy.scope(org.tenant.pk):
        revision = Revision.objects.get()
    assert (revision.title, revision.text) == ("Pumps", "The pump code is 55.")


def test_restricted_page_keeps_its_groups(org: Org, signed_in: SignedIn) -> None:
    fields = form(visibility="role_restricted", allowed_groups=" hr, legal ,hr")
    signed_in(org.editor).post(f"/{org.tenant.slug}/new", fields)
    assert only_doc(org).allowed_groups == ["hr", "legal"]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"title": " "}, "This field is required"),
        ({"source": ""}, "This field is required"),
        ({"visibility": "role_restricted"}, "names the groups that may read it"),
        ({"slug": "taken"}, "Another page has this address"),
    ],
)
def test_what_cannot_be_saved_comes_back_as_typed(
    org: Org, signed_in: SignedIn, fields: dict[str, str], said: str
) -> None:
    make_page(org, "Words.", slug="taken")
    typed = form(**{"source": "My words."} | fields)
    response = signed_in(org.editor).post(f"/{org.tenant.slug}/new", typed)
    text = str(response.content, "utf-8")
    assert response.status_code == 400
    assert said in text
    assert typed["source"] in text


def test_edit_keeps_line_ends_title_and_status(org: Org, signed_in: SignedIn) -> None:
    doc = make_page(org, "Line one.\n\nLine two.", title="Lines")
    client = signed_in(org.editor)
    page = client.get(f"/{org.tenant.slug}/edit/{doc.slug}")
    assert 'name="base_revision" value="1"' in str(page.content, "utf-8")
    # Browsers send line ends as CR LF.
    saved = form(title="Lines", source="Line one.\r\n\r\nLine 2.", base_revision="1")
    client.post(f"/{org.tenant.slug}/edit/{doc.slug}", saved)
    head = only_doc(org).head_revision
    assert head is not None
    assert (head.number, head.source, head.title) == (2, "Line one.\n\nLine 2.", "Lines")


def test_draft_on_a_published_page_leaves_readers_the_old_text(
    org: Org, signed_in: SignedIn
) -> None:
    doc = make_page(org, "Old.")
    saved = form(source="New.", status="draft", base_revision="1")
    signed_in(org.editor).post(f"/{org.tenant.slug}/edit/{doc.slug}", saved)
    doc = only_doc(org)
    assert doc.head_revision is not None
    assert doc.published_revision is not None
    assert (doc.head_revision.source, doc.published_revision.source) == ("New.", "Old.")


def test_second_to_save_sees_both_texts_and_nothing_is_lost(org: Org, signed_in: SignedIn) -> None:
    doc = make_page(org, "Start.")
    edit_page(org, doc, source="Start. Theirs.")
    client, address = signed_in(org.editor), f"/{org.tenant.slug}/edit/{doc.slug}"
    response = client.post(address, form(source="Start. Mine.", base_revision="1"))
    text = str(response.content, "utf-8")
    assert response.status_code == 409
    assert "Start. Theirs.</pre>" in text
    assert "Start. Mine.</textarea>" in text
    assert "<ins>Start. <b>Mine</b>.</ins>" in text
    assert 'name="base_revision" value="2"' in text
    with tenancy.scope(org.tenant.pk):
        assert Revision.objects.filter(doc=doc).count() == 2

    client.post(address, form(source="Start. Mine.", base_revision="2"))
    head = only_doc(org).head_revision
    assert head is not None
    assert (head.number, head.source) == (3, "Start. Mine.")


def test_preview_is_what_the_page_will_be_and_nothing_is_saved(
    org: Org, signed_in: SignedIn
) -> None:
    source = "# Hi\n\n<script>window.__hit=1</script><b onclick=x>bold</b> [[Other]]"
    response = signed_in(org.editor).post(
        f"/{org.tenant.slug}/preview", {"source": source, "language": "ar"}
    )
    text = str(response.content, "utf-8")
    assert "<strong>bold</strong>" in text
    assert "script>" not in text
    assert 'dir="rtl"' in text
    assert response["X-Frame-Options"] == "SAMEORIGIN"
    assert "frame-ancestors 'self'" in response["Content-Security-Policy"]
    with tenancy.scope(org.tenant.pk):
        assert Doc.objects.count() == 0


def test_editor_may_frame_the_preview_and_nothing_else(org: Org, signed_in: SignedIn) -> None:
    policy = signed_in(org.editor).get(f"/{org.tenant.slug}/new")["Content-Security-Policy"]
    assert "frame-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy


@pytest.mark.parametrize("path", ["new", "edit/page", "history/page", "revisions/1/page"])
def test_reader_cannot_write_or_look_back(org: Org, signed_in: SignedIn, path: str) -> None:
    make_page(org, "Words.", slug="page")
    assert signed_in(org.reader).get(f"/{org.tenant.slug}/{path}").status_code == 404


def test_reader_cannot_post_what_they_cannot_open(org: Org, signed_in: SignedIn) -> None:
    make_page(org, "Words.", slug="page")
    client = signed_in(org.reader)
    for path in ("new", "edit/page", "preview"):
        assert client.post(f"/{org.tenant.slug}/{path}", form()).status_code == 404


def test_history_lists_revisions_and_shows_one_with_its_changes(
    org: Org, signed_in: SignedIn
) -> None:
    doc = make_page(org, "One.\n\nTwo.", visibility=Visibility.ORG_ONLY)
    edit_page(org, doc, source="One.\n\nThree.")
    client = signed_in(org.editor)
    listed = str(client.get(f"/{org.tenant.slug}/history/{doc.slug}").content, "utf-8")
    assert listed.index("Revision 2") < listed.index("Revision 1")
    shown = str(client.get(f"/{org.tenant.slug}/revisions/2/{doc.slug}").content, "utf-8")
    assert "<del><b>Two</b>.</del><ins><b>Three</b>.</ins>" in "".join(shown.split("\n")).replace(
        "  ", ""
    )
    assert client.get(f"/{org.tenant.slug}/revisions/9/{doc.slug}").status_code == 404


def test_changes_in_different_lines_are_saved_together(org: Org, signed_in: SignedIn) -> None:
    doc = make_page(org, "One.\n\nTwo.\n\nThree.", title="Page")
    edit_page(org, doc, source="One.\n\nTwo.\n\nThree. Theirs.", title="Their title")
    client, address = signed_in(org.editor), f"/{org.tenant.slug}/edit/{doc.slug}"
    mine = form(title="Page", source="One. Mine.\r\n\r\nTwo.\r\n\r\nThree.", base_revision="1")
    text = str(client.post(address, mine).content, "utf-8")
    assert "One. Mine.\n\nTwo.\n\nThree. Theirs.</textarea>" in text
    assert "Save both together" in text
    assert text.count('name="title" value="Their title"') == 2, (
        "a title that I left alone is theirs"
    )


def test_my_own_title_is_kept_beside_theirs(org: Org, signed_in: SignedIn) -> None:
    doc = make_page(org, "Start.", title="Page")
    edit_page(org, doc, source="Start. Theirs.", title="Their title")
    mine = form(title="My title", source="Start. Mine.", base_revision="1")
    response = signed_in(org.editor).post(f"/{org.tenant.slug}/edit/{doc.slug}", mine)
    text = str(response.content, "utf-8")
    assert 'name="title" value="My title"' in text
    assert "Theirs is “Their title”." in text
    assert "Save both together" not in text


def test_category_is_chosen_and_taken_away_again(org: Org, signed_in: SignedIn) -> None:
    client = signed_in(org.editor)
    client.post(f"/{org.tenant.slug}/new", form(slug="page", category="policy"))
    assert only_doc(org).category == "policy"
    client.post(f"/{org.tenant.slug}/edit/page", form(slug="page", base_revision="1"))
    assert only_doc(org).category == ""


def test_owner_is_chosen_by_those_who_may_hand_the_page_over(org: Org, signed_in: SignedIn) -> None:
    other = make_member(org, Role.EDITOR)
    make_page(org, "Words.", slug="page")
    address = f"/{org.tenant.slug}/edit/page"
    assert 'name="owner"' not in str(signed_in(other).get(address).content, "utf-8")
    assert org.reader.user.username not in str(signed_in(org.admin).get(address).content, "utf-8")
    fields = form(slug="page", base_revision="1", owner=other.user.username)
    signed_in(org.editor).post(address, fields)
    assert only_doc(org).owner_id == other.user_id


def test_whoever_hands_away_their_last_right_is_told_and_lands_on_the_list(
    org: Org, signed_in: SignedIn
) -> None:
    make_page(org, "x", slug="page", visibility="role_restricted", allowed_groups=["hr"])
    fields = form(
        slug="page",
        base_revision="1",
        visibility="role_restricted",
        allowed_groups="hr",
        owner=org.admin.user.username,
    )
    response = signed_in(org.editor).post(f"/{org.tenant.slug}/edit/page", fields, follow=True)
    assert response.redirect_chain == [(f"/{org.tenant.slug}/", 302)]
    assert "You can no longer see “Overtime”." in str(response.content, "utf-8")


def started(client: Any, address: str) -> dict[str, Any]:
    """What the form holds when it is opened."""
    page = client.get(address)
    assert page.status_code == 200
    initial: dict[str, Any] = page.context["form"].initial
    return {name: value for name, value in initial.items() if value is not None}


@pytest.mark.parametrize(
    ("theirs", "said"),
    [
        ({"status": "archived"}, ("Published", "Archived")),
        ({"category": "policy"}, ("None", "Policy")),
        ({"language": "vi"}, ("English", "Tiếng Việt")),
        ({"visibility": "public"}, ("Organisation", "Public")),
        ({"visibility": "role_restricted", "allowed_groups": ["hr", "it"]}, ("None", "hr, it")),
        ({"slug": "rules/page"}, ("page", "rules/page")),
    ],
)
def test_stale_form_overwrites_no_property_that_somebody_changed(
    org: Org, signed_in: SignedIn, theirs: dict[str, Any], said: tuple[str, str]
) -> None:
    doc = make_page(org, "Start.", title="Page", slug="page", language="en")
    client, address = signed_in(org.editor), f"/{org.tenant.slug}/edit/page"
    mine = started(client, address) | {"source": "Start. Mine."}
    edit_page(org, doc, **theirs)
    response = client.post(address, mine)
    if response.status_code == 308:
        response = client.post(response["Location"], mine)
    text = str(response.content, "utf-8")
    assert response.status_code == 409
    assert "Start. Mine.</textarea>" in text
    for value in said:
        assert f"“{value}”" in text, "what it was and what it is now"
    assert only_doc(org).head_revision.source == "Start."
    # Saving what the page of the conflict offers keeps both.
    again = {name: value for name, value in form_in(text).items() if name in mine}
    client.post(f"/{org.tenant.slug}/edit/{only_doc(org).slug}", again | {"source": "Start. Mine."})
    saved = only_doc(org)
    assert saved.head_revision.source == "Start. Mine."
    assert {name: getattr(saved, name) for name in theirs} == theirs


def form_in(text: str) -> dict[str, str]:
    """The fields of the last form that saves a page, as a browser would send them."""
    found = parse(text[text.rindex("<form method") :])
    fields = {}
    for element in found.elements():
        name = element.attributes.get("name", "")
        if element.tag == "input":
            fields[name] = element.attributes.get("value", "")
        elif element.tag == "select":
            options = [one for one in element.elements() if one.tag == "option"]
            chosen = [one for one in options if "selected" in one.attributes] or options
            fields[name] = chosen[0].attributes["value"]
    return fields


def test_property_that_both_changed_is_left_to_the_editor(org: Org, signed_in: SignedIn) -> None:
    doc = make_page(org, "Start.", title="Page", slug="page")
    client, address = signed_in(org.editor), f"/{org.tenant.slug}/edit/page"
    mine = started(client, address) | {"category": "runbook"}
    edit_page(org, doc, category="policy", source="Start.\n\nTheirs.")
    text = str(client.post(address, mine).content, "utf-8")
    assert '<option value="runbook" selected>' in text
    assert "When you started it was “None”. Now it is “Policy”." in text
    assert "Save both together" not in text, "somebody has to choose"


def test_same_change_by_both_is_no_conflict(org: Org, signed_in: SignedIn) -> None:
    doc = make_page(org, "Start.", title="Page", slug="page")
    client, address = signed_in(org.editor), f"/{org.tenant.slug}/edit/page"
    mine = started(client, address) | {"category": "policy", "source": "Start. Mine."}
    edit_page(org, doc, category="policy")
    assert client.post(address, mine).status_code == 302
    assert only_doc(org).head_revision.source == "Start. Mine."


@pytest.mark.parametrize("base", ["", "{}", "[1]", '"x"', "nonsense", '{"slug": 1}', "[" * 3000])
def test_form_without_its_beginning_is_saved_as_before(
    org: Org, signed_in: SignedIn, base: str
) -> None:
    make_page(org, "Start.", title="Page", slug="page")
    mine = form(slug="page", base_revision="1", base_properties=base)
    assert signed_in(org.editor).post(f"/{org.tenant.slug}/edit/page", mine).status_code == 302


def test_words_for_a_page_that_is_gone_begin_a_new_one(org: Org, signed_in: SignedIn) -> None:
    doc = make_page(org, "Start.", title="Page", slug="page")
    client, address = signed_in(org.editor), f"/{org.tenant.slug}/edit/page"
    mine = started(client, address) | {"source": "Start. Mine."}
    with tenancy.scope(org.tenant.pk):
        intake.delete_page(org.editor, doc)
    response = client.post(address, mine)
    text = str(response.content, "utf-8")
    assert response.status_code == 404
    assert "Start. Mine.</textarea>" in text
    assert f'action="/{org.tenant.slug}/new"' in text
    never = str(client.post(f"/{org.tenant.slug}/edit/never", mine).content, "utf-8")
    assert without_tokens(never) == without_tokens(text), "nobody can tell what was there"


def without_tokens(text: str) -> str:
    return re.sub(r'name="csrfmiddlewaretoken" value="[^"]+"', "", text)
