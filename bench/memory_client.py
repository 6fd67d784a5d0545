"""LoCoMo through the public client, end to end: how fast it is taken in, and what HTTP adds to a recall.

    make run
    FOOTNOTE_HOME=… python -m bench.memory_client --data DIR

Each session of a conversation is a document. Every question is recalled twice in turn, by the client
over HTTP and by the engine in this process, which share the database and the encoder's kind.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from bench.measuring import Figures, main

BANK, TENANT = "locomo", "bench-memory"
WARM_UP, TOP = 20, 10


def measure(folder: Path) -> Figures:
    from hindsight_client import Hindsight

    from memory import banks, tenancy
    from memory.api.recall_requests import recall_request
    from memory.recall import engine

    member, key = _member()
    turns = list(_lines(folder / "locomo" / "turns.jsonl"))
    questions = list(_lines(folder / "locomo" / "questions.jsonl"))
    url = os.environ.get("FOOTNOTE_URL", "http://127.0.0.1:8000")
    with Hindsight(url, api_key=key) as client:
        taken_in = _retain(client, turns)
        with tenancy.scope(member.tenant_id):
            bank = banks.find(member, BANK)
        seconds: dict[str, list[float]] = defaultdict(list)
        found = 0
        asked = [one for one in questions if one["evidence"]]
        for number, one in enumerate(questions):
            scope = {"tags": [one["conv_id"]], "tags_match": "all_strict"}
            with tenancy.scope(member.tenant_id):
                request = recall_request(
                    bank, {"query": one["question"], **scope, "include": {"entities": None}}
                )
            direct = _timed(lambda wanted=request: engine.recall_as(member.tenant_id, wanted))
            called = _timed(
                lambda text=one["question"], where=scope: client.recall(BANK, text, **where)
            )
            if number >= WARM_UP:
                seconds["engine"].append(direct[0])
                seconds["client"].append(called[0])
            found += bool(one["evidence"]) and _holds(called[1].results[:TOP], one, turns)
    return {
        **taken_in,
        "questions": len(questions),
        "evidence_in_top_10": round(found / len(asked), 4),
        **{
            f"{name}_ms": {
                f"p{q}": round(float(np.percentile(values, q)) * 1000, 1) for q in (50, 95)
            }
            for name, values in seconds.items()
        },
        "http_adds_ms_p50": round(
            float(np.median(np.subtract(seconds["client"], seconds["engine"]))) * 1000, 1
        ),
    }


def _member() -> tuple[Any, str]:
    from memory import keys, members, tenancy
    from memory.models import Membership, Role, Tenant

    tenant, _ = Tenant.objects.get_or_create(slug=TENANT, defaults={"name": "Benchmarks"})
    member = Membership.objects.filter(tenant=tenant).first() or members.add(
        tenant, TENANT, Role.ADMIN
    )
    with tenancy.scope(tenant.pk):
        return member, keys.create_key(member)


def _retain(client: Any, turns: list[dict[str, Any]]) -> Figures:
    sessions: dict[tuple[str, int], list[dict[str, Any]]] = defaultdict(list)
    for turn in turns:
        sessions[turn["conv_id"], turn["session"]].append(turn)
    began = time.perf_counter()
    memories = 0
    each = []
    for (conversation, session), said in sessions.items():
        took, done = _timed(
            lambda said=said, conversation=conversation, session=session: client.retain(
                BANK,
                "\n".join(f"{turn['speaker']}: {turn['text']}" for turn in said),
                timestamp=said[0]["session_datetime"],
                document_id=f"{conversation}/{session}",
                tags=[conversation],
            )
        )
        each.append(took)
        memories += len(said) if done.success else 0
    took = time.perf_counter() - began
    return {
        "sessions": len(sessions),
        "turns": memories,
        "turns_per_second": round(memories / took, 1),
        "retain_ms": {f"p{q}": round(float(np.percentile(each, q)) * 1000) for q in (50, 95)},
    }


def _holds(results: list[Any], question: dict[str, Any], turns: list[dict[str, Any]]) -> bool:
    """Whether one of the results is from a turn that the answer rests on."""
    wanted = [
        turn["text"]
        for turn in turns
        if turn["conv_id"] == question["conv_id"] and turn["dia_id"] in question["evidence"]
    ]
    return any(result.text in text or text in result.text for result in results for text in wanted)


def _timed(call: Callable[[], Any]) -> tuple[float, Any]:
    began = time.perf_counter()
    value = call()
    return time.perf_counter() - began, value


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    from kb.evaluation.datasets import DataMissing

    if not path.exists():
        raise DataMissing(f"{path} is not there")
    with path.open() as file:
        yield from map(json.loads, file)


if __name__ == "__main__":
    sys.exit(main(measure, __doc__ or ""))
