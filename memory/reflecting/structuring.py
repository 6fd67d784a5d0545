"""An answer once more, in the shape that a caller asked for. Its figures must be the answer's."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import jsonschema
from django.utils.translation import gettext as _

from memory import prompts
from memory.backends.completions import ChatModel
from memory.errors import GeneratorFailed
from memory.types import Usage
from memory.verification.reply_json import json_objects

PROMPT: Final = ("shape", 1)
MOST_SCHEMA: Final = 20_000  # characters
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Structured:
    """``error`` is a sentence where there is no ``value``."""

    value: Mapping[str, Any] | None = None
    error: str | None = None
    usage: Usage = field(default_factory=Usage)


def without_answer(*, has_model: bool) -> Structured:
    """Where no model wrote an answer."""
    if has_model:
        return Structured(error=_("There is no answer that could be put into a shape."))
    return Structured(error=_("An answer in a shape of its own needs a language model."))


def structured(answer: str, schema: Any, model: ChatModel) -> Structured:
    """Never raises: a shape that cannot be filled leaves the answer's text as it is."""
    if not _is_schema(schema):
        return Structured(
            error=_(
                "response_schema must be a JSON schema of an object, without patterns and references."
            )
        )
    messages = prompts.load(*PROMPT).messages(
        mark=secrets.token_hex(8), answer=answer, schema=json.dumps(schema, ensure_ascii=False)
    )
    try:
        completion = model.complete(messages)
    except GeneratorFailed:
        return Structured(error=_("The model did not answer."))
    value = _only_object(completion.text)
    if value is None or not jsonschema.Draft202012Validator(schema).is_valid(value):
        return Structured(
            error=_("The model's answer does not fit the schema."), usage=completion.usage
        )
    said = set(_DIGITS.findall(answer))
    if not said.issuperset(_DIGITS.findall(" ".join(_leaves(value)))):
        return Structured(
            error=_("The model's answer holds figures that no memory holds."),
            usage=completion.usage,
        )
    return Structured(value, usage=completion.usage)


def _is_schema(schema: Any) -> bool:
    if not isinstance(schema, dict) or len(json.dumps(schema)) > MOST_SCHEMA or _is_unsafe(schema):
        return False
    try:
        jsonschema.Draft202012Validator.check_schema(schema)
    except jsonschema.SchemaError:
        return False
    return bool(schema.get("type", "object") == "object")


def _is_unsafe(schema: Any) -> bool:
    """Whether it names a schema elsewhere, which would be fetched, or brings a pattern, which may
    take for ever."""
    if isinstance(schema, dict):
        return any(
            key in ("pattern", "patternProperties")
            or (key in ("$ref", "$dynamicRef") and not str(value).startswith("#"))
            or _is_unsafe(value)
            for key, value in schema.items()
        )
    return isinstance(schema, list) and any(map(_is_unsafe, schema))


def _only_object(reply: str) -> dict[str, Any] | None:
    try:
        found = list(json_objects(reply))
    except ValueError:
        return None
    return found[0] if len(found) == 1 else None


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for inner in value.values():
            yield from _leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner)
    elif isinstance(value, str | int | float) and not isinstance(value, bool):
        yield str(value)
