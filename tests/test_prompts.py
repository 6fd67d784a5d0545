"""Prompt texts: versioned, pinned, and with the specification's own sentence."""

from __future__ import annotations

import pytest

from memory import prompts

# A text that was used is not edited. A change of words is a new version, and a new line here.
PINNED = {
    ("answer", 1): "1de27d56f77ac2a6926d9307718c94346bc1146adfcd018e51d5ecc7e89c22bd",
    ("says", 1): "41424e05f3558b0f7e817158d291a5e270a0cf12315f36effad3007ff39f2f26",
    ("facts", 1): "49457a2f90fb8aa00d3d992f3ea3c307273a891aff906a4b6da6d73a26283c37",
    ("reflect", 1): "6262d1a3a58701461a29f78b04b50a947652164b5b355e021297fdc3f3723ef5",
    ("shape", 1): "291db88278dfa29a3c5fab623076a39a787ab59d51667946e026efcaeb2249eb",
    ("answers", 1): "10f7a64a9491d343c8f9951d6bc286e7d1c045c7d94befeeacb08dad34613c93",
}
OF_REFLECT = {
    *("mission", "skepticism", "literalism", "empathy", "directives"),
    *("context", "found", "turns", "schema"),
}
FIELDS = (
    OF_REFLECT
    | {"mark", "count", "passages", "question", "quotes", "claim", "answer"}
    | {"about", "passage"}
)


@pytest.mark.parametrize(("name", "version"), PINNED)
def test_text_is_the_one_that_was_released(name: str, version: int) -> None:
    assert prompts.load(name, version).sha == PINNED[name, version]


@pytest.mark.parametrize(("name", "version"), PINNED)
def test_every_field_is_filled(name: str, version: int) -> None:
    messages = prompts.load(name, version).messages(**dict.fromkeys(FIELDS, "$filled"))
    assert [message["role"] for message in messages] == ["system", "user"]
    assert "$filled" in messages[1]["content"]
    assert not any(f"${field}" in message["content"] for message in messages for field in FIELDS)


def test_answer_prompt_holds_the_specified_sentence() -> None:
    assert (
        "Answer ONLY from provided context. Cite every claim with chunk_id + char range."
        " If insufficient evidence, return decline."
    ) in prompts.load("answer", 1).system


def test_field_that_is_not_given_is_refused() -> None:
    with pytest.raises(KeyError):
        prompts.load("says", 1).messages(mark="m")


def test_prompt_that_is_not_there_is_refused() -> None:
    with pytest.raises(FileNotFoundError):
        prompts.load("answer", 99)
