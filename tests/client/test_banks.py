"""Banks through the client: both ways of making one, their settings, figures and end."""

from __future__ import annotations

import pytest
from hindsight_client import Hindsight
from hindsight_client_api.exceptions import ApiException, NotFoundException
from hindsight_client_api.models.create_bank_request import CreateBankRequest

from tests.client.conftest import BANK
from tests.client.sending import run


def test_bank_is_made_listed_and_removed(client: Hindsight) -> None:
    made = client.create_bank(BANK, name="Support", mission="Help.", disposition_empathy=5)
    assert (made.bank_id, made.name, made.mission) == (BANK, "Support", "Help.")
    assert made.disposition.empathy == 5
    listed = run(client.banks.list_banks(q="supp"))
    assert [bank.bank_id for bank in listed.banks] == [BANK]
    assert (listed.banks[0].fact_count, listed.total) == (0, 1)
    client.delete_bank(BANK)
    assert run(client.banks.list_banks()).total == 0


def test_bank_is_changed_by_the_generated_calls(client: Hindsight) -> None:
    run(client.banks.create_or_update_bank(BANK, CreateBankRequest(name="One")))
    changed = run(client.banks.update_bank(BANK, CreateBankRequest(background="Shop")))
    assert (changed.name, changed.background) == ("One", "Shop")
    client.set_mission(BANK, "Be short.")
    assert client.get_bank_config(BANK)["overrides"] == {"reflect_mission": "Be short."}


def test_settings_are_changed_and_taken_back(client: Hindsight) -> None:
    client.create_bank(BANK)
    changed = client.update_bank_config(BANK, enable_graph_retrieval=False, retain_mission="All")
    assert changed["overrides"] == {"enable_graph_retrieval": False, "retain_mission": "All"}
    assert client.get_bank_config(BANK) == changed
    assert client.reset_bank_config(BANK)["overrides"] == {}
    generated = run(client.banks.get_bank_config(BANK))
    assert generated.config["enable_graph_retrieval"] is True


def test_figures_count_what_was_retained(client: Hindsight) -> None:
    client.retain(BANK, "Mira runs the depot.", document_id="a")
    stats = run(client.banks.get_agent_stats(BANK))
    assert (stats.total_nodes, stats.total_documents) == (1, 1)
    assert stats.nodes_by_fact_type == {"world": 1}
    assert stats.links_by_link_type == {"derived_from": 1}
    assert stats.pending_operations == stats.failed_operations == 0
    growth = run(client.banks.get_memories_timeseries(BANK, period="7d"))
    assert [bucket.world for bucket in growth.buckets] == [1]


@pytest.mark.usefixtures("eager_tasks")
def test_fact_that_was_looked_at_waits_for_no_consolidation(client: Hindsight) -> None:
    client.create_bank(BANK)
    client.update_bank_config(BANK, enable_observations=False)
    client.retain(BANK, "Mira runs the depot.", document_id="a")
    assert run(client.banks.get_agent_stats(BANK)).pending_consolidation == 1
    run(client.banks.trigger_consolidation(BANK))
    assert run(client.banks.get_agent_stats(BANK)).pending_consolidation == 0
    client.retain(BANK, "Jo drives the van.", document_id="b")
    assert run(client.banks.get_agent_stats(BANK)).pending_consolidation == 1


def test_memories_are_cleared_by_type_and_all(client: Hindsight) -> None:
    client.retain(BANK, "Mira runs the depot.", document_id="a")
    assert run(client.memory.clear_bank_memories(BANK, type="experience")).deleted_count == 0
    assert run(client.memory.clear_bank_memories(BANK)).deleted_count == 1
    assert client.list_memories(BANK).total == 0
    assert run(client.documents.list_documents(BANK)).total == 0


def test_retired_and_missing_are_told_apart(client: Hindsight) -> None:
    with pytest.raises(ApiException) as retired, pytest.deprecated_call():
        run(client.banks.get_bank_profile(BANK))
    assert retired.value.status == 410
    with pytest.raises(NotFoundException):
        run(client.banks.get_agent_stats("nowhere"))
    with pytest.raises(ApiException) as refused:
        client.get_knowledge_base_tree(BANK)
    assert refused.value.status == 501
    assert "under /v1/kb" in refused.value.body


def test_version_names_every_feature(client: Hindsight) -> None:
    version = client.get_version()
    assert version.api_version == "1.1.0"
    assert version.features.observations
    assert version.features.worker
    assert not version.features.mcp
    alive = run(client.monitoring.get_liveness())
    assert alive.status == "alive"
    assert alive.uptime_seconds > 0
    assert run(client.monitoring.get_readiness())["status"] == "ok"
    assert run(client.monitoring.metrics_endpoint_metrics_get())


@pytest.mark.parametrize(
    "name",
    [
        "a b",
        "naïve:bank",
        "50%",
        "x') OR 1=1 --",
        "a?b#c&d",
        "日本",
        "%2e",
        "a/b",
        "/",
        "a/stats",
        "%2F",
    ],
)
def test_fc_69_id_is_data_on_the_way_there_and_back(client: Hindsight, name: str) -> None:
    assert client.create_bank(name).bank_id == name
    client.retain(name, "The tide is high.")
    assert [result.text for result in client.recall(name, "tide").results] == ["The tide is high."]
    chunk_id = client.list_memories(name).items[0].chunk_id
    assert run(client.documents.get_chunk(chunk_id)).bank_id == name
    assert [bank.bank_id for bank in run(client.banks.list_banks()).banks] == [name]
    client.delete_bank(name)
    assert run(client.banks.list_banks()).total == 0
