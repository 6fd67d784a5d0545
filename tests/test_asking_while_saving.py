"""Asks and saves of one page at the same time wait for each other, and never in a circle."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

from django.db import connection

from kb import auditing
from tests.asks import ask_page, models
from tests.factories import edit_page, make_org, make_page

NOTHING = {"answer": "", "confidence_score": 0, "citations": []}


def test_asks_and_saves_at_once_all_succeed(committed_db: None) -> None:
    org = make_org()
    doc = make_page(org, "The fee is 20 euros.")
    barrier = threading.Barrier(4)

    def ask(reader: int) -> int:
        barrier.wait()
        try:
            return len([ask_page(org.reader, doc, f"Fee {reader} {n}?") for n in range(8)])
        finally:
            connection.close()

    def save(_: int) -> int:
        barrier.wait()
        try:
            return len([edit_page(org, doc, source=f"The fee is {n} euros.") for n in range(8)])
        finally:
            connection.close()

    with models(NOTHING), ThreadPoolExecutor(max_workers=4) as pool:
        asks = [pool.submit(ask, reader) for reader in range(3)]
        saves = pool.submit(save, 0)
        assert [one.result() for one in asks] == [8, 8, 8]
        assert saves.result() == 8
    assert auditing.verify(org.tenant.pk).broken == ""
