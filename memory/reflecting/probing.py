"""Whether the language model can be reached: one small call."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from memory.backends.completions import ChatModel, Messages
from memory.errors import FailureKind, GeneratorFailed
from memory.reflecting.engine import has_model

_ASKED: Final[Messages] = [{"role": "user", "content": "Reply with {}"}]
_REPLY: Final = 16  # tokens
_PATIENCE: Final = 20.0  # seconds


class Reach(StrEnum):
    CONNECTED = "connected"
    NOT_CONFIGURED = "not_configured"
    UNREACHABLE = "unreachable"
    TIMEOUT = "timeout"


@dataclass(frozen=True, slots=True)
class Probe:
    """``latency_ms`` is None where no reply came."""

    reach: Reach
    latency_ms: int | None = None


def probe() -> Probe:
    """Never raises. A reply that cannot be used is one."""
    if not has_model():
        return Probe(Reach.NOT_CONFIGURED)
    model = ChatModel.from_settings()
    began = time.perf_counter()
    try:
        replace(model, timeout_s=min(model.timeout_s, _PATIENCE), most_tokens=_REPLY).complete(
            _ASKED
        )
    except GeneratorFailed as failure:
        if failure.kind is not FailureKind.UNREADABLE:
            is_late = failure.kind is FailureKind.TIMEOUT
            return Probe(Reach.TIMEOUT if is_late else Reach.UNREACHABLE)
    return Probe(Reach.CONNECTED, round((time.perf_counter() - began) * 1000))
