"""The parts of the benchmarks that say what was measured."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from django.db import connection

from bench import benchmarks, recall_corpus, recall_load, recall_speed, speed_page
from bench.meter import metered
from bench.recall_corpus import Corpus
from memory import keyword_packing, keywords, tenancy
from memory.backends import registry
from memory.language import analysis
from memory.levels import Level
from memory.models import Node


@pytest.mark.django_db
def test_meter_counts_texts_and_statements_inside_the_block_only() -> None:
    plain = registry.encoder()
    with metered() as meter:
        registry.encoder().encode_passages(["a", "b"])
        registry.encoder().encode_queries(["c"])
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        counted = (meter.texts, meter.queries)
        meter.reset()
        assert (meter.texts, meter.queries, meter.encoder_ms, meter.sql_ms) == (0, 0, 0.0, 0.0)
    assert counted == (3, 1)
    assert registry.encoder() is plain


def recall_row(facts: int, clients: int, milliseconds: float, **fields: Any) -> dict[str, Any]:
    names = ("whole", "encoder", "sql") if clients == 1 else ("whole",)
    row = {f"{name}_{p}_ms": milliseconds for name in names for p in ("p50", "p95")}
    row |= {"overhead": 0.21, "statements": 14.0} if clients == 1 else {}
    return {
        "facts": facts,
        "references": 0,
        "levels": ["L1", "L2"],
        "clients": clients,
        **row,
        **fields,
    }


RECALL = {
    "questions": 100,
    "rows": [
        recall_row(10_000, 1, 44.0, references=100_000),
        recall_row(10_000, 1, 40.0),
        recall_row(100_000, 1, 60.0),
        recall_row(10_000, 4, 80.0),
    ],
    "index_seconds": {"all": 321.4},
    "nearest": {f"{name}_{p}_ms": 7.0 for name in ("index", "exact") for p in ("p50", "p95")}
    | {"recall": 0.985},
    "keyword_ms": {"keyword_p50_ms": 3.0, "keyword_p95_ms": 5.0},
}
CLIENT = {
    "conversations": 1,
    "sessions": 19,
    "turns": 1419,
    "facts": 1500,
    "turns_per_s": 21.4,
    "questions": {"single_hop": 70, "multi_hop": 32, "temporal": 37, "open_domain": 0},
    "recall@10": {
        "all": 0.77,
        "single_hop": 0.9,
        "multi_hop": 0.4219,
        "temporal": 0.946,
        "open_domain": None,
    },
    "milliseconds": {
        "retain": {"p50": 2000.0, "p95": 4000.0},
        "client": {"p50": 52.25, "p95": 80.0},
        "engine": {"p50": 41.0, "p95": 70.0},
    },
    "http_adds_ms": 9.5,
}
WAYS = {"rows": {"p50_ms": 65.0, "p95_ms": 115.0, "mb": 641.0, "same": 1.0}}


def test_page_holds_the_numbers_of_all_runs() -> None:
    names = ("ask", "encoder", "sql", "inside")
    one = {f"{name}_{p}_ms": 10.0 for name in names for p in ("p50", "p95")}
    one |= {"asks": 60, "ratio_p95": 1.25, "queries": 30.0, "steps": {"read": 4.5}}
    ask = {
        "encoder": "e5",
        "chunks": 120,
        "linked": 20,
        "rss_mb": 319.6,
        "first": one,
        "again": one,
    }
    ingest = {
        "pages": 12,
        "chunks": 54,
        "chunks_per_s": 8.0,
        "worker_chunks_per_s": 9.0,
        "encoder_chunks_per_s": 10.0,
        "worker_share": 0.9,
        "share_of_encoder": 0.8,
        "seconds": {"save": 1.0, "worker": 6.0, "encoder_inside": 5.0},
    }
    corpus = {
        "pages": 80,
        "sections": 362,
        "memories": 30,
        "times": 12.1,
        "questions": 30,
        "unchanged": 30,
        "seconds": {"load": 60.0, "again": 3.0},
        "sections_per_s": 6.03,
        "query_p50_ms": {"alone": 40.0, "beside": 41.0, "reference": 42.0},
    }
    ways = {"limit": 50, "sizes": {"100000": WAYS}}
    written = benchmarks.page(ask, ingest, RECALL, ways, corpus, CLIENT)
    assert "| first | 10 | 10 | 10 / 10 | 10 / 10 | 10 | 1.25 | 30 |" in written
    assert "| the worker: vectors of saved pages | 9.0 | 90% |" in written
    assert "320 MB" in written
    assert "the same to the byte for 30 of\n30 questions" in written
    assert "| query p50, beside the corpus | 41 ms |" in written
    assert "read 4.5" in written
    assert "21.4 turns a second" in written
    assert "| a recall through the client | 52.2 ms | 80.0 ms |" in written
    assert "add 9.5 ms" in written
    assert "| all (139) | single-hop (70) | multi-hop (32) | temporal (37) |" in written
    assert "| 0.770 | 0.900 | 0.422 | 0.946 |  |" in written
    assert "| 10,000 | 100,000 | L1 L2 | 1 | 44 | 44 | 44 / 44 | 44 / 44 | 21% | 14 |" in written
    assert "| 10,000 | none | L1 L2 | 4 | 80 | 80 |  |  |  |  |" in written
    assert "100,000 against 10,000 facts, one client: p50 1.50 times" in written
    assert "beside 100,000 references against the same without: p50 1.10 times" in written
    assert "98.5%" in written
    assert "built in 321 s" in written
    assert "| rows | 100,000 | 65.0 | 115.0 | 641 | 100.0% |" in written


def test_drawing_has_a_bar_for_each_size_and_number_of_clients() -> None:
    drawn = ElementTree.fromstring(speed_page.drawing(RECALL))
    texts = [one.text for one in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert {"1 client", "4 clients", "10,000 facts", "100,000 facts", "60", "80"} <= set(texts)


def test_generated_words_are_distinct_and_pass_the_analyser_unchanged() -> None:
    words = [recall_corpus.word(number) for number in range(recall_corpus.VOCABULARY)]
    assert len(set(words)) == len(words)
    own = words[recall_corpus.STOPS :: 997]
    assert [analysis.query_terms(word, "en") for word in own] == [[word] for word in own]
    assert analysis.query_terms(recall_corpus.text(range(recall_corpus.STOPS)), "en") == []


def test_same_seed_makes_the_same_memories_and_questions() -> None:
    def drawn() -> list[object]:
        corpus = Corpus(8)
        memories = list(corpus.memories(5, words=20))
        text, vector = corpus.question(memories[0], words=6)
        return [(one.words, one.tags, one.at, one.vector.tolist()) for one in memories] + [
            (text, vector.tolist())
        ]

    assert drawn() == drawn()
    assert np.linalg.norm(Corpus(8).question(next(Corpus(8).memories(1, words=9)), words=4)[1]) == (
        pytest.approx(1.0)
    )


@pytest.fixture
def loaded(committed_db: None) -> recall_load.Loaded:
    return recall_load.load(recall_speed._wanted([40]), registry.encoder().recipe)


def test_loaded_memories_are_indexed_as_written_ones_are(loaded: recall_load.Loaded) -> None:
    bank = loaded.banks["40 beside a corpus"]
    with tenancy.scope(loaded.tenant.pk):
        assert Node.objects.filter(bank=bank, level=Level.L1).count() == 40
        assert Node.objects.filter(bank=bank, level=Level.R).count() == 400
        assert keyword_packing.purge(bank.pk, Level.L1, share=0) == 0
        node = Node.objects.filter(bank=bank, level=Level.L1).order_by("number").last()
        assert node is not None
        counted = keywords.count(node.text, "en")
        found = keywords.read(bank.pk, Level.L1, list(counted))
        held = {
            term: rows["count"][rows["number"] == node.number].tolist()
            for term, rows in found.postings.items()
        }
        assert held == {term: [count] for term, count in counted.items()}
        assert (found.size.nodes, node.term_count) == (40, counted.total())


def test_second_run_finds_the_memories_of_the_first(loaded: recall_load.Loaded) -> None:
    again = recall_load.load(recall_speed._wanted([40]), registry.encoder().recipe)
    assert again.banks == loaded.banks
    assert again.index_seconds == loaded.index_seconds != {}
    for name, questions in loaded.questions.items():
        assert [one.text for one in again.questions[name]] == [one.text for one in questions]


def test_speed_is_measured_beside_a_corpus_and_for_several_clients(
    loaded: recall_load.Loaded,
) -> None:
    found = recall_speed.measure([40], 4)
    assert [(row["references"], row["levels"][-1], row["clients"]) for row in found["rows"]] == [
        (0, "L2", 1),
        (0, "L2", 4),
        (400, "L2", 1),
        (400, "L2", 4),
        (400, "R", 1),
        (400, "R", 4),
    ]
    assert found["nearest"]["recall"] == 1.0
    assert "## A recall" in speed_page.section(found, {"limit": 50, "sizes": {"40": WAYS}})
