"""Evaluation of recall on handfuls of documents: a collection, paragraphs, a conversation."""

from __future__ import annotations

import io
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from kb.evaluation import retrieval_figures, retrieval_sets
from kb.evaluation.datasets import DataMissing
from kb.evaluation.pages import TENANT_SLUG
from kb.evaluation.plain_bm25 import PlainBm25
from kb.evaluation.report import table
from kb.evaluation.retrieval import Found
from kb.evaluation.retrieval_sets import Query, Shape
from memory import tenancy
from memory.models import Bank, Level, Node, Tenant, Vector


def lines(*rows: dict[str, Any]) -> str:
    return "\n".join(map(json.dumps, rows)) + "\n"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    collection = tmp_path / "scifact"
    collection.mkdir()
    (collection / "corpus.jsonl").write_text(
        lines(
            {"doc_id": "1", "title": "Overtime", "sentences": ["Overtime is paid.", "Twice."]},
            {"doc_id": "2", "title": "Leave", "text": "Parental leave lasts a year."},
            {"doc_id": "3", "title": "", "text": "The kitchen opens at eight & closes <late>."},
        )
    )
    (collection / "queries.jsonl").write_text(
        lines(
            {"qid": "a", "text": "overtime paid"},
            {"qid": "b", "text": "parental leave"},
            {"qid": "c", "text": "nobody judged this"},
        )
    )
    (collection / "qrels.tsv").write_text(
        "query_id\tdoc_id\trelevance\na\t1\t2\nb\t2\t1\nb\t3\t0\n"
    )
    conversation = tmp_path / "locomo"
    conversation.mkdir()
    (conversation / "turns.jsonl").write_text(
        lines(
            turn("D1:1", "Ana", "I adopted a dog called Pepper."),
            turn("D1:2", "Ben", "Lovely! I moved to Lisbon in spring."),
            turn("D2:1", "Ana", "The piano lessons start on Monday.", session=2),
            turn("D2:2", "Ben", "Look at this.", session=2, image_caption="a red kayak"),
        )
    )
    (conversation / "questions.jsonl").write_text(
        lines(
            asked("1", "Which dog did Ana adopt?", 4, "D1:1"),
            asked("2", "When do the piano lessons start?", 2, "D2:1"),
            asked("3", "What did the kayak look like?", 1, "D2:2; D9:9"),
            asked("4", "What did Ben adopt?", 5, "D1:1"),
        )
    )
    return tmp_path


def turn(name: str, speaker: str, text: str, *, session: int = 1, **more: str) -> dict[str, Any]:
    return {
        "conv_id": "talk",
        "session": session,
        "session_datetime": f"2023-05-0{session}T13:00:00",
        "dia_id": name,
        "speaker": speaker,
        "text": text,
        **more,
    }


def asked(qid: str, text: str, category: int, evidence: str) -> dict[str, Any]:
    return {
        "qid": qid,
        "conv_id": "talk",
        "question": text,
        "category": category,
        "evidence": [evidence],
    }


def evaluate(*arguments: str) -> tuple[dict[str, Any], str]:
    out, err = io.StringIO(), io.StringIO()
    call_command("evaluate", *arguments, "--json", stdout=out, stderr=err)
    return json.loads(out.getvalue()), err.getvalue()


# -- sets -----------------------------------------------------------------------------------------


def test_a_set_is_known_by_its_files(data: Path) -> None:
    assert retrieval_sets.shape_of(data, "scifact") is Shape.COLLECTION
    assert retrieval_sets.shape_of(data, "locomo") is Shape.CONVERSATION
    assert retrieval_sets.shape_of(data, "nothing") is None
    with pytest.raises(DataMissing):
        retrieval_sets.load(data, "nothing", per_group=None)


def test_queries_that_nobody_judged_and_grades_of_nothing_are_left_out(data: Path) -> None:
    (bank,) = retrieval_sets.load(data, "scifact", per_group=None).banks
    assert {one.qid: dict(one.relevant) for one in bank.queries} == {
        "a": {"1": 2.0},
        "b": {"2": 1.0},
    }


def test_adversarial_questions_and_evidence_that_is_not_there_are_left_out(data: Path) -> None:
    (bank,) = retrieval_sets.load(data, "locomo", per_group=None).banks
    assert [(one.group, dict(one.relevant)) for one in bank.queries] == [
        ("single_hop", {"D1:1": 1.0}),
        ("temporal", {"D2:1": 1.0}),
        ("multi_hop", {"D2:2": 1.0}),
    ]
    assert bank.sessions[1].at == datetime(2023, 5, 2, 13, tzinfo=UTC)
    assert bank.texts()["D2:2"] == "Ben: Look at this. [shares a picture: a red kayak]"


def test_a_sample_is_the_same_every_time(data: Path) -> None:
    first, second = (
        [one.qid for one in retrieval_sets.load(data, "scifact", per_group=1).banks[0].queries]
        for _ in range(2)
    )
    assert first == second
    assert len(first) == 1


# -- plain BM25 -----------------------------------------------------------------------------------


def test_plain_bm25_puts_the_rarer_word_first_and_finds_nothing_without_one() -> None:
    index = PlainBm25({"a": "the cat sat", "b": "the dog sat", "c": "the dog ran"})
    assert index.search("cat sat", limit=5) == ["a", "b"]
    assert index.search("zebra", limit=5) == []


def test_plain_bm25_knows_scripts_without_spaces_by_pairs() -> None:
    index = PlainBm25({"a": "我喜欢东京的春天", "b": "北京很大"})
    assert index.search("东京", limit=5) == ["a"]


# -- figures --------------------------------------------------------------------------------------


def found(ranked: tuple[str, ...], group: str = "") -> Found:
    return Found(
        query=Query("q", "q", {"x": 1.0}, group),
        ranked=ranked,
        arms={"keyword": ("y",)},
        milliseconds=3.0,
        is_degraded=False,
    )


def test_figures_are_means_over_queries_with_intervals_and_by_group() -> None:
    figures = retrieval_figures.of_set([found(("x",), "en"), found(("y", "x"), "de")])
    assert figures["n"] == 2
    assert figures["mrr"] == 0.75
    assert figures["recall@10"] == 1.0
    assert figures["de"]["mrr"] == 0.5
    assert figures["arms"]["keyword"]["recall@50"] == 0.0
    low, high = figures["mrr_ci95"]
    assert low <= 0.75 <= high


def test_figures_of_recall_stand_beside_those_of_answers() -> None:
    figures: dict[str, Any] = {"n": 9, "span_hit@1": 0.8, "en": {"n": 9, "answered": 0.9}}
    retrieval_figures.add_to(figures, retrieval_figures.of_set([found(("x",), "en")]))
    assert (figures["n"], figures["queries"], figures["span_hit@1"]) == (9, 1, 0.8)
    assert figures["en"]["answered"] == 0.9
    assert figures["en"]["ndcg@10"] == 1.0


def test_the_table_has_a_row_for_each_arm_and_no_column_that_nothing_is_known_of() -> None:
    shown = table({"scifact": retrieval_figures.of_set([found(("x",))])})
    assert "scifact.arms.keyword" in shown
    assert "ndcg@10" in shown
    assert "span_hit@1" not in shown


# -- the command ----------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_a_collection_is_asked_through_recall_in_a_tenant_of_its_own(data: Path) -> None:
    figures, _ = evaluate("scifact", f"--data={data}")
    assert figures["scifact"]["n"] == 2
    assert figures["scifact"]["ndcg@10"] == 1.0
    assert figures["scifact"]["arms"].keys() == {"semantic", "keyword", "bm25"}
    assert figures["scifact"]["arms"]["keyword"]["mrr"] == 1.0
    with tenancy.scope(Tenant.objects.get(slug=TENANT_SLUG).pk):
        assert Node.objects.filter(level=Level.R).count() == 3
        assert Bank.objects.get(name="scifact").owner is not None


@pytest.mark.django_db(transaction=True)
def test_a_conversation_is_retained_and_its_turns_are_found_by_every_arm(data: Path) -> None:
    figures, _ = evaluate("locomo", f"--data={data}")
    found = figures["locomo"]
    assert found["n"] == 3
    assert found["recall@10"] == 1.0
    assert found["single_hop"]["mrr"] == 1.0
    assert {"semantic", "keyword", "graph", "temporal", "bm25"} == found["arms"].keys()


@pytest.mark.django_db(transaction=True)
def test_a_second_run_writes_and_encodes_nothing(data: Path) -> None:
    first, _ = evaluate("scifact", f"--data={data}")
    with tenancy.scope(Tenant.objects.get(slug=TENANT_SLUG).pk):
        before = set(Vector.objects.values_list("node_id", flat=True))
    second, log = evaluate("scifact", f"--data={data}")
    with tenancy.scope(Tenant.objects.get(slug=TENANT_SLUG).pk):
        assert set(Vector.objects.values_list("node_id", flat=True)) == before
    assert first["scifact"]["mrr"] == second["scifact"]["mrr"]
    assert "filling" not in log


@pytest.mark.django_db(transaction=True)
def test_an_unknown_set_ends_with_2_and_the_names_of_those_there_are(data: Path) -> None:
    with pytest.raises(CommandError, match="locomo, scifact") as refused:
        evaluate("trec", f"--data={data}")
    assert refused.value.returncode == 2
