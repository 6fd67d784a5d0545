"""How fast pages are taken in, against the encoder alone on the same texts.

    python -m bench.ingest --data DIR

A page is rendered, cut, indexed by its words, given its vectors and marked ready, one after the
other, in one process. The pages are new every time: nothing can be reused.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import uuid
from pathlib import Path
from typing import Any

import django

PAGES, DOCUMENTS = 12, 12  # pages, and documents on each
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


def measure(folder: Path) -> dict[str, Any]:
    from bench import pages
    from bench.meter import metered
    from kb.evaluation import datasets
    from memory import tenancy, vectors
    from memory.backends import registry
    from memory.models import Node

    member = pages.prepare_member()
    documents = datasets.load(folder, "squad2").documents
    encoder = registry.encoder()
    encoder.encode_passages(["warm"])
    run = uuid.uuid4().hex[:8]  # in every title, so that no vector of an earlier run fits
    made = []
    with metered() as meter:
        started = time.perf_counter()
        for number in range(PAGES):
            those = documents[number * DOCUMENTS : (number + 1) * DOCUMENTS]
            title = f"Page {number} of {run}"
            made.append(pages.save(member, f"ingest/{run}-{number}", pages.html_of(those), title=title))
        ingest = time.perf_counter() - started
        inside, sql = meter.encoder_ms / 1000, meter.sql_ms / 1000
    with tenancy.scope(member.tenant_id):
        nodes = Node.objects.filter(document_id__in=[doc.pk for doc in made])
        texts = [vectors.indexed_text(node) for node in nodes]
    started = time.perf_counter()
    encoder.encode_passages(texts)
    alone = time.perf_counter() - started
    return {
        "pages": PAGES,
        "chunks": len(texts),
        "chunks_per_s": len(texts) / ingest,
        "encoder_chunks_per_s": len(texts) / alone,
        "share_of_encoder": alone / ingest,
        "seconds": {"ingest": ingest, "encoder_inside": inside, "sql": sql, "encoder_alone": alone},
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default=os.environ.get("FOOTNOTE_DATA"))
    named = parser.parse_args().data
    django.setup()
    from kb.evaluation.datasets import DataMissing, data_folder

    try:
        print(json.dumps(measure(data_folder(named))))
    except DataMissing as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
