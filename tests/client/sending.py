"""Calls of the client that run in its own loop, and calls beside its models over the same socket."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from hindsight_client import Hindsight

from tests.client.conftest import BANK


def run(call: Any) -> Any:
    return asyncio.get_event_loop().run_until_complete(call)


def send(
    client: Hindsight,
    body: Any,
    *,
    to: str = f"{BANK}/memories/recall",
    method: str = "POST",
) -> Any:
    """The response, whatever its status."""

    async def call() -> Any:
        response = await client._api_client.rest_client.request(
            method,
            f"{client._base_url}/v1/default/banks/{to}",
            headers=client._api_client.default_headers | {"Content-Type": "application/json"},
            body=body,
        )
        await response.read()
        return response

    return run(call())


def recalled(client: Hindsight, body: Any) -> Any:
    return json.loads(send(client, body).data)
