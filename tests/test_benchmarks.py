"""The parts of the benchmarks that say what was measured."""

from __future__ import annotations

import pytest
from django.db import connection

from bench import benchmarks
from bench.meter import metered
from memory.backends import registry


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


def test_page_holds_the_numbers_of_both_runs() -> None:
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
    written = benchmarks.page(ask, ingest)
    assert "| first | 10 | 10 | 10 / 10 | 10 / 10 | 10 | 1.25 | 30 |" in written
    assert "| the worker: vectors of saved pages | 9.0 | 90% |" in written
    assert "320 MB" in written
    assert "read 4.5" in written
