"""The asynchronous twins of the client's methods: each gives what the other gives."""

from __future__ import annotations

import asyncio
import inspect
import warnings
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from hindsight_client import Hindsight
from hindsight_client_api.exceptions import ApiException

from tests.client.conftest import BANK

OPENS, QUESTION = "The depot in Lyon opens at 8.", "When does the depot in Lyon open?"
# Of what is not offered here.
REFUSED: dict[str, tuple[Any, ...]] = {
    "aget_knowledge_base_tree": (),
    "acreate_knowledge_folder": ("folder",),
    "acreate_knowledge_page": ("page", QUESTION),
    "aget_knowledge_page": ("page",),
    "asearch_knowledge_base": ("word",),
    "aupdate_knowledge_node": ("node",),
    "adelete_knowledge_node": ("node",),
    "aexport_knowledge_base": (),
    "aexport_documents": (),
    "aexport_bank": (),
    "aclone_bank": ("copy",),
    "adry_run_refresh_mental_model": ("model",),
}


async def walk(client: Hindsight, called: set[str], page: Path) -> None:
    async def call(method: str, /, *args: Any, **more: Any) -> Any:
        called.add(method)
        return await getattr(client, method)(*args, **more)

    assert (await call("aget_version")).api_version == "1.1.0"
    assert (await call("acreate_bank", BANK, name="Support")).name == "Support"
    await call("aset_mission", BANK, "Help.")
    await call("aset_reflect_mission", BANK, "Help more.")
    assert (await call("aget_bank_config", BANK))["overrides"] == {"reflect_mission": "Help more."}
    assert (await call("aupdate_bank_config", BANK, enable_reranking=True))["bank_id"] == BANK
    assert (await call("areset_bank_config", BANK))["overrides"] == {}
    assert (await call("aretain", BANK, OPENS, document_id="depot")).success
    batch = await call("aretain_batch", BANK, [{"content": "Jo drives."}, {"content": "Bo bakes."}])
    assert batch.items_count == 2
    assert len((await call("aretain_files", BANK, [page])).operation_ids) == 1
    assert (await call("alist_memories", BANK)).total == 4
    assert (await call("arecall", BANK, QUESTION)).results[0].text == OPENS
    assert (await call("areflect", BANK, QUESTION)).text == OPENS
    await call("acreate_mental_model", BANK, "Hours", QUESTION, id="hours")
    assert (await call("alist_mental_models", BANK)).total == 1
    assert (await call("aget_mental_model", BANK, "hours")).content == OPENS
    await call("arefresh_mental_model", BANK, "hours")
    assert (await call("aupdate_mental_model", BANK, "hours", name="Opening")).name == "Opening"
    assert (await call("aget_mental_model_history", BANK, "hours"))["history"] == []
    assert (await call("aclear_mental_model", BANK, "hours")).content is None
    await call("adelete_mental_model", BANK, "hours")
    rule = await call("acreate_directive", BANK, "Tone", "Be kind.")
    assert (await call("alist_directives", BANK)).total == 1
    assert (await call("aget_directive", BANK, rule.id)).name == "Tone"
    assert (await call("aupdate_directive", BANK, rule.id, priority=3)).priority == 3
    await call("adelete_directive", BANK, rule.id)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the client's own
        for name, args in REFUSED.items():
            with pytest.raises(ApiException) as refused:
                await call(name, BANK, *args)
            assert refused.value.status == 501, name
    with pytest.raises(ApiException):
        await call("aimport_bank", BANK, str(page))
    await call("adelete_bank", BANK)
    await call("aclose")


@pytest.mark.usefixtures("eager_tasks")
def test_every_asynchronous_method_works(client: Hindsight, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Vans\n\nThe van is blue.\n")
    called: set[str] = set()
    asyncio.get_event_loop().run_until_complete(walk(client, called, page))
    assert called == asynchronous(Hindsight)


def asynchronous(of: type) -> set[str]:
    methods: list[tuple[str, Callable[..., Awaitable[Any]]]] = inspect.getmembers(
        of, inspect.iscoroutinefunction
    )
    return {name for name, _ in methods if name.startswith("a")}
