"""The same recall through every surface that there is gives the same memories."""

from __future__ import annotations

import json

from hindsight_client import Hindsight

from memory import banks, tags, tenancy
from memory.recall import engine
from memory.recall.request import RecallRequest
from tests.client.conftest import BANK
from tests.client.sending import recalled
from tests.factories import Org
from tests.mem_command import mem

GROUPS = [{"not": {"tags": ["archived"], "match": "any_strict"}}]
QUERY = "What is in the depot?"


def test_fc_56_no_surface_drops_a_filter(client: Hindsight, org: Org) -> None:
    client.retain_batch(
        BANK,
        [
            {"content": "The depot holds vans.", "tags": ["archived"]},
            {"content": "The depot holds bread.", "tags": ["new"]},
            {"content": "The depot holds tea."},
        ],
    )
    by_client = {one.id for one in client.recall(BANK, QUERY, tag_groups=GROUPS).results}
    by_rest = {
        one["id"] for one in recalled(client, {"query": QUERY, "tag_groups": GROUPS})["results"]
    }
    with tenancy.scope(org.tenant.pk):
        bank = banks.find(org.editor, BANK)
        wanted = RecallRequest(bank_id=bank.pk, query=QUERY, tags=tags.groups(GROUPS))
        by_engine = {str(hit.id) for hit in engine.recall(wanted).hits}
    ran = mem(
        *("query", QUERY, "--project", BANK, "--tag-groups", json.dumps(GROUPS)),
        *("--min-score", "0", "--format", "json"),
        org=org,
    )
    by_command = {hit["id"] for hit in ran.json["hits"]}
    assert by_client == by_rest == by_engine == by_command
    assert len(by_client) == 2
