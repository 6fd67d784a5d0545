"""Images: who may bring them in, whose page they belong to, and who may see them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from kb import attachments, intake, sharing
from kb.models import Attachment, Doc
from memory import tenancy
from memory.models import Membership, Role
from tests.factories import Org, edit_page, make_member, make_org, make_page
from tests.pictures import picture, upload
from tests.web.conftest import SignedIn


def store(
    org: Org, member: Membership | None = None, *, name: str = "Our Office.png"
) -> Attachment:
    with tenancy.scope(org.tenant.pk):
        return attachments.store(member or org.editor, picture(), name=name)


def url_of(org: Org, image: Attachment) -> str:
    return attachments.file_url(org.tenant.slug, image)


def page_with(org: Org, image: Attachment, **fields: Any) -> Doc:
    return make_page(org, f"Look:\n\n![The office]({url_of(org, image)})", **fields)


def body(response: Any) -> str:
    return str(response.content, "utf-8")


def test_editor_brings_an_image_in_and_is_told_what_to_write(org: Org, signed_in: SignedIn) -> None:
    client = signed_in(org.editor)
    response = client.post(f"/{org.tenant.slug}/files", {"file": upload()})
    assert response.status_code == 201
    reply = response.json()
    assert reply["url"] == f"/{org.tenant.slug}/files/{reply['id']}/our-office.png"
    assert reply["markup"] == f"![our office]({reply['url']})"
    assert (reply["width"], reply["height"]) == (30, 20)
    html = client.post(f"/{org.tenant.slug}/files", {"file": upload(), "source_format": "html"})
    assert html.json()["markup"] == f'<img src="{html.json()["url"]}" alt="our office">'


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "no image"),
        (b"", "empty"),
        (b"\0" * (10 * 2**20 + 1), "10 MB"),
    ],
    ids=["svg", "empty", "too-large"],
)
def test_what_is_no_image_is_refused_with_a_sentence(
    org: Org, signed_in: SignedIn, data: bytes, said: str
) -> None:
    response = signed_in(org.editor).post(
        f"/{org.tenant.slug}/files", {"file": upload("a.svg", data)}
    )
    assert response.status_code == 400
    assert said in response.json()["detail"]
    with tenancy.scope(org.tenant.pk):
        assert Attachment.objects.count() == 0


def test_reader_outsider_and_visitor_bring_nothing_in(
    org: Org, signed_in: SignedIn, visitor: Client
) -> None:
    for client in (signed_in(org.reader), signed_in(make_org().editor), visitor):
        assert client.post(f"/{org.tenant.slug}/files", {"file": upload()}).status_code == 404


def test_image_without_a_page_is_its_uploaders_alone(
    org: Org, signed_in: SignedIn, visitor: Client
) -> None:
    image = store(org)
    assert signed_in(org.editor).get(url_of(org, image)).status_code == 200
    for member in (org.admin, make_member(org, Role.EDITOR), org.reader, make_org().editor):
        assert signed_in(member).get(url_of(org, image)).status_code == 404
    assert visitor.get(url_of(org, image)).status_code == 302


def test_image_of_a_page_is_seen_by_who_may_see_the_page(
    org: Org, signed_in: SignedIn, visitor: Client
) -> None:
    image = store(org)
    doc = page_with(org, image)
    assert signed_in(org.reader).get(url_of(org, image)).status_code == 200
    assert visitor.get(url_of(org, image)).status_code == 302
    edit_page(org, doc, visibility="public")
    assert visitor.get(url_of(org, image)).status_code == 200
    edit_page(org, doc, visibility="role_restricted", allowed_groups=["hr"])
    assert signed_in(org.reader).get(url_of(org, image)).status_code == 404
    assert signed_in(make_member(org, Role.READER, "hr")).get(url_of(org, image)).status_code == 200


def test_image_goes_with_its_page_to_the_bin_and_back(org: Org, signed_in: SignedIn) -> None:
    image = store(org)
    doc = page_with(org, image)
    client = signed_in(org.reader)
    with tenancy.scope(org.tenant.pk):
        intake.delete_page(org.editor, doc)
    assert client.get(url_of(org, image)).status_code == 404
    with tenancy.scope(org.tenant.pk):
        intake.restore_page(org.editor, doc)
    assert client.get(url_of(org, image)).status_code == 200


def test_address_of_somebody_elses_image_opens_nothing_to_a_page_that_names_it(
    org: Org, signed_in: SignedIn
) -> None:
    secret = store(org)
    page_with(org, secret, visibility="role_restricted", allowed_groups=["hr"], title="Secret")
    other = make_member(org, Role.EDITOR)
    with tenancy.scope(org.tenant.pk):
        thief = intake.create_page(
            other,
            intake.PageFields(
                title="Thief", source=f"![x]({url_of(org, secret)})", status="published"
            ),
        )
    client = signed_in(other)
    assert client.get(url_of(org, secret)).status_code == 404
    shown = body(client.get(f"/{org.tenant.slug}/p/{thief.slug}"))
    assert '<img alt="x"' in shown
    assert str(secret.pk) not in shown


def test_page_takes_only_images_that_its_writer_brought_in(org: Org, signed_in: SignedIn) -> None:
    image = store(org, make_member(org, Role.EDITOR))
    page_with(org, image, visibility="public")
    assert signed_in(org.editor).get(url_of(org, image)).status_code == 404
    with tenancy.scope(org.tenant.pk):
        assert Attachment.objects.get().doc_id is None


def test_image_of_another_organisation_is_not_there(org: Org, signed_in: SignedIn) -> None:
    other = make_org()
    image = store(other)
    page_with(other, image, visibility="public")
    address = url_of(other, image).replace(other.tenant.slug, org.tenant.slug)
    assert signed_in(org.admin).get(address).status_code == 404


def test_served_image_is_inert_private_and_asked_for_again(org: Org, signed_in: SignedIn) -> None:
    client = signed_in(org.editor)
    response = client.get(url_of(org, store(org)))
    assert response["Content-Type"] == "image/png"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Cache-Control"] == "private, no-cache"
    assert response["Content-Disposition"] == 'inline; filename="our-office.png"'
    assert "sandbox" in response["Content-Security-Policy"]
    assert "default-src 'none'" in response["Content-Security-Policy"]


def test_unchanged_image_is_not_sent_twice_and_not_at_all_once_it_is_closed(
    org: Org, signed_in: SignedIn
) -> None:
    image = store(org)
    doc = page_with(org, image)
    client = signed_in(org.reader)
    etag = client.get(url_of(org, image))["ETag"]
    again = client.get(url_of(org, image), headers={"if-none-match": etag})
    assert (again.status_code, again.content) == (304, b"")
    edit_page(org, doc, visibility="role_restricted", allowed_groups=["hr"])
    closed = client.get(url_of(org, image), headers={"if-none-match": etag})
    assert closed.status_code == 404


def test_page_gives_its_image_room_and_a_description(org: Org, signed_in: SignedIn) -> None:
    image = store(org)
    doc = page_with(org, image)
    shown = body(signed_in(org.reader).get(f"/{org.tenant.slug}/p/{doc.slug}"))
    src = f'src="{url_of(org, image)}" width="30" height="20"'
    assert f'<img {src} alt="The office" loading="lazy">' in shown


def test_description_with_signs_of_markup_stays_a_description(
    org: Org, signed_in: SignedIn
) -> None:
    image = store(org)
    words = 'src="/x/files/0/" > <u>'
    doc = make_page(org, f"![{words}]({url_of(org, image)})")
    shown = body(signed_in(org.reader).get(f"/{org.tenant.slug}/p/{doc.slug}"))
    assert f'src="{url_of(org, image)}" width="30" height="20"' in shown
    assert shown.count("<img") == 1
    assert shown.count("&lt;u") == 1


def test_page_that_is_an_image_alone_is_shown(org: Org, signed_in: SignedIn) -> None:
    image = store(org)
    doc = make_page(org, f"![]({url_of(org, image)})")
    shown = body(signed_in(org.reader).get(f"/{org.tenant.slug}/p/{doc.slug}"))
    assert url_of(org, image) in shown


def test_shared_page_shows_its_own_images_until_the_link_is_revoked(
    org: Org, visitor: Client
) -> None:
    image, other = store(org), store(org)
    page_with(org, other, title="Other")
    source = f"![a]({url_of(org, image)}) ![b]({url_of(org, other)})"
    doc = make_page(org, source, title="Shared")
    with tenancy.scope(org.tenant.pk):
        link = sharing.create_link(org.editor, doc)
        token = sharing.token_of(link)
    shown = body(visitor.get(f"/s/{token}"))
    address = f"/s/{token}/files/{image.pk}/our-office.png"
    assert f'src="{address}"' in shown
    assert str(other.pk) not in shown
    assert visitor.get(address).status_code == 200
    assert visitor.get(f"/s/{token}/files/{other.pk}/our-office.png").status_code == 404
    with tenancy.scope(org.tenant.pk):
        sharing.revoke_link(org.editor, link)
    assert visitor.get(address).status_code == 410


def form(**fields: Any) -> dict[str, Any]:
    return {
        "title": "Office",
        "source": "Words.",
        "source_format": "markdown",
        "status": "published",
        "visibility": "org_only",
    } | fields


def test_without_script_an_image_is_added_to_the_text_before_it_is_saved(
    org: Org, signed_in: SignedIn
) -> None:
    client = signed_in(org.editor)
    response = client.post(
        f"/{org.tenant.slug}/new", form(images=upload(), add_images="1", title="")
    )
    assert response.status_code == 200
    with tenancy.scope(org.tenant.pk):
        image = Attachment.objects.get()
        assert Doc.objects.count() == 0
    assert f"Words.\n\n![our office]({url_of(org, image)})" in body(response)
    assert "data-unsaved" in body(response)


def test_without_script_images_still_chosen_come_in_when_the_page_is_saved(
    org: Org, signed_in: SignedIn
) -> None:
    images = [upload("one.png"), upload("two.png")]
    signed_in(org.editor).post(f"/{org.tenant.slug}/new", form(images=images))
    with tenancy.scope(org.tenant.pk):
        doc = Doc.objects.select_related("head_revision").get()
        assert doc.head_revision is not None
        found = {image.name: image for image in Attachment.objects.all()}
        assert {image.doc_id for image in found.values()} == {doc.pk}
    assert doc.head_revision.source.rstrip() == (
        f"Words.\n\n![one]({url_of(org, found['one.png'])})"
        f"\n\n![two]({url_of(org, found['two.png'])})"
    )


def test_refused_image_saves_nothing_and_says_why(org: Org, signed_in: SignedIn) -> None:
    typed = form(images=upload("a.svg", b"<svg/>"))
    response = signed_in(org.editor).post(f"/{org.tenant.slug}/new", typed)
    assert response.status_code == 400
    assert "a.svg: This is no image" in body(response)
    with tenancy.scope(org.tenant.pk):
        assert Doc.objects.count() == 0


def test_images_that_no_page_took_are_forgotten_after_a_month(org: Org) -> None:
    used, old, new = store(org), store(org), store(org)
    page_with(org, used)
    with tenancy.scope(org.tenant.pk):
        before = new.created_at - attachments.UNUSED_FOR - timedelta(hours=1)
        Attachment.objects.filter(pk__in=(used.pk, old.pk)).update(created_at=before)
    assert attachments.forget_unused(org.tenant.pk) == 1
    with tenancy.scope(org.tenant.pk):
        assert set(Attachment.objects.values_list("pk", flat=True)) == {used.pk, new.pk}
