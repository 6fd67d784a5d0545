"""Drafts answers with a hosted or local chat model."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from dataclasses import replace

from memory import prompts
from memory.backends.completions import ChatModel
from memory.reading.records import Reading
from memory.types import Draft, Passage
from memory.verification.replies import parse_reply
from memory.verification.reply_citations import short_ids

PROMPT = ("answer", 1)


class HostedGenerator:
    """States a confidence; a reply without one is a failure."""

    states_confidence = True

    def __init__(self, model: ChatModel | None = None) -> None:
        self._model = model or ChatModel.from_settings()
        self._prompt = prompts.load(*PROMPT)
        self.name = f"{self._model.model} {self._prompt.label}"

    def draft(self, question: str, passages: Sequence[Passage], reading: Reading) -> Draft:
        """One call of the model, two where the first fails in passing."""
        mark = secrets.token_hex(8)  # nobody who wrote a page can know it
        messages = self._prompt.messages(
            mark=mark,
            count=str(len(passages)),
            passages=lay_out(passages, mark),
            question=question,
        )
        completion = self._model.complete(messages)
        draft = parse_reply(completion.text, passages, question=question)
        return replace(draft, usage=completion.usage)


def lay_out(passages: Sequence[Passage], mark: str) -> str:
    """The passages as the prompt shows them, each between two lines that carry ``mark``."""
    blocks = []
    for passage, (doc, chunk) in zip(passages, short_ids(passages), strict=True):
        about = {"doc_id": doc, "chunk_id": chunk, "title": passage.doc_title}
        if passage.heading_path:
            about["section"] = " > ".join(passage.heading_path)
        if passage.header:
            about["columns"] = passage.header
        facts = json.dumps(about, ensure_ascii=False)  # one line, whatever a title holds
        blocks.append(
            f"<<<PASSAGE [{passage.number}] {mark} {facts}>>>\n"
            f"{passage.text}\n"
            f"<<<END [{passage.number}] {mark}>>>"
        )
    return "\n\n".join(blocks)
