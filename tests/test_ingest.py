"""A page becomes a revision, links, chunks, terms and vectors."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from django.db import connection, transaction

from kb import index, ingest, intake
from kb.intake import PageFields
from kb.models import Chunk, Doc, DocLink, IndexState, Revision
from memory import tenancy
from memory.backends import registry
from memory.models import Node, Term, Vector
from tests.factories import Org, edit_page, make_org, make_page

TWO_SECTIONS = "# Fees\n\nThe fee is 20 euros.\n\n# Hours\n\nThe desk opens at nine.\n"


def embed(org: Org, doc: Doc) -> int:
    return index.embed_page(org.tenant.pk, doc.pk)


def state(org: Org, doc: Doc) -> Doc:
    with tenancy.scope(org.tenant.pk):
        return Doc.objects.select_related("indexed_revision").get(pk=doc.pk)


@pytest.mark.django_db
def test_chunks_slice_the_revision_and_nodes_hold_the_same_words() -> None:
    org = make_org()
    doc = make_page(org, TWO_SECTIONS)
    with tenancy.scope(org.tenant.pk):
        revision = Revision.objects.get(doc=doc)
        chunks = Chunk.objects.filter(revision=revision)
        assert chunks
        for chunk in chunks:
            node = Node.objects.get(chunk_id=chunk.pk)
            assert revision.text[chunk.char_start : chunk.char_end] == node.text
            assert (node.char_start, node.char_end) == (chunk.char_start, chunk.char_end)


@pytest.mark.django_db
def test_save_is_found_by_keywords_at_once_and_by_vectors_after_the_task() -> None:
    org = make_org()
    doc = make_page(org, TWO_SECTIONS)
    with tenancy.scope(org.tenant.pk):
        assert Term.objects.filter(term="fee", node__document_id=doc.pk).exists()
        assert not Vector.objects.exists()
    assert state(org, doc).index_state == IndexState.PENDING
    assert embed(org, doc) == 1
    assert state(org, doc).index_state == IndexState.READY


@pytest.mark.django_db
def test_unchanged_chunks_keep_their_node_and_vector_after_an_edit() -> None:
    org = make_org()
    words = " ".join(f"word{n}" for n in range(300))
    doc = make_page(org, f"# One\n\n{words}.\n\n# Two\n\nThe fee is 20 euros. {words}.\n")
    embed(org, doc)
    with tenancy.scope(org.tenant.pk):
        first = Node.objects.order_by("char_start").first()
    edit_page(org, doc, source=f"# One\n\n{words}.\n\n# Two\n\nThe fee is 35 euros. {words}.\n")
    with tenancy.scope(org.tenant.pk):
        nodes = list(Node.objects.order_by("char_start"))
        assert first is not None
        assert nodes[0].pk == first.pk
        assert nodes[0].chunk_id != first.chunk_id  # it moved to the new revision's chunk
        assert Vector.objects.filter(node=nodes[0]).exists()
    assert embed(org, doc) == 1  # the one whose words changed


@pytest.mark.django_db
def test_fc_27_edit_leaves_nothing_of_the_old_text() -> None:
    org = make_org()
    doc = make_page(org, "Front desk: extension 100")
    edit_page(org, doc, source="Front desk: extension 200")
    fresh = make_page(org, "Front desk: extension 200", title="Fresh")
    with tenancy.scope(org.tenant.pk):
        assert not Term.objects.filter(term="100").exists()
        texts = Node.objects.filter(document_id=doc.pk).values_list("text", flat=True)
        assert list(texts) == ["Front desk: extension 200"]
        assert len(texts) == Node.objects.filter(document_id=fresh.pk).count()


class _RaisesOnThird(Exception):
    pass


@pytest.mark.django_db
def test_fc_28_failing_encoder_keeps_keywords_of_the_new_revision(monkeypatch: Any) -> None:
    org = make_org()
    doc = make_page(org, TWO_SECTIONS)
    embed(org, doc)
    edit_page(org, doc, source=TWO_SECTIONS.replace("20", "35"))
    encoder = registry.encoder()

    def fail(texts: Any) -> np.ndarray:
        raise _RaisesOnThird

    monkeypatch.setattr(encoder, "encode_passages", fail)
    with pytest.raises(_RaisesOnThird):
        embed(org, doc)
    failed = state(org, doc)
    assert (failed.index_state, failed.index_error) == (IndexState.FAILED, "_RaisesOnThird")
    assert failed.indexed_revision is not None
    assert failed.indexed_revision.number == 2
    with tenancy.scope(org.tenant.pk):
        assert not Vector.objects.exists()  # none of revision 1 is left
        assert not Term.objects.filter(term="20").exists()
    monkeypatch.undo()
    embed(org, doc)
    assert state(org, doc).index_state == IndexState.READY


@pytest.mark.django_db
def test_fc_28_failing_chunker_keeps_the_last_good_revision(monkeypatch: Any) -> None:
    org = make_org()
    doc = make_page(org, TWO_SECTIONS)
    embed(org, doc)

    def fail(*args: Any) -> None:
        raise ValueError("chunker")

    monkeypatch.setattr(ingest, "chunk", fail)
    edit_page(org, doc, source=TWO_SECTIONS.replace("20", "35"))
    failed = state(org, doc)
    assert failed.index_state == IndexState.FAILED
    assert failed.indexed_revision is not None
    assert failed.indexed_revision.number == 1
    with tenancy.scope(org.tenant.pk):
        assert Term.objects.filter(term="20").exists()
        assert not Term.objects.filter(term="35").exists()
        assert Revision.objects.filter(doc=doc).count() == 2  # the save itself was not lost
    monkeypatch.undo()
    with tenancy.scope(org.tenant.pk):
        intake.retry_index(failed)
        assert not Term.objects.filter(term="20").exists()
        assert Term.objects.filter(term="35").exists()


@pytest.mark.django_db
def test_deleted_and_archived_pages_leave_the_index_and_come_back() -> None:
    org = make_org()
    doc = make_page(org, TWO_SECTIONS)
    edit_page(org, doc, status="archived")
    with tenancy.scope(org.tenant.pk):
        assert not Node.objects.exists()
    edit_page(org, doc, status="published")
    with tenancy.scope(org.tenant.pk):
        assert Node.objects.count() == 1
        intake.delete_page(org.editor, doc)
        assert not Node.objects.exists()
        assert not Term.objects.exists()
        intake.restore_page(org.editor, doc)
        assert Node.objects.count() == 1


@pytest.mark.django_db
def test_fc_30_draft_over_a_published_page_is_not_indexed() -> None:
    org = make_org()
    doc = make_page(org, "The fee is 20 euros.")
    edit_page(org, doc, source="The fee is 35 euros.", status="draft")
    with tenancy.scope(org.tenant.pk):
        doc = Doc.objects.select_related("head_revision", "published_revision").get()
        assert doc.head_revision is not None
        assert doc.published_revision is not None
        assert (doc.head_revision.number, doc.published_revision.number) == (2, 1)
        assert list(Node.objects.values_list("text", flat=True)) == ["The fee is 20 euros."]


def test_fc_73_rolled_back_save_leaves_no_task(committed_db: None, monkeypatch: Any) -> None:
    sent: list[str] = []
    monkeypatch.setattr(intake.tasks.embed_page, "delay", lambda tenant, doc: sent.append(doc))
    org = make_org()
    with tenancy.scope(org.tenant.pk), transaction.atomic():
        intake.create_page(org.editor, PageFields(title="Gone", source="Never saved."))
        transaction.set_rollback(True)
    assert sent == []
    doc = make_page(org, "Saved.")
    assert sent == [str(doc.pk)]


def test_fc_73_two_saves_in_one_transaction_index_the_last_text(
    committed_db: None, eager_tasks: None
) -> None:
    org = make_org()
    doc = make_page(org, "First text.")
    with tenancy.scope(org.tenant.pk):
        intake.update_page(org.editor, doc, PageFields(source="Second text."))
        intake.update_page(org.editor, doc, PageFields(source="Third text."))
    with tenancy.scope(org.tenant.pk):
        assert list(Node.objects.values_list("text", flat=True)) == ["Third text."]
        assert Vector.objects.count() == 1
    assert state(org, doc).index_state == IndexState.READY


def test_fc_74_task_twice_at_once_and_late_leaves_one_set(committed_db: None) -> None:
    org = make_org()
    doc = make_page(org, TWO_SECTIONS)
    barrier = threading.Barrier(2)

    def run(_: int) -> None:
        barrier.wait()
        embed(org, doc)
        connection.close()

    with ThreadPoolExecutor(max_workers=2) as pool:
        list(pool.map(run, range(2)))
    with tenancy.scope(org.tenant.pk):
        assert Vector.objects.count() == Node.objects.count() == 1
    edit_page(org, doc, source="Something new.")
    embed(org, doc)
    assert embed(org, doc) == 0  # an old message, delivered late
    with tenancy.scope(org.tenant.pk):
        assert Vector.objects.count() == Node.objects.count() == 1


def test_reconciler_repairs_a_lost_message(committed_db: None, monkeypatch: Any) -> None:
    sent: list[str] = []
    monkeypatch.setattr(intake.tasks.embed_page, "delay", lambda tenant, doc: sent.append(doc))
    org = make_org()
    doc = make_page(org, "Saved.")
    sent.clear()
    assert index.reconcile(org.tenant.pk) == 0  # its own message may still be on the way
    with tenancy.scope(org.tenant.pk):
        Doc.objects.filter(pk=doc.pk).update(updated_at="2020-01-01T00:00:00Z")
    assert index.reconcile(org.tenant.pk) == 1
    assert sent == [str(doc.pk)]


@pytest.mark.django_db
def test_fc_63_empty_sections_send_no_blank_text_to_the_encoder(monkeypatch: Any) -> None:
    org = make_org()
    doc = make_page(org, "# A\n\n\n## B\n\n\n\n## C\ntext")
    given: list[str] = []
    encoder = registry.encoder()
    encode = encoder.encode_passages
    monkeypatch.setattr(
        encoder, "encode_passages", lambda texts: (given.extend(texts), encode(texts))[1]
    )
    embed(org, doc)
    assert given
    assert all(text.strip() for text in given)
    with tenancy.scope(org.tenant.pk):
        assert Node.objects.filter(text__contains="text").count() == 1


@pytest.mark.django_db
def test_fc_58_nul_is_gone_before_anything_is_counted() -> None:
    org = make_org()
    doc = make_page(org, "# Pumps\x00\n\nThe pump\x00 code is 55.\x00\n")
    make_page(org, "A clean page that must be stored too.", title="Second")
    with tenancy.scope(org.tenant.pk):
        revision = Revision.objects.get(doc=doc)
        at = revision.text.index("The pump code is 55.")
        assert "\x00" not in revision.source + revision.text
        chunk = Chunk.objects.get(revision=revision)
        assert revision.text[chunk.char_start : chunk.char_end][at:] == "The pump code is 55."
        assert Doc.objects.count() == 2


@pytest.mark.django_db
def test_links_resolve_by_path_id_and_title_and_wait_for_wanted_pages() -> None:
    org = make_org()
    target = make_page(org, "The decree.", title="Decree 145", slug="law/decree-145")
    page = make_page(
        org,
        f"[a](/law/decree-145) [[Decree 145]] [b](/kb/{target.pk}) [c](https://example.com)"
        " [[Later page]] [d](law/decree-145)",
        slug="handbook",
    )
    with tenancy.scope(org.tenant.pk):
        links = DocLink.objects.filter(source=page)
        assert {link.href: link.target_id for link in links} == {
            "/law/decree-145": target.pk,
            "law/decree-145": target.pk,
            "wiki:Decree 145": target.pk,
            f"/kb/{target.pk}": target.pk,
            "wiki:Later page": None,
        }
    later = make_page(org, "Here it is.", title="Later page")
    with tenancy.scope(org.tenant.pk):
        assert DocLink.objects.get(href="wiki:Later page").target_id == later.pk


@pytest.mark.django_db
def test_title_that_two_pages_have_resolves_no_wiki_link() -> None:
    org = make_org()
    make_page(org, "One.", title="Invoice", slug="finance/2024/invoice")
    make_page(org, "Two.", title="Invoice", slug="finance/2025/invoice")
    page = make_page(org, "[[Invoice]]")
    with tenancy.scope(org.tenant.pk):
        assert DocLink.objects.get(source=page).target_id is None


@pytest.mark.django_db
def test_reconciler_joins_links_of_pages_that_were_saved_at_the_same_moment() -> None:
    org = make_org()
    page = make_page(org, "[[Twin]]", title="One")
    twin = make_page(org, "Words.", title="Twin")
    with tenancy.scope(org.tenant.pk):
        DocLink.objects.update(target=None)  # as when neither transaction saw the other
    index.reconcile(org.tenant.pk)
    with tenancy.scope(org.tenant.pk):
        assert DocLink.objects.get(source=page).target_id == twin.pk
