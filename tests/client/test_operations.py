"""What runs in the background, through the client."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from hindsight_client import Hindsight
from hindsight_client_api.exceptions import ApiException, NotFoundException
from hindsight_client_api.models.consolidation_request import ConsolidationRequest
from hindsight_client_api.models.content import Content
from hindsight_client_api.models.memory_item import MemoryItem
from hindsight_client_api.models.retain_request import RetainRequest

from memory import tasks, tenancy
from memory.models import Bank, Operation, OperationStatus, OperationType
from tests.client.conftest import BANK
from tests.client.sending import run
from tests.factories import Org


@pytest.fixture
def unsent(monkeypatch: pytest.MonkeyPatch) -> None:
    """No worker takes anything up."""
    monkeypatch.setattr(tasks.run_operation, "delay", lambda *args: None)


def make(org: Org, status: OperationStatus, **fields: Any) -> str:
    with tenancy.scope(org.tenant.pk):
        bank = Bank.objects.get(name=BANK)
        kind = fields.pop("type", OperationType.CONSOLIDATION)
        operation = Operation.objects.create(
            tenant=org.tenant, bank=bank, type=kind, status=status, **fields
        )
    return str(operation.pk)


def status_of(client: Hindsight, operation_id: str) -> str:
    return str(run(client.operations.get_operation_status(BANK, operation_id)).status)


@pytest.mark.usefixtures("unsent")
def test_pending_work_is_cancelled_and_taken_up_again(client: Hindsight) -> None:
    done = client.retain(BANK, "Bo sells bread.", retain_async=True)
    assert status_of(client, done.operation_id) == "pending"
    cancelled = run(client.operations.cancel_operation(BANK, done.operation_id))
    assert (cancelled.success, cancelled.operation_id) == (True, done.operation_id)
    assert status_of(client, done.operation_id) == "cancelled"
    with pytest.raises(ApiException) as ended:
        run(client.operations.cancel_operation(BANK, done.operation_id))
    assert ended.value.status == 409
    run(client.operations.retry_operation(BANK, done.operation_id))
    assert status_of(client, done.operation_id) == "pending"
    with pytest.raises(ApiException) as open_:
        run(client.operations.retry_operation(BANK, done.operation_id))
    assert open_.value.status == 409
    with pytest.raises(ApiException) as kept:
        run(client.operations.delete_operation(BANK, done.operation_id))
    assert kept.value.status == 409


def test_watched_operation_tells_all_it_knows(client: Hindsight, org: Org) -> None:
    client.create_bank(BANK)
    running = make(
        org, OperationStatus.PROCESSING, type=OperationType.RETAIN, items_count=9, items_done=4,
        payload={"items": []}, attempts=2,
    )  # fmt: skip
    failed = make(org, OperationStatus.FAILED, error="It broke.", attempts=1)
    status = run(client.operations.get_operation_status(BANK, running, include_payload=True))
    assert (status.progress.processed, status.progress.total) == (4, 9)
    assert (status.retry_count, status.task_payload) == (1, {"items": []})
    told = run(client.operations.get_operation_status(BANK, failed))
    assert (told.error_message, told.task_payload) == ("It broke.", None)
    listed = run(client.operations.list_operations(BANK))
    assert {one.id for one in listed.operations} == {running, failed}
    assert run(client.operations.list_operations(BANK, status="failed")).total == 1
    assert run(client.operations.list_operations(BANK, type="webhook_delivery")).total == 0
    stats = run(client.banks.get_agent_stats(BANK))
    assert (stats.pending_operations, stats.failed_operations) == (1, 1)
    assert run(client.operations.delete_operation(BANK, failed)).success
    with pytest.raises(NotFoundException):
        run(client.operations.get_operation_status(BANK, failed))
    with pytest.raises(NotFoundException):
        run(client.operations.get_operation_status(BANK, str(uuid.uuid4())))


@pytest.mark.usefixtures("eager_tasks")
def test_consolidation_is_watched_to_its_end(client: Hindsight) -> None:
    for number in (1, 2):
        client.retain(BANK, "The depot opens at 8.", document_id=f"d{number}", tags=["a"])
    run(client.banks.clear_observations(BANK))
    request = ConsolidationRequest(observation_scopes=[["a"]])
    done = run(client.banks.trigger_consolidation(BANK, consolidation_request=request))
    assert done.deduplicated is False
    assert status_of(client, done.operation_id) == "completed"
    assert client.list_memories(BANK, type="observation").total == 1
    assert run(client.banks.get_agent_stats(BANK)).last_consolidated_at is not None


@pytest.mark.usefixtures("unsent")
def test_consolidation_that_waits_is_not_asked_for_twice(client: Hindsight, org: Org) -> None:
    client.create_bank(BANK)
    first = run(client.banks.trigger_consolidation(BANK))
    again = run(client.banks.trigger_consolidation(BANK))
    assert (again.operation_id, again.deduplicated) == (first.operation_id, True)
    failed = make(org, OperationStatus.FAILED, payload={"scopes": None})
    assert run(client.banks.recover_consolidation(BANK)).retried_count == 1
    assert status_of(client, failed) == "pending"


def test_refused_work_leaves_no_bank_behind(client: Hindsight) -> None:
    taken = client.retain(BANK, "Bo sells bread.", retain_async=True).operation_id
    elsewhere = RetainRequest(
        items=[MemoryItem(content=Content("Bo."))], var_async=True, operation_id=taken
    )
    with pytest.raises(ApiException) as refused:
        run(client.memory.retain_memories("other", elsewhere))
    assert refused.value.status == 409
    assert [bank.bank_id for bank in run(client.banks.list_banks()).banks] == [BANK]
