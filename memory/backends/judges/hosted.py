"""Judges with a hosted or local chat model."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from memory import prompts
from memory.backends.completions import ChatModel
from memory.reading.records import Reading
from memory.verification.reply_json import json_objects


class HostedJudge:
    """A reply that is no probability is None: this judge cannot tell. Raises ``GeneratorFailed``."""

    def __init__(self, model: ChatModel | None = None) -> None:
        self._model = model or ChatModel.from_settings()
        self._says = prompts.load("says", 1)
        self._answers = prompts.load("answers", 1)
        self.name = self._model.model

    def says(self, claim: str, quotes: Sequence[str]) -> float | None:
        return self._ask(self._says, claim=claim, quotes="\n\n".join(quotes))

    def answers(
        self, question: str, answer: str, quotes: Sequence[str], reading: Reading
    ) -> float | None:
        return self._ask(
            self._answers, question=question, answer=answer, quotes="\n\n".join(quotes)
        )

    def _ask(self, prompt: prompts.Prompt, **fields: str) -> float | None:
        messages = prompt.messages(mark=secrets.token_hex(8), **fields)
        return probability(self._model.complete(messages).text)


def probability(reply: str) -> float | None:
    """The one ``{"probability": p}`` in a reply, None where there is no such number in 0..1."""
    try:
        found = [value for value in json_objects(reply) if "probability" in value]
    except ValueError:
        return None
    stated = found[0]["probability"] if len(found) == 1 else None
    if isinstance(stated, bool) or not isinstance(stated, int | float):
        return None
    return float(stated) if 0 <= stated <= 1 else None
