"""Sharing in the browser: the editor's list of links, and the page as a guest sees it."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from kb import sharing
from kb.models import ShareLink, Visibility
from memory import tenancy
from tests.factories import Org, make_org, make_page
from tests.web.conftest import SignedIn


def address(org: Org, doc: object, **fields: object) -> str:
    with tenancy.scope(org.tenant.pk):
        link = sharing.create_link(org.editor, doc, **fields)  # type: ignore[arg-type]
    return reverse("shared-page", args=[sharing.token_of(link)])


def change_links(org: Org, **fields: object) -> None:
    with tenancy.scope(org.tenant.pk):
        ShareLink.objects.update(**fields)


def test_guest_reads_the_page_and_nothing_else(org: Org, visitor: Client) -> None:
    make_page(org, "Open.", title="Open", slug="open", visibility=Visibility.PUBLIC)
    make_page(org, "Inside.", title="Inside", slug="inside")
    doc = make_page(org, "Fee: 20. See [[Open]] and [[Inside]].", title="Fees", slug="fees")
    response = visitor.get(address(org, doc))
    text = str(response.content, "utf-8")
    assert response.status_code == 200
    assert "Fee: 20." in text
    assert f'href="/{org.tenant.slug}/p/open"' in text
    assert f"/{org.tenant.slug}/p/inside" not in text
    assert '<span class="wanted">Inside</span>' in text
    for absent in ("<textarea", 'id="ask"', "/ask/", org.tenant.name, org.editor.user.username):
        assert absent not in text


def test_shared_page_goes_into_no_index_cache_or_referrer(org: Org, visitor: Client) -> None:
    url = address(org, make_page(org, "Words."), max_uses=1)
    for status in (200, 410):
        response = visitor.get(url)
        assert response.status_code == status
        assert response["X-Robots-Tag"] == "noindex, nofollow, noarchive"
        assert response["Referrer-Policy"] == "no-referrer"
        assert response["Cache-Control"] == "private, no-store"
        assert '<meta name="robots" content="noindex' in str(response.content, "utf-8")


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"revoked_at": timezone.now()}, "taken back"),
        ({"expires_at": timezone.now()}, "limited time"),
        ({"max_uses": 1, "used_count": 1}, "as often as it may be"),
    ],
)
def test_ended_link_is_gone_and_says_why(
    org: Org, visitor: Client, fields: dict[str, object], words: str
) -> None:
    url = address(org, make_page(org, "Words.", title="Secret title"))
    change_links(org, **fields)
    response = visitor.get(url)
    text = str(response.content, "utf-8")
    assert response.status_code == 410
    assert words in text
    assert "Secret title" not in text


def test_bad_signature_is_not_found(org: Org, visitor: Client) -> None:
    url = address(org, make_page(org, "Words."))
    assert visitor.get(url[:-1] + ("A" if url[-1] != "A" else "B")).status_code == 404
    assert visitor.get("/s/nonsense").status_code == 404


def test_link_opens_for_somebody_signed_in_elsewhere_without_their_rights(
    org: Org, signed_in: SignedIn
) -> None:
    make_page(org, "Inside.", title="Inside", slug="inside")
    url = address(org, make_page(org, "See [[Inside]]."))
    for member in (make_org().admin, org.reader):
        response = signed_in(member).get(url)
        assert response.status_code == 200
        assert '<span class="wanted">Inside</span>' in str(response.content, "utf-8")


def test_only_a_get_opens_a_link(org: Org, visitor: Client) -> None:
    url = address(org, make_page(org, "Words."))
    assert [visitor.head(url).status_code, visitor.post(url).status_code] == [405, 405]
    with tenancy.scope(org.tenant.pk):
        assert ShareLink.objects.get().used_count == 0


def test_burst_of_openings_is_slowed_down_per_link(
    org: Org, visitor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kb.views.sharing.OPENINGS", "2/d")
    doc = make_page(org, "Words.")
    hammered, other = address(org, doc), address(org, doc)
    assert [visitor.get(hammered).status_code for _ in range(3)] == [200, 200, 429]
    assert visitor.get(other).status_code == 200


def test_editor_makes_copies_and_revokes_a_link(org: Org, signed_in: SignedIn) -> None:
    doc = make_page(org, "Words.", slug="words")
    editor = signed_in(org.editor)
    page = f"/{org.tenant.slug}/share/words"
    assert page in str(editor.get(f"/{org.tenant.slug}/p/words").content, "utf-8")
    assert editor.post(page, {"hours": "1", "max_uses": "5"})["Location"] == page
    text = str(editor.get(page).content, "utf-8")
    (url,) = re.findall(r'value="http://testserver(/s/[^"]+)"', text)
    assert "opened 0 of 5 times" in text
    assert Client().get(url).status_code == 200
    with tenancy.scope(org.tenant.pk):
        link = ShareLink.objects.get(doc=doc)
    assert editor.post(f"/{org.tenant.slug}/share-links/{link.pk}/revoke")["Location"] == page
    assert Client().get(url).status_code == 410
    assert url not in str(editor.get(page).content, "utf-8")


def test_form_says_what_is_wrong(org: Org, signed_in: SignedIn) -> None:
    make_page(org, "Words.", slug="words")
    page = f"/{org.tenant.slug}/share/words"
    response = signed_in(org.editor).post(page, {"hours": "5", "max_uses": "-1"})
    assert response.status_code == 400
    assert str(response.content, "utf-8").count("errorlist") == 2


def test_sharing_a_draft_says_that_it_must_be_published(org: Org, signed_in: SignedIn) -> None:
    make_page(org, "Words.", slug="words", status="draft")
    response = signed_in(org.editor).post(f"/{org.tenant.slug}/share/words", {"hours": "24"})
    assert response.status_code == 400
    assert "Only a published page can be shared" in str(response.content, "utf-8")


def test_reader_finds_nothing_to_share(org: Org, signed_in: SignedIn) -> None:
    doc = make_page(org, "Words.", slug="words")
    reader = signed_in(org.reader)
    with tenancy.scope(org.tenant.pk):
        link = sharing.create_link(org.editor, doc)
    page = f"/{org.tenant.slug}/share/words"
    assert page not in str(reader.get(f"/{org.tenant.slug}/p/words").content, "utf-8")
    assert reader.get(page).status_code == 404
    assert reader.post(page, {"hours": "24"}).status_code == 404
    assert reader.post(f"/{org.tenant.slug}/share-links/{link.pk}/revoke").status_code == 404
