"""An answer in a language model's words. It may look into the bank a bounded number of times.

    look (mental models, observations, memories) ─▶ ask ─┬─ looks further ─▶ ask …
                                                         └─ answers ─▶ ids known? ─▶ verify

A statement is given only if it cites what was found and its words are carried by it.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from memory import judging, prompts
from memory.backends.completions import ChatModel, Messages
from memory.errors import InvalidQuery, UnreadableReply
from memory.hits import Budget
from memory.language.tokens import count_tokens
from memory.models import Bank
from memory.reflecting import quoting
from memory.reflecting.looking import Looked
from memory.reflecting.records import ModelCall, NoAnswer, Reflection, Tool
from memory.reflecting.showing import Shown
from memory.reflecting.turns import Answer, Look, Statement, read_turn
from memory.types import Draft, DraftClaim, DraftSpan, Passage, Usage
from memory.verification import verify

PROMPT: Final = ("reflect", 1)
TURNS: Final = {Budget.LOW: 5, Budget.MID: 10, Budget.HIGH: 20}
MOST_CONTEXT: Final = 100_000  # tokens of the whole conversation
MOST_SECONDS: Final = 300.0
_SHORTEST, _LONGEST = 256, 8_192  # tokens of one reply


class Dialogue:
    """One reflection with a model."""

    def __init__(self, looked: Looked, bank: Bank, model: ChatModel | None = None) -> None:
        tokens = min(max(looked.request.max_tokens, _SHORTEST), _LONGEST)
        self._model = replace(model or ChatModel.from_settings(), most_tokens=tokens)
        self._looked, self._bank = looked, bank
        self._shown = Shown()
        self._mark = secrets.token_hex(8)  # nobody who wrote a memory can know it
        self._usage = Usage()
        self._calls: list[ModelCall] = []
        self._began = time.monotonic()

    def answer(self) -> Reflection:
        """Raises ``GeneratorFailed``, also where the model comes to no answer in its turns."""
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
                if isinstance(read, Answer) and (is_last or not self._unknown(read)):
                    return self._checked(read.statements)
                if is_last:
                    raise UnreadableReply("the model did not come to an answer")
            except UnreadableReply as error:
                if is_last:
                    raise
                messages.append(_said(f"This reply cannot be used: {error}. Reply with one turn."))
            else:
                messages.append(self._answered(read, turn))
        raise AssertionError("unreachable")

    def given_up(self, instead: Reflection) -> Reflection:
        """Another answer in place of the model's, with what was spent on the model."""
        return replace(instead, usage=self._usage, model_calls=tuple(self._calls))

    def _first_looks(self) -> str:
        """Always the same three, in this order, before the model is asked."""
        query, looked, show = self._looked.request.query, self._looked, self._shown
        parts = [show.show_models(looked.mental_models(query))]
        parts.append(show.show_hits(looked.recall(query, tool=Tool.OBSERVATIONS)))
        parts.append(show.show_hits(looked.recall(query)))
        return "\n".join(part for part in parts if part) or "nothing"

    def _answered(self, read: Answer | Look, turn: int) -> dict[str, str]:
        """What the model is told after a turn that was not its last."""
        if isinstance(read, Answer):
            listed = ", ".join(self._unknown(read)[:5])
            return _said(f"You were not shown {listed}. Cite only what you were.")
        if read.tool is Tool.MENTAL_MODELS:
            models = self._looked.mental_models(read.query, iteration=turn)
            return self._found(self._shown.show_models(models))
        try:
            hits = self._looked.recall(
                read.query, tool=read.tool, max_tokens=read.max_tokens, iteration=turn
            )
        except InvalidQuery as error:
            return _said(str(error))
        return self._found(self._shown.show_hits(hits))

    def _found(self, lines: str) -> dict[str, str]:
        body = lines or "nothing"
        return _said(f"<<<DATA {self._mark} found>>>\n{body}\n<<<END {self._mark}>>>")

    def _unknown(self, answer: Answer) -> list[str]:
        ids = (name for statement in answer.statements for name in statement.ids)
        return [name for name in dict.fromkeys(ids) if name not in self._shown]

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
        final = [_said("Answer now; nothing more can be looked up.")] if is_last else []
        began = time.perf_counter()
        completion = self._model.complete([*messages, *final])
        took = round((time.perf_counter() - began) * 1000)
        self._calls.append(ModelCall("reflect", took))
        self._usage += completion.usage
        return completion.text

    def _checked(self, statements: Sequence[Statement]) -> Reflection:
        """Without the statements that nothing carries; no answer where none is left."""
        passages = self._shown.passages(self._bank.pk)
        claims = verify.verify(
            Draft(claims=tuple(_claim(one, passages) for one in statements)),
            list(passages.values()),
            judge_says=judging.says,
        )
        kept = [one for one, claim in zip(statements, claims, strict=True) if claim.supported]
        if not kept:
            reason = NoAnswer.UNVERIFIED if statements else NoAnswer.NOT_COVERED
            return self._told(quoting.declined(self._looked, reason), left_out=len(statements))
        cited = {name for one in kept for name in one.ids}
        return self._told(
            Reflection(
                text=" ".join(one.text for one in kept),
                memories=tuple(hit for name, hit in self._shown.hits.items() if name in cited),
                mental_models=tuple(
                    one for name, one in self._shown.models.items() if name in cited
                ),
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


def _claim(statement: Statement, passages: Mapping[str, Passage]) -> DraftClaim:
    cited = [passages[name] for name in statement.ids if name in passages]
    spans = tuple(DraftSpan(passage.number, quote=passage.text) for passage in cited)
    return DraftClaim(statement.text, spans)


def _said(text: str) -> dict[str, str]:
    return {"role": "user", "content": text}
