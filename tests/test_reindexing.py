"""Vectors of another encoder, chunks and terms of older rules: noticed, rebuilt, and meanwhile harmless."""

from __future__ import annotations

from collections import Counter
from io import StringIO
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from kb import index, ingest, intake, reindexing, tasks
from kb.models import Chunk, Doc, IndexState
from memory import checks, keywords, recipes, tenancy, vectors
from memory.backends import registry
from memory.backends.encoders.fake import FakeEncoder
from memory.errors import EncoderChanged
from memory.models import Bank, BankKind, Node, Term, Vector
from memory.retain import engine
from memory.retain.items import RetainItem
from tests.asks import ask_page, models, reply
from tests.factories import Org, edit_page, make_org, make_page

pytestmark = pytest.mark.django_db
CAP = "Overtime shall not exceed 12 hours per week."


@pytest.fixture
def org() -> Org:
    return make_org()


@pytest.fixture
def use_encoder(settings: Any) -> Any:
    def use(name: str) -> None:
        settings.FOOTNOTE = settings.FOOTNOTE | {"ENCODER": f"tests.wide_encoder.{name}"}

    return use


def indexed_page(org: Org, source: str = CAP, **fields: Any) -> Doc:
    doc = make_page(org, source, **fields)
    index.embed_page(org.tenant.pk, doc.pk)
    return doc


def stored(org: Org) -> set[tuple[str, int]]:
    with tenancy.scope(org.tenant.pk):
        return {(recipe.name, recipe.dimensions) for recipe in vectors.stored_recipes()}


def reindex(org: Org, *flags: str) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    call_command("reindex", "--tenant", org.tenant.slug, *flags, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def degraded(org: Org, doc: Doc) -> tuple[str, ...]:
    with models(lambda p: reply(p, CAP, CAP)):
        record = ask_page(org.reader, doc, "How much overtime?")
    assert record.answer_text == f"{CAP} [1]"
    return record.degraded


def test_fc_55_vectors_of_the_encoder_of_today_wait_for_nothing(org: Org) -> None:
    doc = indexed_page(org)
    assert recipes.changes(org.tenant.pk) == []
    assert checks.vectors_are_of_the_encoder(databases=["default"]) == []
    checks.refuse_changed_encoder()
    assert degraded(org, doc) == ()


def test_fc_55_other_encoder_of_the_same_size_is_noticed_and_keywords_answer(
    org: Org, use_encoder: Any, caplog: pytest.LogCaptureFixture
) -> None:
    doc = indexed_page(org)
    use_encoder("OtherEncoder")
    [change] = recipes.changes(org.tenant.pk)
    assert (change.stored.name, change.current.name, change.passages) == (
        "fake-bag-of-words/64",
        "other-words/64",
        1,
    )
    [warning] = checks.vectors_are_of_the_encoder(databases=["default"])
    assert warning.id == "memory.W001"
    assert "manage.py reindex" in warning.msg
    checks.refuse_changed_encoder()
    assert "encoder_changed" in caplog.text
    assert degraded(org, doc) == ("vectors",)


def test_fc_55_other_size_is_refused_with_both_sizes_and_the_command(
    org: Org, use_encoder: Any
) -> None:
    doc = indexed_page(org)
    use_encoder("WideEncoder")
    with pytest.raises(EncoderChanged) as refusal:
        checks.refuse_changed_encoder()
    for words in ("64 numbers", "(128)", "manage.py reindex"):
        assert words in str(refusal.value)
    [error] = checks.vectors_are_of_the_encoder(databases=["default"])
    assert error.id == "memory.E003"
    assert degraded(org, doc) == ("vectors",)


def test_fc_55_other_size_under_the_same_name_is_refused_too(org: Org, use_encoder: Any) -> None:
    doc = indexed_page(org)
    use_encoder("MisnamedEncoder")
    with pytest.raises(EncoderChanged, match="64 numbers each"):
        checks.refuse_changed_encoder()
    reindex(org)
    checks.refuse_changed_encoder()
    assert stored(org) == {("fake-bag-of-words/64", 128)}
    assert degraded(org, doc) == ()


def test_fc_55_encoder_that_cannot_be_loaded_stops_nothing_and_is_an_error_of_the_check(
    org: Org, settings: Any
) -> None:
    indexed_page(org)
    settings.FOOTNOTE = settings.FOOTNOTE | {"ENCODER": "tests.wide_encoder.Gone"}
    checks.refuse_changed_encoder()
    [error] = checks.vectors_are_of_the_encoder(databases=["default"])
    assert error.id == "memory.E004"


def test_reindex_builds_beside_the_old_vectors_and_prunes_when_told(
    org: Org, use_encoder: Any
) -> None:
    doc = indexed_page(org)
    use_encoder("WideEncoder")
    said, _ = reindex(org)
    assert said == f"{org.tenant.slug}: 1 pages done, 0 failed.\n"
    assert stored(org) == {("fake-bag-of-words/64", 64), ("wide-words/128", 128)}
    checks.refuse_changed_encoder()
    assert degraded(org, doc) == ()
    said, _ = reindex(org, "--prune")
    assert said.splitlines() == [
        f"{org.tenant.slug}: 0 pages done, 0 failed.",
        f"{org.tenant.slug}: 1 vectors of other encoders removed.",
    ]
    assert stored(org) == {("wide-words/128", 128)}


def test_reindex_counts_failures_goes_on_and_can_be_run_again(
    org: Org, use_encoder: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    good, bad = indexed_page(org), indexed_page(org, "Poison is kept in the shed.")
    use_encoder("WideEncoder")
    encode = FakeEncoder.encode_passages

    def fail(self: FakeEncoder, texts: Any) -> np.ndarray:
        if "Poison" in texts[0]:
            raise RuntimeError("no vectors today")
        return encode(self, texts)

    monkeypatch.setattr(FakeEncoder, "encode_passages", fail)
    out = StringIO()
    with pytest.raises(CommandError, match="Run the command again"):
        call_command("reindex", "--tenant", org.tenant.slug, "--prune", stdout=out)
    assert out.getvalue() == f"{org.tenant.slug}: 1 pages done, 1 failed.\n"
    with tenancy.scope(org.tenant.pk):
        states = dict(Doc.objects.values_list("pk", "index_state"))
    assert states == {good.pk: IndexState.READY, bad.pk: IndexState.FAILED}
    assert ("fake-bag-of-words/64", 64) in stored(
        org
    )  # nothing is pruned while a page lacks its new ones
    monkeypatch.undo()
    use_encoder("WideEncoder")
    assert reindex(org)[0] == f"{org.tenant.slug}: 1 pages done, 0 failed.\n"


def test_force_computes_every_vector_anew(org: Org, monkeypatch: pytest.MonkeyPatch) -> None:
    doc = indexed_page(org)
    seen: list[str] = []
    encode = FakeEncoder.encode_passages

    def watch(self: FakeEncoder, texts: Any) -> np.ndarray:
        seen.extend(texts)
        return -encode(self, texts)

    with tenancy.scope(org.tenant.pk):
        before = list(Vector.objects.get().embedding)
    monkeypatch.setattr(FakeEncoder, "encode_passages", watch)
    assert reindex(org)[0].endswith(": 0 pages done, 0 failed.\n")
    assert seen == []
    assert reindex(org, "--force")[0].endswith(": 1 pages done, 0 failed.\n")
    assert seen == [CAP]
    with tenancy.scope(org.tenant.pk):
        after = list(Vector.objects.get(node__document_id=doc.pk).embedding)
    assert after == pytest.approx([-value for value in before])


def test_new_chunker_is_noticed_and_old_chunks_answer_until_the_page_is_cut_anew(
    org: Org, monkeypatch: pytest.MonkeyPatch
) -> None:
    doc = indexed_page(org)
    monkeypatch.setattr(ingest, "CHUNKER_VERSION", 2)
    assert degraded(org, doc) == ()
    assert reindex(org)[0].endswith(": 1 pages done, 0 failed.\n")
    assert reindex(org)[0].endswith(": 0 pages done, 0 failed.\n")
    with tenancy.scope(org.tenant.pk):
        assert sorted(Chunk.objects.values_list("chunker", flat=True)) == ["1", "2"]
        node = Node.objects.get()
        assert Chunk.objects.get(pk=node.chunk_id).chunker == "2"
        assert Vector.objects.filter(node=node).exists()  # the same words keep their vector
    assert degraded(org, doc) == ()


def test_new_analyser_writes_the_terms_of_unchanged_words_again(
    org: Org, monkeypatch: pytest.MonkeyPatch
) -> None:
    doc = indexed_page(org)

    def terms_of(doc: Doc) -> set[str]:
        with tenancy.scope(org.tenant.pk):
            found = Term.objects.filter(node__document_id=doc.pk)
            return set(found.exclude(term="").values_list("term", flat=True))

    before = terms_of(doc)
    monkeypatch.setattr(ingest, "ANALYSER_VERSION", 2)
    monkeypatch.setattr(keywords, "count", lambda text, language: Counter(new=2, terms=1))
    assert reindex(org)[0].endswith(": 1 pages done, 0 failed.\n")
    assert terms_of(doc) == {"new", "terms"} != before
    with tenancy.scope(org.tenant.pk):
        assert Node.objects.get().term_count == 3
    monkeypatch.undo()
    assert reindex(org, "--chunks")[0].endswith(": 1 pages done, 0 failed.\n")
    assert terms_of(doc) == before


def test_reconciler_cuts_outdated_pages_anew_by_itself(
    org: Org, monkeypatch: pytest.MonkeyPatch, eager_tasks: None
) -> None:
    doc = indexed_page(org)
    assert tasks.reconcile() == 0
    monkeypatch.setattr(ingest, "CHUNKER_VERSION", 2)
    assert tasks.reconcile() == 1
    assert tasks.reconcile() == 0
    with tenancy.scope(org.tenant.pk):
        doc.refresh_from_db()
    assert (doc.index_rules, doc.index_state) == ("c2.a1.en", IndexState.READY)


def test_change_of_a_page_s_language_analyses_it_again(org: Org) -> None:
    doc = make_page(org, "The houses are closed.", language="en")

    def terms() -> set[str]:
        with tenancy.scope(org.tenant.pk):
            return set(Term.objects.values_list("term", flat=True))

    english = terms()
    edit_page(org, doc, language="de")
    assert terms() != english
    edit_page(org, doc, language="en")
    assert terms() == english


def test_chunker_that_fails_keeps_the_index_and_counts_as_failed(
    org: Org, monkeypatch: pytest.MonkeyPatch
) -> None:
    doc = indexed_page(org)

    def fail(*_: Any) -> Any:
        raise ValueError("cannot cut")

    monkeypatch.setattr(ingest, "CHUNKER_VERSION", 2)
    with patch.object(ingest, "chunk", fail):
        progress = reindexing.rebuild(org.tenant.pk)
    assert (progress.total, progress.done, progress.failed) == (1, 0, 1)
    with tenancy.scope(org.tenant.pk):
        doc.refresh_from_db()
    assert (doc.index_state, doc.index_rules) == (IndexState.FAILED, "c1.a1.en")
    assert degraded(org, doc) == ()
    assert reindexing.rebuild(org.tenant.pk).done == 1


def test_pages_that_are_gone_or_archived_are_left_alone(org: Org, use_encoder: Any) -> None:
    gone, archived = indexed_page(org, title="Gone"), indexed_page(org, title="Archived")
    with tenancy.scope(org.tenant.pk):
        intake.delete_page(org.editor, gone)
    edit_page(org, archived, status="archived")
    use_encoder("WideEncoder")
    assert reindexing.rebuild(org.tenant.pk, force=True, chunks=True).total == 0
    assert reindexing.rebuild_page(org.tenant.pk, archived.pk, chunks=True)
    with tenancy.scope(org.tenant.pk):
        assert not Node.objects.exists()


def test_reindex_reads_no_other_organisation(org: Org, use_encoder: Any) -> None:
    other = make_org()
    indexed_page(org)
    indexed_page(other)
    use_encoder("WideEncoder")
    reindex(org, "--prune")
    assert stored(other) == {("fake-bag-of-words/64", 64)}
    [change] = recipes.all_changes()
    assert (change.stored.dimensions, change.passages) == (64, 1)


def bank_of(org: Org, *texts: str) -> Bank:
    with tenancy.scope(org.tenant.pk):
        bank = Bank.objects.create(tenant=org.tenant, name="work", kind=BankKind.MEMORY)
        for number, text in enumerate(texts):
            engine.retain(bank.pk, [RetainItem(content=text, document_name=f"d{number}")])
    return bank


def test_fc_55_reindex_covers_memory_banks_with_their_observations(
    org: Org, use_encoder: Any
) -> None:
    bank_of(org, "The gate code is 4711.", "The code of the gate is 4711.")
    use_encoder("WideEncoder")
    assert reindex(org)[0].splitlines() == [
        f"{org.tenant.slug}: 0 pages done, 0 failed.",
        f"{org.tenant.slug}: 5 memories done, 0 failed.",
    ]
    assert recipes.changes(org.tenant.pk) == []
    checks.refuse_changed_encoder()
    assert reindex(org, "--prune")[0].splitlines() == [
        f"{org.tenant.slug}: 0 pages done, 0 failed.",
        f"{org.tenant.slug}: 5 vectors of other encoders removed.",
    ]
    with tenancy.scope(org.tenant.pk):
        assert Vector.objects.filter(recipe="wide-words/128").count() == 5


def test_a_turn_is_encoded_again_as_it_was_at_first(org: Org, monkeypatch: Any) -> None:
    turns = (
        {"speaker": "Ana", "content": "Where to?"},
        {"speaker": "Ben", "content": "To Lisbon."},
    )
    with tenancy.scope(org.tenant.pk):
        bank = Bank.objects.create(tenant=org.tenant, name="work", kind=BankKind.MEMORY)
        engine.retain(bank.pk, [RetainItem(content=turns, timestamp="2023-05-08")])
        before = {vector.node_id: list(vector.embedding) for vector in Vector.objects.all()}
    assert "3 memories done, 0 failed" in reindex(org, "--force")[0]
    with tenancy.scope(org.tenant.pk):
        assert {vector.node_id: list(vector.embedding) for vector in Vector.objects.all()} == before


def test_memory_that_fails_is_counted_and_keeps_the_others_vectors(
    org: Org, use_encoder: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    bank_of(org, "The gate code is 4711.", "Poison is kept in the shed.")
    use_encoder("WideEncoder")
    encode = FakeEncoder.encode_passages

    def fail(self: FakeEncoder, texts: Any) -> np.ndarray:
        if any("Poison" in text for text in texts):
            raise RuntimeError("no vectors today")
        return encode(self, texts)

    monkeypatch.setattr(FakeEncoder, "encode_passages", fail)
    out = StringIO()
    with pytest.raises(CommandError, match="Run the command again"):
        call_command("reindex", "--tenant", org.tenant.slug, "--prune", stdout=out)
    assert "2 memories done, 2 failed." in out.getvalue()
    assert ("fake-bag-of-words/64", 64) in stored(org)
    monkeypatch.undo()
    use_encoder("WideEncoder")
    assert "2 memories done, 0 failed." in reindex(org)[0]


def test_unknown_organisation_is_said() -> None:
    with pytest.raises(CommandError, match="no organisation nowhere"):
        call_command("reindex", "--tenant", "nowhere")


def test_encoder_is_not_loaded_where_nothing_is_stored(org: Org) -> None:
    with patch.object(registry, "encoder", side_effect=AssertionError("loaded")):
        assert recipes.changes(org.tenant.pk) == []
