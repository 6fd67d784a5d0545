"""How long an ask takes on a long page with many links, and where the time goes.

    python -m bench.ask_latency --data DIR

The page has 120 chunks and links to 20 pages. Every question is asked twice: as it comes, while
sentences are met for the first time, and again, when all that it needs is in the cache.
"""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from bench.measuring import main

QUESTIONS, CHUNKS, LINKED, PER_LINKED = 60, 120, 20, 8


def measure(folder: Path) -> dict[str, Any]:
    from django.core.cache import cache
    from django.core.wsgi import get_wsgi_application
    from django.urls import get_resolver

    from bench import pages
    from bench.meter import metered
    from kb import index
    from kb.evaluation import datasets

    get_wsgi_application()
    get_resolver().url_patterns  # noqa: B018  (a web process has imported every view)
    member = pages.prepare_member()
    others = datasets.load(folder, "clapnq").documents[: LINKED * PER_LINKED]
    slugs = [f"ask/linked-{number}" for number in range(LINKED)]
    for number, slug in enumerate(slugs):
        those = others[number * PER_LINKED : (number + 1) * PER_LINKED]
        linked = pages.save(member, slug, pages.html_of(those), title=f"Linked page {number}")
        index.embed_page(member.tenant_id, linked.pk)
    documents = pages.first_with_chunks(datasets.load(folder, "squad2").documents, CHUNKS)
    links = "".join(f'<li><a href="/{slug}">{escape(slug)}</a></li>' for slug in slugs)
    source = f"{pages.html_of(documents)}<ul>{links}</ul>"
    doc = pages.save(member, "ask/long", source, title="A long page")
    index.embed_page(member.tenant_id, doc.pk)
    questions = pages.shuffled_questions(folder, "squad2", documents, QUESTIONS)
    cache.clear()
    with metered() as meter:
        rounds = {name: _round(member, doc, questions, meter) for name in ("first", "again")}
    return {"chunks": pages.chunks_of(source), "linked": LINKED, "rss_mb": _rss_mb(), **rounds}


def _round(member: Any, doc: Any, questions: list[str], meter: Any) -> dict[str, Any]:
    from kb.asking import AskRequest, ask
    from kb.models import QaTrace
    from memory import tenancy

    total, encoder, sql, queries, ids = [], [], [], [], []
    for question in questions:
        meter.reset()
        started = time.perf_counter()
        record = ask(AskRequest(member=member, doc_id=doc.pk, question=question))
        total.append((time.perf_counter() - started) * 1000)
        encoder.append(meter.encoder_ms)
        sql.append(meter.sql_ms)
        queries.append(meter.queries)
        ids.append(record.question_id)
    steps: dict[str, list[float]] = defaultdict(list)
    with tenancy.scope(member.tenant_id):
        timings = QaTrace.objects.filter(question_id__in=ids).values_list("timings_ms", flat=True)
        for timing in timings:
            for step, milliseconds in timing.items():
                steps[step].append(milliseconds)
    inside = np.array(encoder) + np.array(sql)
    return {
        "asks": len(total),
        **_quantiles("ask", total),
        **_quantiles("encoder", encoder),
        **_quantiles("sql", sql),
        **_quantiles("inside", inside),
        "ratio_p95": float(np.percentile(total, 95) / np.percentile(inside, 95)),
        "queries": float(np.mean(queries)),
        "steps": {step: float(np.median(those)) for step, those in sorted(steps.items())},
    }


def _quantiles(name: str, values: Any) -> dict[str, float]:
    p50, p95 = np.percentile(values, [50, 95])
    return {f"{name}_p50_ms": float(p50), f"{name}_p95_ms": float(p95)}


def _rss_mb() -> float:
    status = Path("/proc/self/status").read_text()
    return (
        next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
        / 1024
    )


if __name__ == "__main__":
    sys.exit(main(measure, __doc__ or ""))
