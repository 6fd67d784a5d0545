"""Corpora of references: what a tree becomes, and what the next run keeps, moves and removes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.db import connection
from django.db.models import Sum

from memory import corpora, tenancy
from memory.backends import registry
from memory.backends.encoders.fake import FakeEncoder
from memory.corpora import Loaded, Progress
from memory.corpus_exchange import Exchange
from memory.errors import CorpusNotFound, InvalidCorpus
from memory.models import Bank, Corpus, Document, Level, Node, Term, Vector
from memory.trees import TreeUnreadable
from memory.vectors import indexed_text
from tests.bank_rows import make_bank
from tests.factories import make_org

PODS = "# Pods\n\nA pod is a group of containers.\n\n## Describe\n\nUse kubectl describe pod.\n"
NODES = "<!doctype html><html lang='de'><title>Knoten</title><main><p>Ein Knoten trägt Pods.</p>"
LONG = "\n\n".join(f"## Part {n}\n\n" + f"Words of part {n}. " * 90 for n in range(4))


@pytest.fixture
def bank(db: None) -> Bank:
    return make_bank(make_org(), "ops")


def tree(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, content in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def load(bank: Bank, path: Path, name: str = "docs", **options: Any) -> Loaded:
    return corpora.add(bank, name, path, **options)


def sections(bank: Bank) -> list[Node]:
    with tenancy.scope(bank.tenant_id):
        return list(Node.objects.filter(bank=bank).order_by("source_uri", "ordinal"))


def words(bank: Bank) -> dict[str, list[str]]:
    """Of each page, the texts of its sections."""
    found: dict[str, list[str]] = {}
    for node in sections(bank):
        found.setdefault(node.source_uri.rpartition("/")[2], []).append(node.text)
    return found


def test_a_tree_becomes_sections_with_address_headings_and_offsets(
    bank: Bank, tmp_path: Path
) -> None:
    loaded = load(
        bank, tree(tmp_path, {"a b/pods.md": PODS, "nodes.html": NODES, "logo.png": b"x"})
    )
    assert (loaded.corpus.documents, loaded.corpus.sections) == (2, 3)
    assert (loaded.added, loaded.kept, loaded.removed, loaded.problems) == (3, 0, 0, ())
    pods, describe, nodes = sorted(sections(bank), key=lambda node: node.language, reverse=True)
    assert pods.source_uri == f"{tmp_path.as_uri()}/a%20b/pods.md"
    assert (pods.heading_path, describe.heading_path) == (["Pods"], ["Pods", "Describe"])
    assert nodes.heading_path == ["Knoten"]
    assert (pods.level, pods.language, nodes.language) == (Level.R, "en", "de")
    with tenancy.scope(bank.tenant_id):
        for node in (pods, describe, nodes):
            text = Document.objects.get(pk=node.document_id).text
            assert text[node.char_start : node.char_end] == node.text
            assert Vector.objects.filter(node=node, level=Level.R, bank=bank).count() == 1
            terms = Term.objects.filter(node=node, level=Level.R).exclude(term="")
            counted = terms.aggregate(all=Sum("count"))
            assert counted["all"] == node.term_count > 0


def test_a_section_holds_what_stands_under_its_own_heading_alone(
    bank: Bank, tmp_path: Path
) -> None:
    page = (
        "# Proxy\n\nA module for requests that go elsewhere.\n\n"
        "## proxy_buffering\n\nSwitches the buffering of replies on or off.\n\n"
        "## client_max_body_size\n\nLimits the size of a request's body.\n"
    )
    load(bank, tree(tmp_path, {"proxy.md": page}))
    assert [(node.heading_path, node.text) for node in sections(bank)] == [
        (["Proxy"], "Proxy\nA module for requests that go elsewhere."),
        (
            ["Proxy", "proxy_buffering"],
            "proxy_buffering\nSwitches the buffering of replies on or off.",
        ),
        (
            ["Proxy", "client_max_body_size"],
            "client_max_body_size\nLimits the size of a request's body.",
        ),
    ]


def test_a_section_under_no_heading_still_stands_under_the_title(
    bank: Bank, tmp_path: Path
) -> None:
    load(bank, tree(tmp_path, {"faq.md": "---\ntitle: Questions\n---\nNo heading here.\n"}))
    assert sections(bank)[0].heading_path == ["Questions"]


def test_a_base_address_leads_every_source(bank: Bank, tmp_path: Path) -> None:
    load(bank, tree(tmp_path, {"x/pods.md": PODS}), base_uri="https://docs.example/en/")
    assert sections(bank)[0].source_uri == "https://docs.example/en/x/pods.md"


def test_the_same_tree_again_changes_nothing(bank: Bank, tmp_path: Path) -> None:
    tree(tmp_path, {"pods.md": PODS, "long.md": LONG})
    load(bank, tmp_path)
    before = rows(bank)
    again = load(bank, tmp_path)
    assert (again.added, again.removed) == (0, 0)
    assert again.kept == len(before)
    assert rows(bank) == before


def rows(bank: Bank) -> list[dict[str, Any]]:
    with tenancy.scope(bank.tenant_id):
        return list(Node.objects.filter(bank=bank).order_by("pk").values())


def test_only_the_section_that_changed_is_made_and_encoded_anew(
    bank: Bank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(bank, tree(tmp_path, {"long.md": LONG, "pods.md": PODS}))
    before = {node.sha: node for node in sections(bank)}
    encoded = watched_encoder(monkeypatch)
    tree(tmp_path, {"long.md": LONG.replace("Words of part 0. ", "Other words. ", 1)})
    again = load(bank, tmp_path)
    assert (again.added, again.removed) == (1, 1)
    after = {node.sha: node for node in sections(bank)}
    kept = before.keys() & after.keys()
    assert len(kept) == again.kept == len(before) - 1
    assert all(before[sha].pk == after[sha].pk for sha in kept)
    (fresh,) = (node for sha, node in after.items() if sha not in before)
    assert encoded == [indexed_text(fresh)]
    moved = [sha for sha in kept if before[sha].char_start != after[sha].char_start]
    assert moved, "sections behind the change keep their node and get their new place"
    check_places(bank)


def watched_encoder(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    encoded: list[str] = []

    class Watched(FakeEncoder):
        def encode_passages(self, texts: Any) -> np.ndarray:
            encoded.extend(texts)
            return super().encode_passages(texts)

    monkeypatch.setattr(registry, "encoder", lambda: Watched())
    return encoded


def check_places(bank: Bank) -> None:
    with tenancy.scope(bank.tenant_id):
        texts = dict(Document.objects.filter(bank=bank).values_list("pk", "text"))
        places: dict[Any, list[int]] = {}
        for node in Node.objects.filter(bank=bank).order_by("document_id", "char_start"):
            assert texts[node.document_id][node.char_start : node.char_end] == node.text
            places.setdefault(node.document_id, []).append(node.ordinal)
        assert all(found == list(range(len(found))) for found in places.values())
        recipe = registry.encoder().recipe.name
        assert Vector.objects.filter(bank=bank, recipe=recipe).count() == sum(
            map(len, places.values())
        )
        assert not Document.objects.exclude(pk__in=places).filter(bank=bank).exists()


def test_a_page_that_was_renamed_keeps_its_sections(bank: Bank, tmp_path: Path) -> None:
    load(bank, tree(tmp_path, {"old.md": PODS, "long.md": LONG}))
    before = {node.sha: node.pk for node in sections(bank)}
    (tmp_path / "old.md").rename(tmp_path / "new.md")
    again = load(bank, tmp_path)
    assert (again.added, again.removed) == (0, 0)
    assert {node.sha: node.pk for node in sections(bank)} == before
    assert sorted(words(bank)) == ["long.md", "new.md"]
    check_places(bank)


def test_sections_that_change_places_keep_their_nodes(bank: Bank, tmp_path: Path) -> None:
    """Each takes a place that the other still holds."""
    parts = [f"## Part {n}\n\n" + f"Words of part {n}. " * 70 for n in range(4)]
    load(bank, tree(tmp_path, {"long.md": "\n\n".join(["# Parts", *parts])}))
    before = {node.pk for node in sections(bank)}
    assert len(before) == 4
    load(bank, tree(tmp_path, {"long.md": "\n\n".join(["# Parts", *parts[::-1]])}))
    assert len(before & {node.pk for node in sections(bank)}) == 2  # the heading moved to another
    check_places(bank)


def test_what_is_no_longer_in_the_tree_is_gone(bank: Bank, tmp_path: Path) -> None:
    load(bank, tree(tmp_path, {"pods.md": PODS, "nodes.html": NODES}))
    (tmp_path / "pods.md").unlink()
    again = load(bank, tmp_path)
    assert (again.corpus.documents, again.removed) == (1, 2)
    assert list(words(bank)) == ["nodes.html"]
    check_places(bank)


def test_what_cannot_be_read_is_told_and_left_out(bank: Bank, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    loaded = load(bank, tree(tmp_path, {"pods.md": PODS, "nul.md": "# Nul\n\nThe\x00 code is 55."}))
    assert [problem.path for problem in loaded.problems] == ["pipe.md"]
    assert loaded.corpus.documents == 2
    assert "The code is 55." in {node.text.split("\n")[-1] for node in sections(bank)}


def test_the_same_words_in_two_pages_are_two_sections(bank: Bank, tmp_path: Path) -> None:
    load(bank, tree(tmp_path, {"a.md": PODS, "b.md": PODS}))
    first = {node.source_uri: node.pk for node in sections(bank)}
    tree(tmp_path, {"0.md": PODS})
    load(bank, tmp_path)
    after = {node.source_uri: node.pk for node in sections(bank)}
    assert len(after) == 3
    assert len(sections(bank)) == 6
    assert first.items() <= after.items()


def test_other_rules_make_sections_anew_and_take_their_vectors_over(
    bank: Bank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(bank, tree(tmp_path, {"pods.md": PODS}))
    before = {node.pk for node in sections(bank)}
    encoded = watched_encoder(monkeypatch)
    monkeypatch.setattr("memory.corpus_pages.ANALYSER_VERSION", -1)
    assert load(bank, tmp_path).added == len(before) == 2
    assert not before & {node.pk for node in sections(bank)}
    assert encoded == []
    check_places(bank)


def test_a_file_that_cannot_be_read_is_told_and_left_out(bank: Bank, tmp_path: Path) -> None:
    tree(
        tmp_path, {"pods.md": PODS, "bad.md": b"\x00\x01\x02" * 99, "empty.html": "<p hidden>x</p>"}
    )
    (tmp_path / "link.md").symlink_to("/etc/hostname")
    seen: list[Progress] = []
    loaded = load(bank, tmp_path, watch=seen.append)
    assert {problem.path for problem in loaded.problems} == {"bad.md", "empty.html", "link.md"}
    assert {step.problem for step in seen if step.problem} == set(loaded.problems)
    assert list(words(bank)) == ["pods.md"]
    assert {step.step for step in seen} == {"reading", "encoding", "storing"}


def test_hidden_files_and_folders_are_passed_over(bank: Bank, tmp_path: Path) -> None:
    loaded = load(bank, tree(tmp_path, {"pods.md": PODS, ".git/a.md": PODS, ".b.md": PODS}))
    assert (loaded.corpus.documents, loaded.problems) == (1, ())


def test_a_tree_without_a_page_leaves_the_old_corpus(bank: Bank, tmp_path: Path) -> None:
    load(bank, tree(tmp_path / "good", {"pods.md": PODS}))
    with pytest.raises(InvalidCorpus):
        load(bank, tree(tmp_path / "bad", {"logo.png": b"x"}))
    with pytest.raises(TreeUnreadable):
        load(bank, tmp_path / "none")
    assert list(words(bank)) == ["pods.md"]


def test_a_fault_while_storing_leaves_the_old_corpus_as_it_was(
    bank: Bank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(bank, tree(tmp_path, {"pods.md": PODS}))
    before = rows(bank)

    def fail(*_: Any) -> None:
        raise RuntimeError("the disk is full")

    monkeypatch.setattr("memory.corpora.Exchange.remove_old", fail)
    tree(tmp_path, {"pods.md": PODS.replace("group", "set")})
    with pytest.raises(RuntimeError):
        load(bank, tmp_path)
    assert rows(bank) == before
    with tenancy.scope(bank.tenant_id):
        assert "group" in Document.objects.get().text


def test_two_corpora_of_a_bank_do_not_touch_each_other(bank: Bank, tmp_path: Path) -> None:
    load(bank, tree(tmp_path / "a", {"pods.md": PODS}), "first")
    load(bank, tree(tmp_path / "b", {"pods.md": NODES}), "second")
    with tenancy.scope(bank.tenant_id):
        assert [corpus.name for corpus in corpora.corpora(bank)] == ["first", "second"]
        assert corpora.remove(bank, "first") == 2
        assert Document.objects.count() == Node.objects.count() == Vector.objects.count() == 1
        with pytest.raises(CorpusNotFound):
            corpora.remove(bank, "first")
        connection.check_constraints()


@pytest.mark.parametrize("name", ["", " ", "x" * 201])
def test_a_name_that_no_corpus_can_have_is_refused(bank: Bank, tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidCorpus):
        load(bank, tree(tmp_path, {"pods.md": PODS}), name)
    with tenancy.scope(bank.tenant_id):
        assert not Corpus.objects.exists()


def test_nothing_is_encoded_inside_a_transaction(
    committed_bank: Bank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Watching(FakeEncoder):
        def encode_passages(self, texts: Any) -> np.ndarray:
            assert not connection.in_atomic_block
            return super().encode_passages(texts)

    monkeypatch.setattr(registry, "encoder", lambda: Watching())
    assert load(committed_bank, tree(tmp_path, {"pods.md": PODS})).added == 2


@pytest.fixture
def committed_bank(committed_db: None) -> Bank:
    return make_bank(make_org(), "ops")


def test_readers_see_the_old_corpus_until_the_new_one_is_whole(
    committed_bank: Bank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(committed_bank, tree(tmp_path, {"pods.md": PODS, "old.md": "# Old\n\nGone soon.\n"}))
    before = words(committed_bank)
    remove_old = Exchange.remove_old
    seen: list[dict[str, list[str]]] = []

    def look(exchange: Exchange) -> None:
        with ThreadPoolExecutor(1) as elsewhere:
            seen.append(elsewhere.submit(read_elsewhere, committed_bank).result())
        remove_old(exchange)

    monkeypatch.setattr(Exchange, "remove_old", look)
    (tmp_path / "old.md").unlink()
    load(committed_bank, tree(tmp_path, {"pods.md": PODS.replace("group", "set"), "new.md": LONG}))
    assert seen == [before]
    assert sorted(words(committed_bank)) == ["new.md", "pods.md"]


def read_elsewhere(bank: Bank) -> dict[str, list[str]]:
    try:
        return words(bank)
    finally:
        connection.close()


def test_two_runs_at_once_leave_one_corpus(committed_bank: Bank, tmp_path: Path) -> None:
    trees = [tree(tmp_path / name, {"pods.md": PODS, f"{name}.md": LONG}) for name in "ab"]

    def run(path: Path) -> None:
        try:
            load(committed_bank, path)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(run, trees))
    assert sorted(words(committed_bank)) in (["a.md", "pods.md"], ["b.md", "pods.md"])
    check_places(committed_bank)
    with tenancy.scope(committed_bank.tenant_id):
        assert Corpus.objects.count() == 1


def test_another_converter_takes_other_files(bank: Bank, tmp_path: Path, settings: Any) -> None:
    path = "memory.backends.converters.fake.FakeConverter"
    settings.FOOTNOTE = {**settings.FOOTNOTE, "CONVERTER": path}
    load(bank, tree(tmp_path, {"pods.md": PODS, "notes.txt": "# Notes\n\nA pod is small.\n"}))
    assert list(words(bank)) == ["notes.txt"]
    assert sections(bank)[0].heading_path == ["Notes"]
