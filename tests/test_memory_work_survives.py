"""What was accepted in the background is done, once, whoever is killed: a worker, its child, the broker.

A real worker on the tests' database and a broker of its own; both are killed in earnest. That no sign
of life came for a while is said to the row instead of waited for.
"""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from memory import banks, operations, tasks, tenancy
from memory.levels import Level
from memory.models import Edge, Node, Operation, OperationStatus
from memory.retain import engine
from memory.retain.items import RetainItem, UpdateMode
from tests.factories import Org, make_org
from tests.killable import Broker, Worker, forget_connections
from tests.memory_api import BANKS, client_of

BANK, CONTROL = "work", "control"
SHELVES, CRATES = ("hall", "loft", "yard"), 11  # a step holds about 20 items: each shelf is one
OTHER = "Mira has the key of the gate."


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """pytest's own folders are closed to the user that services run as."""
    made = Path(tempfile.mkdtemp(prefix="footnote-test-"))
    yield made
    shutil.rmtree(made)


@pytest.fixture(scope="module")
def servers(django_db_setup: None, folder: Path) -> Iterator[tuple[Broker, Worker]]:
    broker = Broker(folder)
    worker = Worker(folder, broker)
    yield broker, worker
    worker.stop()
    broker.stop()


@pytest.fixture
def broker(servers: tuple[Broker, Worker], monkeypatch: pytest.MonkeyPatch) -> Iterator[Broker]:
    """Running, and what this process sends its messages to."""
    servers[0].start()
    monkeypatch.setenv("CELERY_BROKER_URL", servers[0].url)
    forget_connections()
    yield servers[0]
    monkeypatch.undo()
    forget_connections()


@pytest.fixture
def worker(committed_db: None, servers: tuple[Broker, Worker], broker: Broker) -> Iterator[Worker]:
    worker = servers[1]
    worker.ensure()
    yield worker
    worker.release()


@pytest.fixture
def org(committed_db: None) -> Org:
    return make_org()


def accept(org: Org) -> str:
    """Hand the work in as a caller does, and keep what the reply names."""
    reply = client_of(org.editor).post(
        f"{BANKS}/{BANK}/memories",
        {
            "items": [
                {"content": line, "document_id": shelf, "update_mode": "append"}
                for shelf, line in _lines()
            ],
            "async": True,
        },
    )
    assert reply.status_code == 200, reply.content
    return str(reply.json()["operation_id"])


def accept_other(org: Org) -> str:
    reply = client_of(org.editor).post(
        f"{BANKS}/{BANK}/memories",
        {"items": [{"content": OTHER, "document_id": "other"}], "async": True},
    )
    return str(reply.json()["operation_id"])


def _lines() -> list[tuple[str, str]]:
    return [
        (shelf, f"Crate {shelf}{number} holds {number * number} lamps from Lyon.")
        for shelf in SHELVES
        for number in range(1, CRATES + 1)
    ]


def watched(org: Org, operation_id: str) -> dict[str, Any]:
    return dict(client_of(org.editor).get(f"{BANKS}/{BANK}/operations/{operation_id}").json())


def row(org: Org, operation_id: str) -> Operation:
    with tenancy.scope(org.tenant.pk):
        return Operation.objects.get(pk=operation_id)


def wait_for(worker: Worker, org: Org, operation_id: str, status: OperationStatus) -> None:
    came = worker.wait_until(lambda: watched(org, operation_id)["status"] == status)
    assert came, f"{watched(org, operation_id)}\n{worker.log()}"


def time_passes(org: Org) -> None:
    """Longer than a worker may be silent; then the clock comes to the repair that runs each minute."""
    with tenancy.scope(org.tenant.pk):
        Operation.objects.filter(finished_at=None).update(
            updated_at=timezone.now() - timedelta(minutes=5)
        )
    tasks.reconcile_operations()


def stored(org: Org, bank_name: str = BANK) -> Counter[tuple[str, str]]:
    """What a bank holds, by level and text, and its edges by kind."""
    with tenancy.scope(org.tenant.pk):
        bank = banks.find(org.editor, bank_name)
        nodes = Node.objects.filter(bank=bank).values_list("level", "text")
        edges = Edge.objects.filter(bank=bank).values_list("type", flat=True)
        return Counter(nodes) + Counter(("edge", kind) for kind in edges)


def stored_texts(org: Org) -> Counter[str]:
    return Counter(text for level, text in stored(org).elements() if level == Level.L1)


def expected(org: Org) -> Counter[tuple[str, str]]:
    """The same work in another bank that nothing befell."""
    with tenancy.scope(org.tenant.pk):
        bank = banks.open_or_create(org.editor, CONTROL)
        for shelf in SHELVES:
            engine.retain(
                bank.pk,
                [
                    RetainItem(content=line, document_name=shelf, update_mode=UpdateMode.APPEND)
                    for of, line in _lines()
                    if of == shelf
                ],
            )
    return stored(org, CONTROL)


def is_done_once(worker: Worker, org: Org, operation_id: str) -> None:
    wait_for(worker, org, operation_id, OperationStatus.COMPLETED)
    assert stored(org) == expected(org)
    assert watched(org, operation_id)["result_metadata"]["documents"] == list(SHELVES)


@pytest.mark.parametrize(
    ("place", "call"), [("planning", 2), ("committing", 1), ("committing", 3), ("ending", 1)]
)
def test_child_killed_anywhere_in_the_work_loses_nothing_and_doubles_nothing(
    worker: Worker, org: Org, place: str, call: int
) -> None:
    worker.trap(place, call)
    operation_id = accept(org)
    worker.kill_child()
    assert watched(org, operation_id)["status"] == OperationStatus.PROCESSING
    time_passes(org)
    is_done_once(worker, org, operation_id)


def test_consolidation_whose_end_was_not_noted_is_done_again(worker: Worker, org: Org) -> None:
    api = client_of(org.editor)
    items = [{"content": OTHER, "document_id": name} for name in ("one", "two")]
    api.post(f"{BANKS}/{BANK}/memories", {"items": items})
    worker.trap("ending", 1)
    operation_id = api.post(f"{BANKS}/{BANK}/consolidate", {}).json()["operation_id"]
    worker.kill_child()
    time_passes(org)
    wait_for(worker, org, operation_id, OperationStatus.COMPLETED)
    assert row(org, operation_id).items_done == 2


def test_worker_killed_with_all_it_forked_is_replaced(worker: Worker, org: Org) -> None:
    worker.trap("committing", 2)
    operation_id = accept(org)
    worker.kill()
    time_passes(org)
    worker.ensure()
    is_done_once(worker, org, operation_id)


def test_broker_that_is_away_when_work_is_accepted_gets_its_message_later(
    worker: Worker, broker: Broker, org: Org
) -> None:
    broker.kill()
    operation_id = accept(org)
    assert watched(org, operation_id)["status"] == OperationStatus.PENDING
    broker.start()
    time_passes(org)
    is_done_once(worker, org, operation_id)


def test_broker_killed_with_its_messages_is_told_again(
    committed_db: None, servers: tuple[Broker, Worker], broker: Broker, org: Org
) -> None:
    servers[1].stop()
    operation_id = accept(org)
    broker.kill()
    broker.start()
    servers[1].ensure()
    time_passes(org)
    is_done_once(servers[1], org, operation_id)


def test_broker_killed_while_the_work_is_done_does_not_end_or_double_it(
    worker: Worker, broker: Broker, org: Org
) -> None:
    worker.trap("committing", 2)
    operation_id = accept(org)
    worker.wait_for_trap()
    broker.kill()
    broker.start()
    worker.release()

    def is_repaired() -> bool:
        time_passes(org)
        return row(org, operation_id).status == OperationStatus.COMPLETED

    assert worker.wait_until(is_repaired, every=8), worker.log()
    is_done_once(worker, org, operation_id)


def test_worker_that_was_taken_for_dead_does_not_do_a_step_again(worker: Worker, org: Org) -> None:
    worker.trap("planning", 2)
    operation_id = accept(org)
    slow = worker.wait_for_trap()
    worker.trap("planning", 2)
    time_passes(org)
    replacement = worker.wait_for_trap(slow)  # one step further
    worker.release(slow)
    wait_for(worker, org, accept_other(org), OperationStatus.COMPLETED)  # by the slow one, after it
    worker.release(replacement)
    wait_for(worker, org, operation_id, OperationStatus.COMPLETED)
    assert stored_texts(org) == Counter([OTHER, *(line for _, line in _lines())])


def test_message_that_comes_three_times_is_worked_on_once(worker: Worker, org: Org) -> None:
    worker.trap("planning", 1)
    operation_id = accept(org)
    worker.wait_for_trap()
    for _ in range(2):
        tasks.run_operation.delay(str(org.tenant.pk), operation_id)
    wait_for(
        worker, org, accept_other(org), OperationStatus.COMPLETED
    )  # by the other child, after both
    worker.release()
    wait_for(worker, org, operation_id, OperationStatus.COMPLETED)
    assert stored_texts(org) == Counter([OTHER, *(line for _, line in _lines())])
    assert row(org, operation_id).attempts == 1


def test_work_cancelled_before_a_worker_came_is_not_done_until_it_is_asked_for_again(
    committed_db: None, servers: tuple[Broker, Worker], broker: Broker, org: Org
) -> None:
    worker = servers[1]
    worker.stop()
    operation_id = accept(org)
    path = f"{BANKS}/{BANK}/operations/{operation_id}"
    assert client_of(org.editor).delete(path).status_code == 200
    worker.ensure()
    other = accept_other(org)
    wait_for(worker, org, other, OperationStatus.COMPLETED)  # its message came after ours
    assert watched(org, operation_id)["status"] == OperationStatus.CANCELLED
    assert stored_texts(org) == Counter([OTHER])


def test_work_cancelled_in_the_middle_keeps_whole_steps_and_goes_on_behind_them(
    worker: Worker, org: Org
) -> None:
    worker.trap("committing", 2)
    operation_id = accept(org)
    worker.wait_for_trap()
    path = f"{BANKS}/{BANK}/operations/{operation_id}"
    assert client_of(org.editor).delete(path).status_code == 200
    worker.release()
    wait_for(worker, org, accept_other(org), OperationStatus.COMPLETED)
    assert watched(org, operation_id)["status"] == OperationStatus.CANCELLED
    assert row(org, operation_id).items_done == CRATES
    assert client_of(org.editor).post(f"{path}/retry").status_code == 200
    wait_for(worker, org, operation_id, OperationStatus.COMPLETED)
    assert stored_texts(org) == Counter([OTHER, *(line for _, line in _lines())])


def test_failed_work_is_taken_up_again_where_it_ended(worker: Worker, org: Org) -> None:
    worker.trap("committing", 2, "fail")
    operation_id = accept(org)
    wait_for(worker, org, operation_id, OperationStatus.FAILED)
    assert watched(org, operation_id)["error_message"] == "Something went wrong on our side."
    path = f"{BANKS}/{BANK}/operations/{operation_id}/retry"
    assert client_of(org.editor).post(path).status_code == 200
    is_done_once(worker, org, operation_id)


def test_work_that_kills_every_worker_is_given_up_until_somebody_asks_again(
    worker: Worker, org: Org
) -> None:
    worker.trap("committing", 2)
    operation_id = accept(org)
    worker.kill_child()
    with tenancy.scope(org.tenant.pk):
        Operation.objects.filter(pk=operation_id).update(attempts=operations._ATTEMPTS)
    time_passes(org)
    wait_for(worker, org, operation_id, OperationStatus.FAILED)
    assert watched(org, operation_id)["error_message"].endswith("never ended.")
    path = f"{BANKS}/{BANK}/operations/{operation_id}/retry"
    assert client_of(org.editor).post(path).status_code == 200
    is_done_once(worker, org, operation_id)
