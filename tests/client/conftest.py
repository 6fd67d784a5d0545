"""The unmodified public client against a real socket, as a member with a key."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.servers.basehttp import WSGIRequestHandler
from hindsight_client import Hindsight

from tests.factories import Org, make_org
from tests.memory_api import token_of

BANK = "support"


@pytest.fixture(autouse=True)
def _address_as_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """As servers for production do, the one for tests says which address was sent."""
    environ = WSGIRequestHandler.get_environ

    def with_address(handler: WSGIRequestHandler) -> dict[str, Any]:
        return environ(handler) | {"RAW_URI": handler.path}

    monkeypatch.setattr(WSGIRequestHandler, "get_environ", with_address)


@pytest.fixture
def org(live_server: Any) -> Org:
    return make_org()


@pytest.fixture
def client(live_server: Any, org: Org) -> Iterator[Hindsight]:
    with Hindsight(live_server.url, api_key=token_of(org.editor)) as made:
        yield made


@pytest.fixture(autouse=True)
def _own_loop(no_running_loop: None) -> None:
    """The client's plain methods run a loop of their own."""
