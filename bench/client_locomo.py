"""LoCoMo through the public client, over HTTP: taking in, finding again, and what the wire costs.

    python -m bench.own_services bench bench.client_locomo --data DIR [--full]

A web server as in production answers the unmodified ``hindsight-client``. Each conversation is a bank,
each of its sessions a document; nothing but the client writes them. Every question is recalled by the
client and, in turn, by the engine in this process, on the same database. One conversation, or with
``--full`` all.
"""

from __future__ import annotations

import asyncio
import socket
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bench.measuring import Figures, main
from config import programs
from config.processes import Program
from config.services.home import from_environment
from config.services.process import wait_until

if TYPE_CHECKING:
    from kb.evaluation.retrieval_sets import Query, Session, WantedBank
    from memory.models import Membership

SET = "locomo"
SESSIONS_AT_ONCE = 4  # of one request
TOP = 10
WARM_UP = 10  # questions, in which both sides load what they load on first use
START_SECONDS = 120
CATEGORIES = ("single_hop", "multi_hop", "temporal", "open_domain")


@dataclass(slots=True)
class _Measured:
    """Over all conversations. Seconds, and of each question how much of its evidence was found."""

    turns: int = 0
    sessions: int = 0
    facts: int = 0
    retain: list[float] = field(default_factory=list)  # of each request
    client: list[float] = field(default_factory=list)
    engine: list[float] = field(default_factory=list)
    found: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))


def measure(folder: Path, *, full: bool = False) -> Figures:
    from hindsight_client import Hindsight

    from bench import pages
    from kb.evaluation import retrieval_sets
    from memory import tenancy
    from memory.people import keys

    banks = retrieval_sets.load(folder, SET, per_group=None).banks
    member = pages.prepare_member()
    with tenancy.scope(member.tenant_id):
        token = keys.create_key(member)
    measured = _Measured()
    with serving() as url, Hindsight(url, api_key=token) as client:
        for wanted in banks if full else banks[:1]:
            print(f"{wanted.name} …", file=sys.stderr)
            _converse(client, member, wanted, measured)
    return _figures(measured, conversations=len(banks) if full else 1)


@contextmanager
def serving() -> Iterator[str]:
    """The address of a web server of its own, as ``make run`` starts it."""
    port = _free_port()
    home = from_environment()
    web = programs.web_worker_beat(home, port)[0]
    with tempfile.TemporaryDirectory() as folder:
        server = Program(web.name, web.command, Path(folder) / "web.log", web.environment)
        server.start()
        try:
            url = f"http://127.0.0.1:{port}"
            if not wait_until(lambda: _answers(url) or server.has_ended, seconds=START_SECONDS):
                raise SystemExit(f"The web server did not answer within {START_SECONDS} s.")
            if server.has_ended:
                raise SystemExit(server.obituary())
            yield url
        finally:
            server.stop()


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/health/live", timeout=5) as reply:
            return bool(reply.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def _converse(client: Any, member: Membership, wanted: WantedBank, measured: _Measured) -> None:
    """One conversation from an empty bank on: retained, then asked about."""
    if any(bank.bank_id == wanted.name for bank in _banks(client)):
        client.delete_bank(wanted.name)
    client.create_bank(wanted.name)
    for start in range(0, len(wanted.sessions), SESSIONS_AT_ONCE):
        batch = [_item(session) for session in wanted.sessions[start : start + SESSIONS_AT_ONCE]]
        seconds, done = _timed(client.retain_batch, wanted.name, batch)
        assert done.items_count == len(batch)
        measured.retain.append(seconds)
    measured.sessions += len(wanted.sessions)
    measured.turns += sum(len(session.turns) for session in wanted.sessions)
    measured.facts += client.list_memories(wanted.name, type="world", limit=1).total
    _ask(client, member, wanted, measured)


def _banks(client: Any) -> list[Any]:
    listed = asyncio.get_event_loop().run_until_complete(client.banks.list_banks(limit=1000))
    return list(listed.banks)


def _item(session: Session) -> dict[str, Any]:
    lines = [f"{turn.speaker}: {turn.text}" for turn in session.turns]
    return {
        "content": "\n".join(lines),
        "timestamp": session.at,
        "document_id": session.name,
        "context": "A conversation.",
    }


def _ask(client: Any, member: Membership, wanted: WantedBank, measured: _Measured) -> None:
    from memory import banks, tenancy
    from memory.api.recall_requests import recall_request
    from memory.recall import engine

    with tenancy.scope(member.tenant_id):
        bank = banks.find(member, wanted.name)

    def by_engine(question: str) -> float:
        with tenancy.scope(member.tenant_id):
            # What the client asks for when it is told nothing but a question.
            body = {"query": question, "tags_match": "any", "include": {"entities": None}}
            request = recall_request(bank, body)
        assert request is not None
        return _timed(engine.recall_as, member.tenant_id, request)[0]

    turns = _turns(wanted.sessions)
    for number, query in enumerate(wanted.queries):
        alone = by_engine(query.text) if number % 2 else None
        seconds, reply = _timed(client.recall, wanted.name, query.text)
        alone = by_engine(query.text) if alone is None else alone
        measured.found[query.group].append(_share(query, reply.results, turns))
        if number >= WARM_UP:
            measured.client.append(seconds)
            measured.engine.append(alone)


def _turns(sessions: Sequence[Session]) -> dict[str, list[tuple[str, str]]]:
    """Of each document, what its turns are called and what they say."""
    return {
        session.name: [(turn.name, f"{turn.speaker}: {turn.text}") for turn in session.turns]
        for session in sessions
    }


def _share(
    query: Query, results: Sequence[Any], turns: Mapping[str, Sequence[tuple[str, str]]]
) -> float:
    """How much of the evidence the first turns hold. A turn counts once, however many memories of it
    are found."""
    names: dict[str, None] = {}
    for result in results:
        names |= dict.fromkeys(
            name for name, line in turns.get(result.document_id, ()) if result.text in line
        )
    return len(set(list(names)[:TOP]) & set(query.relevant)) / len(query.relevant)


def _timed(call: Callable[..., Any], *args: Any) -> tuple[float, Any]:
    began = time.perf_counter()
    value = call(*args)
    return time.perf_counter() - began, value


def _figures(measured: _Measured, *, conversations: int) -> Figures:
    return {
        "conversations": conversations,
        "sessions": measured.sessions,
        "turns": measured.turns,
        "facts": measured.facts,
        "turns_per_s": measured.turns / sum(measured.retain),
        "questions": {name: len(measured.found[name]) for name in CATEGORIES},
        "recall@10": {
            **{name: _mean(measured.found[name]) for name in CATEGORIES},
            "all": _mean([one for name in CATEGORIES for one in measured.found[name]]),
        },
        "milliseconds": {
            "retain": _percentiles(measured.retain),
            "client": _percentiles(measured.client),
            "engine": _percentiles(measured.engine),
        },
        "http_adds_ms": 1000
        * float(np.median(np.subtract(measured.client, measured.engine)) if measured.client else 0),
    }


def _mean(values: Sequence[float]) -> float | None:
    return float(np.mean(values)) if values else None


def _percentiles(seconds: Sequence[float]) -> dict[str, float]:
    return {f"p{q}": 1000 * float(np.percentile(seconds, q)) for q in (50, 95)} if seconds else {}


def section(found: Figures) -> str:
    """Of docs/benchmarks.md."""
    taken, named = found["milliseconds"], ("all", *CATEGORIES)
    shares = found["recall@10"]
    cells = [f"{shares[name]:.3f}" if shares[name] is not None else "" for name in named]
    counts = [sum(found["questions"].values()), *found["questions"].values()]
    columns = [f"{name.replace('_', '-')} ({n})" for name, n in zip(named, counts, strict=True)]
    conversations = found["conversations"]
    of = f"{conversations} conversations" if conversations > 1 else "One conversation"
    return f"""## Through the public client

{of} of LoCoMo ({found["sessions"]} sessions, {found["turns"]:,} turns, {found["facts"]:,}
facts), retained and recalled by the unmodified `hindsight-client` over HTTP, from a web server as
`make run` starts it. Retain: {SESSIONS_AT_ONCE} sessions a request,
{found["turns_per_s"]:.1f} turns a second. Recall: each question by the client and, in turn, by the
engine in the same process as the benchmark.

| | p50 | p95 |
|---|---|---|
| a retain request | {taken["retain"]["p50"]:.0f} ms | {taken["retain"]["p95"]:.0f} ms |
| a recall through the client | {taken["client"]["p50"]:.1f} ms | {taken["client"]["p95"]:.1f} ms |
| the engine's own part | {taken["engine"]["p50"]:.1f} ms | {taken["engine"]["p95"]:.1f} ms |

HTTP, JSON and the client add {found["http_adds_ms"]:.1f} ms (median over the questions).

How much of a question's evidence is among the first {TOP} turns that the client is given, by category (and
number of questions):

| {" | ".join(columns)} |
{"|---" * len(columns)}|
| {" | ".join(cells)} |
"""


if __name__ == "__main__":
    sys.exit(main(measure, __doc__ or "", flags=("full",)))
