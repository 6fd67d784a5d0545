"""Facts by a hosted or local chat model, each held against the passage."""

from __future__ import annotations

import json
import secrets
from typing import Final

from memory import prompts
from memory.backends.completions import ChatModel
from memory.errors import ExtractionFailed, GeneratorFailed, UnreadableReply
from memory.facts import layout, replies, rules
from memory.facts.records import Excerpt, Extracted
from memory.types import Usage

PROMPT = ("facts", 1)
_TRIES: Final = 2  # one reply, and one more where the first could not be used


class HostedExtractor:
    """One call a passage. A passage in which the model sees nothing gives the facts of the rules, so
    that its words can be recalled like any others."""

    is_free = False

    def __init__(self, model: ChatModel | None = None) -> None:
        self._model = model or ChatModel.from_settings()
        self._prompt = prompts.load(*PROMPT)
        self.name = f"{self._model.model} {self._prompt.label}"

    def extract(self, excerpt: Excerpt) -> Extracted:
        spent = Usage()
        reason = ""
        for _ in range(_TRIES):
            try:
                completion = self._model.complete(self._messages(excerpt))
            except UnreadableReply as error:
                reason = str(error)
                continue
            except GeneratorFailed as error:  # the model was tried twice already
                raise ExtractionFailed(f"The model gave no facts: {error}.") from error
            spent += completion.usage
            try:
                facts, claimed = replies.read(completion.text, excerpt)
            except UnreadableReply as error:
                reason = str(error)
                continue
            if facts or not claimed:
                return Extracted(tuple(facts or rules.extract(excerpt)), spent)
            reason = "none of its facts is carried by the passage"
        raise ExtractionFailed(f"The model gave no facts that can be used: {reason}.")

    def _messages(self, excerpt: Excerpt) -> list[dict[str, str]]:
        about = {"time": excerpt.said_at.isoformat() if excerpt.said_at else None}
        if excerpt.context:
            about["context"] = excerpt.context
        if excerpt.heading_path:
            about["section"] = " > ".join(excerpt.heading_path)
        if columns := layout.columns_above(excerpt):
            about["columns of the table"] = " | ".join(columns)
        return self._prompt.messages(
            mark=secrets.token_hex(8),  # nobody who wrote the content can know it
            about=json.dumps(about, ensure_ascii=False),  # one line, whatever it holds
            passage=excerpt.text,
        )
