"""Who speaks in a sentence, and whether it can answer a question about somebody. Pure.

"My salary is 4,200 euros" says what somebody earns, and of whom only its speaker tells. A question
that names another person is not answered by it.
"""

from __future__ import annotations

from collections.abc import Sequence

import regex

from memory.facts.cue_words import FIRST_PERSON, FIRST_PERSON_UNSPACED
from memory.language.folding import fold

_LABEL = regex.compile(
    r"^[\s>*_\-•]*(?:\[[^\]\n]{1,30}\]\s*)?"
    r"(?P<name>[\p{Lu}\p{Lo}][\p{L}\p{M}.'’ -]{0,40}?)\**\s*(?:\([^)\n]{1,30}\))?\s*[:：]\**\s"
)
_WORD = regex.compile(r"[\p{L}\p{M}]+(?:['’]\p{L}+)*")
_SHORTEST = 2  # letters of a name that is compared by its beginning


def speaker_at(text: str, start: int) -> str:
    """The label of the line in which ``text[start]`` stands: ``Priya`` of ``Priya: I …``; or ""."""
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", start)
    label = _LABEL.match(text[line_start : len(text) if line_end < 0 else line_end] + " ")
    return label["name"].strip() if label else ""


def is_first_person(text: str) -> bool:
    """The sentence speaks of the one who says it."""
    words = {match.group().casefold().replace("’", "'") for match in _WORD.finditer(text)}
    return bool(words & FIRST_PERSON) or FIRST_PERSON_UNSPACED.search(text) is not None


def is_about_another(sentence: str, speaker: str, names: Sequence[str]) -> bool:
    """Whether ``speaker`` speaks of themselves while the question names somebody else.

    ``names`` are the question's. One that the sentence holds itself is no other speaker.
    """
    if not speaker or not names or not is_first_person(sentence):
        return False
    held = [fold(word) for word in _WORD.findall(f"{speaker} {sentence}")]
    return not any(_is_held(fold(name), held) for name in names)


def _is_held(name: str, words: Sequence[str]) -> bool:
    """By its beginning, since a name takes endings: ``Jonas's``, ``Priyas``, ``Мартой``."""
    own = regex.split(r"['’]", name)[0]
    return any(
        own == word
        or (
            len(min(own, word, key=len)) >= _SHORTEST
            and shared_letters(own, word) >= len(word) - 1 > 1
        )
        for word in words
    )


def shared_letters(one: str, other: str) -> int:
    """Letters that both begin with."""
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count
