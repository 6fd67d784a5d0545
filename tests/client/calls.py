"""Every call that the client's generated modules can make, read from their source."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pkgutil import iter_modules

import hindsight_client_api.api as generated

_SERIALIZED = re.compile(
    r"def _(\w+)_serialize\(.*?method='(\w+)',\s*resource_path='([^']+)'", re.DOTALL
)


@dataclass(frozen=True)
class Call:
    name: str
    method: str
    path: str

    @property
    def address(self) -> str:
        """With something for each parameter."""
        uuid = "00000000-0000-4000-8000-000000000000"
        return (
            re.sub(r"\{(?:memory|entity|operation|directive)_id\}", uuid, self.path)
            .replace("{", "x")
            .replace("}", "")
        )


def every_call() -> Iterator[Call]:
    for module in iter_modules(generated.__path__):
        source = inspect.getsource(import_module(f"{generated.__name__}.{module.name}"))
        for name, method, path in _SERIALIZED.findall(source):
            yield Call(name, method, path)
