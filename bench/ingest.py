"""How fast pages are taken in, against the encoder alone on the same texts.

    python -m bench.ingest --data DIR

Saving renders a page, cuts it and indexes its words; the worker gives it its vectors. Here both run
one after the other in one process. The pages are new every time: nothing can be reused.
"""

from __future__ import annotations

import sys
import time
import uuid
from pathlib import Path
from typing import Any

from bench.measuring import main

PAGES, DOCUMENTS = 12, 12  # pages, and documents on each


def measure(folder: Path) -> dict[str, Any]:
    from bench import pages
    from bench.meter import metered
    from kb import index
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
            source, title = pages.html_of(those), f"Page {number} of {run}"
            made.append(pages.save(member, f"ingest/{run}-{number}", source, title=title))
        saved = time.perf_counter()
        for doc in made:
            index.embed_page(member.tenant_id, doc.pk)
        embedded = time.perf_counter()
        inside, sql = meter.encoder_ms / 1000, meter.sql_ms / 1000
    with tenancy.scope(member.tenant_id):
        nodes = Node.objects.filter(document_id__in=[doc.pk for doc in made])
        texts = [vectors.indexed_text(node) for node in nodes]
    alone_from = time.perf_counter()
    encoder.encode_passages(texts)
    alone = time.perf_counter() - alone_from
    worker, whole = embedded - saved, embedded - started
    return {
        "pages": PAGES,
        "chunks": len(texts),
        "chunks_per_s": len(texts) / whole,
        "worker_chunks_per_s": len(texts) / worker,
        "encoder_chunks_per_s": len(texts) / alone,
        "worker_share": alone / worker,
        "share_of_encoder": alone / whole,
        "seconds": {
            "save": saved - started,
            "worker": worker,
            "encoder_inside": inside,
            "sql": sql,
            "encoder_alone": alone,
        },
    }


if __name__ == "__main__":
    sys.exit(main(measure, __doc__ or ""))
