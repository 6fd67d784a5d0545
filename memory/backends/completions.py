"""One call of a hosted or local chat model, through litellm.

litellm is imported when a model is called, never before: the import takes seconds, and without
``LITELLM_LOCAL_MODEL_COST_MAP`` it would fetch a price list.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from typing import Any, Self

from django.conf import settings

from memory.errors import FailureKind, GeneratorFailed, UnreadableReply
from memory.types import Usage

Messages = list[dict[str, str]]
TRIES = 2  # one call, and one more where the first failed in passing


@dataclass(frozen=True, slots=True)
class Completion:
    text: str
    usage: Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatModel:
    """``model`` in litellm's notation, such as ``openai/gpt-4o-mini`` or ``ollama/llama3``.

    ``timeout_s`` is for each of at most two tries. Keys come from the environment, under
    litellm's own names.
    """

    model: str
    api_base: str = ""
    timeout_s: float = 60.0
    most_tokens: int = 2_000

    @classmethod
    def from_settings(cls) -> Self:
        return cls(
            model=settings.FOOTNOTE["LLM_MODEL"],
            api_base=settings.FOOTNOTE["LLM_API_BASE"],
            timeout_s=settings.FOOTNOTE["LLM_TIMEOUT"],
        )

    def complete(self, messages: Messages) -> Completion:
        """The reply's text. Raises ``GeneratorFailed``, ``UnreadableReply`` for an empty reply."""
        litellm = litellm_module()
        options = self._options(litellm)
        for attempt in range(1, TRIES + 1):
            try:
                response = litellm.completion(messages=messages, **options)
            except Exception as error:
                kind, is_passing = _failure(litellm, error)
                if not is_passing or attempt == TRIES:
                    # The message may quote the prompt: only the class is kept.
                    raise GeneratorFailed(
                        f"{self.model}: {type(error).__name__} at try {attempt}", kind=kind
                    ) from None
            else:
                return _completion(litellm, response, calls=attempt)
        raise AssertionError("unreachable")

    def _options(self, litellm: Any) -> dict[str, Any]:
        options: dict[str, Any] = {
            "model": self.model,
            "temperature": 0,
            "max_tokens": self.most_tokens,
            "timeout": self.timeout_s,
            # We retry ourselves, once; the provider's client would add its own.
            "max_retries": 0,
            "drop_params": True,
        }
        if self.api_base:
            options["api_base"] = self.api_base
            if self.model.startswith("openai/") and "OPENAI_API_KEY" not in os.environ:
                options["api_key"] = "none"  # a local server asks for none, its client does
        if "response_format" in _supported(litellm, self.model):
            options["response_format"] = {"type": "json_object"}
        return options


@cache
def litellm_module() -> Any:
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    import litellm

    litellm.telemetry = False
    litellm.suppress_debug_info = True
    return litellm


def _supported(litellm: Any, model: str) -> list[str]:
    try:
        return list(litellm.get_supported_openai_params(model=model) or ())
    except Exception:
        return []


def _failure(litellm: Any, error: Exception) -> tuple[FailureKind, bool]:
    """What failed, and whether a second try may do better."""
    errors = litellm.exceptions
    if isinstance(error, errors.Timeout):
        return FailureKind.TIMEOUT, True
    if isinstance(error, errors.RateLimitError | errors.BudgetExceededError):
        return FailureKind.QUOTA, False
    is_passing = isinstance(
        error,
        errors.APIConnectionError
        | errors.InternalServerError
        | errors.ServiceUnavailableError
        | errors.BadGatewayError,
    )
    return FailureKind.UNAVAILABLE, is_passing


def _completion(litellm: Any, response: Any, *, calls: int) -> Completion:
    choices = response.choices or []
    text = choices[0].message.content if choices else None
    if not isinstance(text, str) or not text.strip():
        raise UnreadableReply("the model replied with no text")
    counted = getattr(response, "usage", None)
    return Completion(
        text=text,
        usage=Usage(
            prompt_tokens=getattr(counted, "prompt_tokens", 0) or 0,
            completion_tokens=getattr(counted, "completion_tokens", 0) or 0,
            cost_usd=_cost(litellm, response),
            calls=calls,
        ),
    )


def _cost(litellm: Any, response: Any) -> float:
    """0.0 for a model that has no listed price."""
    try:
        return float(litellm.completion_cost(completion_response=response) or 0.0)
    except Exception:
        return 0.0
