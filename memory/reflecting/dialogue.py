"""An answer in a language model's words. It may look into the bank a bounded number of times.

    look (mental models, observations, memories) ─▶ ask ─┬─ looks further ─▶ ask …
                                                         └─ answers ─▶ ids known? ─▶ verify

A statement is given only if it cites what was found and its words are carried by it.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from memory import judging, prompts
from memory.backends.completions import ChatModel, Messages
from memory.errors import InvalidQuery, UnreadableReply
from memory.hits import Budget, Hit
from memory.language.tokens import count_tokens
from memory.models import Bank
from memory.reflecting import quoting
from memory.reflecting.looking import Looked, shown
from memory.reflecting.records import KnownModel, ModelCall, NoAnswer, Reflection, Tool
from memory.reflecting.turns import Answer, Look, Statement, read_turn
from memory.types import Draft, DraftClaim, DraftSpan, Passage, Usage
from memory.verification import verify

PROMPT: Final = ("reflect", 1)
TURNS: Final = {Budget.LOW: 5, Budget.MID: 10, Budget.HIGH: 20}
MOST_CONTEXT: Final = 100_000  # tokens of the whole conversation
MOST_SECONDS: Final = 300.0
_SHORTEST, _LONGEST = 256, 8_192  # tokens of one reply


@dataclass(slots=True)
class _Ids:
    """Short ids that the model is shown, and what they stand for."""

    hits: dict[str, Hit] = field(default_factory=dict)
    models: dict[str, KnownModel] = field(default_factory=dict)

    def of_hit(self, hit: Hit) -> str:
        for name, known in self.hits.items():
            if known.id == hit.id:
                return name
        name = f"M{len(self.hits) + 1}"
        self.hits[name] = hit
        return name

    def of_model(self, model: KnownModel) -> str:
        for name, known in self.models.items():
            if known.id == model.id:
                return name
        name = f"K{len(self.models) + 1}"
        self.models[name] = model
        return name

    def __contains__(self, name: str) -> bool:
        return name in self.hits or name in self.models


class Dialogue:
    """One reflection with a model. Raises ``GeneratorFailed`` from ``answer``."""

    def __init__(self, looked: Looked, bank: Bank, model: ChatModel | None = None) -> None:
        tokens = min(max(looked.request.max_tokens, _SHORTEST), _LONGEST)
        self._model = replace(model or ChatModel.from_settings(), most_tokens=tokens)
        self._looked, self._bank = looked, bank
        self._ids = _Ids()
        self._mark = secrets.token_hex(8)  # nobody who wrote a memory can know it
        self._usage = Usage()
        self._calls: list[ModelCall] = []
        self._began = time.monotonic()

    def answer(self) -> Reflection:
        found = self._first_looks()
        if not self._looked.hits and not self._looked.models:
            return quoting.declined(self._looked, NoAnswer.NOTHING_FOUND)
        turns = TURNS[self._looked.request.budget]
        messages = self._opening(found, turns)
        for turn in range(1, turns + 1):
            is_last = turn == turns or self._is_spent(messages)
            reply = self._ask(messages, is_last=is_last)
            messages.append({"role": "assistant", "content": reply})
            try:
                read = read_turn(reply)
            except UnreadableReply as error:
                if is_last:
                    raise
                messages.append(_said(f"This reply cannot be used: {error}. Reply with one turn."))
                continue
            if isinstance(read, Answer):
                unknown = [
                    id_ for one in read.statements for id_ in one.ids if id_ not in self._ids
                ]
                if unknown and not is_last:
                    listed = ", ".join(dict.fromkeys(unknown[:5]))
                    messages.append(_said(f"You were not shown {listed}. Cite only what you were."))
                    continue
                return self._checked(read.statements)
            messages.append(self._look(read, turn))
        raise UnreadableReply("the model did not come to an answer")

    def _first_looks(self) -> str:
        """Always the same three, in this order, before the model is asked."""
        query = self._looked.request.query
        parts = [self._models_shown(self._looked.mental_models(query))]
        parts.append(self._hits_shown(self._looked.recall(query, tool=Tool.OBSERVATIONS)))
        parts.append(self._hits_shown(self._looked.recall(query)))
        return "\n".join(part for part in parts if part) or "nothing"

    def _look(self, look: Look, turn: int) -> dict[str, str]:
        if look.tool is Tool.MENTAL_MODELS:
            found = self._models_shown(self._looked.mental_models(look.query, iteration=turn))
        else:
            try:
                hits = self._looked.recall(
                    look.query, tool=look.tool, max_tokens=look.max_tokens, iteration=turn
                )
            except InvalidQuery as error:
                return _said(str(error))
            found = self._hits_shown(hits)
        body = found or "nothing"
        return _said(f"<<<DATA {self._mark} found>>>\n{body}\n<<<END {self._mark}>>>")

    def _hits_shown(self, hits: Sequence[Hit]) -> str:
        return "\n".join(
            json.dumps(shown(hit) | {"id": self._ids.of_hit(hit)}, ensure_ascii=False)
            for hit in hits
        )

    def _models_shown(self, models: Sequence[KnownModel]) -> str:
        return "\n".join(
            json.dumps(
                {
                    "id": self._ids.of_model(one),
                    "mental_model": one.title,
                    "content": one.content,
                    "fresh": one.is_fresh,
                },
                ensure_ascii=False,
            )
            for one in models
        )

    def _opening(self, found: str, turns: int) -> Messages:
        request, bank = self._looked.request, self._bank
        rules = [f"- {rule.content}" for rule in self._looked.rules]
        return prompts.load(*PROMPT).messages(
            mark=self._mark,
            mission=bank.mission or "nothing was said",
            directives="\n".join(rules) or "- none",
            question=request.query,
            context=request.context or "none",
            found=found,
            turns=str(turns - 1),
            **{trait: str(value) for trait, value in bank.disposition.items()},
        )

    def _is_spent(self, messages: Messages) -> bool:
        length = sum(count_tokens(message["content"]) for message in messages)
        return length > MOST_CONTEXT or time.monotonic() - self._began > MOST_SECONDS

    def _ask(self, messages: Messages, *, is_last: bool) -> str:
        sent = (
            [*messages, _said("Answer now; nothing more can be looked up.")]
            if is_last
            else messages
        )
        began = time.perf_counter()
        completion = self._model.complete(sent)
        took = round((time.perf_counter() - began) * 1000)
        self._calls.append(ModelCall("reflect", took))
        self._usage += completion.usage
        return completion.text

    def _checked(self, statements: Sequence[Statement]) -> Reflection:
        """Without the statements that nothing carries; no answer where none is left."""
        passages = self._passages()
        numbers = {
            name: number for number, name in enumerate((*self._ids.hits, *self._ids.models), 1)
        }
        claims = verify.verify(
            Draft(claims=tuple(_claim(one, numbers, passages) for one in statements)),
            passages,
            judge_says=judging.says,
        )
        kept = [one for one, claim in zip(statements, claims, strict=True) if claim.supported]
        if not kept:
            reason = NoAnswer.UNVERIFIED if statements else NoAnswer.NOT_COVERED
            return self._told(quoting.declined(self._looked, reason), left_out=len(statements))
        cited = {id_ for one in kept for id_ in one.ids}
        return self._told(
            Reflection(
                text=" ".join(one.text for one in kept),
                memories=tuple(hit for name, hit in self._ids.hits.items() if name in cited),
                mental_models=tuple(one for name, one in self._ids.models.items() if name in cited),
                degraded=tuple(self._looked.degraded),
                tool_calls=tuple(self._looked.calls),
            ),
            left_out=len(statements) - len(kept),
        )

    def _told(self, reflection: Reflection, *, left_out: int) -> Reflection:
        return replace(
            reflection,
            rules=self._looked.rules,
            waiting_rules=0,
            left_out=left_out,
            model=self._model.model,
            usage=self._usage,
            model_calls=tuple(self._calls),
        )

    def _passages(self) -> list[Passage]:
        hits = [
            quoting.passage_of(number, hit)
            for number, hit in enumerate(self._ids.hits.values(), start=1)
        ]
        return hits + [
            _passage_of_model(number, self._bank, model)
            for number, model in enumerate(self._ids.models.values(), start=len(hits) + 1)
        ]


def _claim(
    statement: Statement, numbers: dict[str, int], passages: Sequence[Passage]
) -> DraftClaim:
    cited = [numbers[id_] for id_ in statement.ids if id_ in numbers]
    return DraftClaim(
        statement.text,
        tuple(DraftSpan(number, quote=passages[number - 1].text) for number in cited),
    )


def _passage_of_model(number: int, bank: Bank, model: KnownModel) -> Passage:
    return Passage(
        number=number,
        doc_id=bank.pk,
        doc_title=model.title,
        revision=0,
        chunk_id=bank.pk,
        text=model.content,
        char_start=0,
    )


def _said(text: str) -> dict[str, str]:
    return {"role": "user", "content": text}
