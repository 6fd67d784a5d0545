"""The turns of a plain text: who says what, line by line. Pure.

    Ana: Hello.        **Ana**: Hello.        - Ana: Hello.
    [09:12] Ana: …     Ana (09:12): …         2024-05-03 09:12 - Ana López: …
    Ana, [03.05.2024 09:12]     Ana — 3 May 2024 9:12 AM     and on the next line what she says

``Fee: 20 euros`` looks the same. A label is a speaker where it is a given name or a role, where it
comes back, or where what follows it is spoken: to somebody, or of the one who speaks.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import regex

from memory.facts import cue_words, stamps
from memory.facts.given_names import GIVEN_NAMES
from memory.facts.name_words import CONNECTORS, TITLES
from memory.facts.records import Turn
from memory.facts.speaker_words import GREETINGS, NO_SPEAKERS, ROLES, SECOND_PERSON
from memory.facts.stamps import DAY, STAMP
from memory.language.folding import fold
from memory.language.text import clean_text

AGENT_ROLES: Final = frozenset({"assistant", "agent", "ai", "bot", "model"})
_SHARE_OF_LINES: Final = 0.5
_SHARE_OF_PEOPLE: Final = 0.5  # of the labels, where none comes back
_SHARE_SPOKEN: Final = 0.34
_SENTENCE: Final = 4  # words from which a line is one without a full stop
_MOST_WORDS: Final = 4  # of a name
_TELLING: Final = 3  # letters

_NAME = r"\p{L}[\p{L}\p{M}\p{N} .'’_-]{0,39}?"
_LINE = regex.compile(
    rf"""^[ \t\u200e]*(?:>[ \t]?)*(?:(?:[-*+•–]|\d{{1,3}}[.)])[ \t]+)?(?:>[ \t]?)*
    (?P<stamp>[\[(]{STAMP}[\])][ \t]*[-–—]?[ \t]*|{STAMP}[ \t]*[-–—|]?[ \t]+)?
    (?P<mark>\*\*|__|\*|_)?
    (?P<stamp>[\[(]{STAMP}[\])][ \t]*)?
    (?P<speaker>{_NAME})
    (?P<closed>(?P=mark))?
    [ \t]*(?:(?P<stamp>[\[(]{STAMP}[\])])|\(\p{{L}}[^()\n]{{0,40}}\))?
    (?:(?P=mark))?[ \t]?[:：](?:\*\*|__|\*|_)?(?:\s+|(?=[\p{{Han}}\p{{Hiragana}}\p{{Katakana}}]))(?=\S)""",
    regex.MULTILINE | regex.VERBOSE | regex.IGNORECASE,
)
# Chats that have the name and the time on a line of their own.
_HEADER = regex.compile(
    rf"""^[ \t]*(?:
        (?P<speaker>{_NAME})(?:\#\d{{4}})?,?[ \t]*(?:[—–-][ \t]*)?(?P<stamp>[\[(]?{STAMP}[\])]?):?
        |(?P<stamp>[\[(]{STAMP}[\])])[ \t]*(?P<speaker>{_NAME})(?:\#\d{{4}})?
    )[ \t]*\n(?=[^\n]*\S)""",
    regex.MULTILINE | regex.VERBOSE | regex.IGNORECASE,
)
_BREAK = regex.compile(
    r"^(?:#{1,6}[ \t]+\S.*|[ \t]*(?:-{3,}|\*{3,}|_{3,}|={3,})[ \t]*)$", regex.MULTILINE
)
_DATED = regex.compile(DAY, regex.IGNORECASE)
_WORDS = regex.compile(r"[\p{L}\p{M}]+(?:['’]\p{L}+)*")
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}]")
_ENDED = regex.compile(r"[.!?…。！？][\"”»’')\]]*$")
_ASKS = regex.compile(r"[?？؟!！]")
_TITLE = regex.compile(rf"(?:{TITLES})\s", regex.IGNORECASE)
_TRAILING_NUMBER = regex.compile(r"[ .]*\d{1,2}$")
_FIRST_WORDS = 300  # characters of a turn that are looked at
_CONNECTORS = frozenset(CONNECTORS.split("|"))
_GREETINGS, _SECOND_PERSON, _FIRST_PERSON, _NO_SPEAKERS, _ROLES = (
    frozenset(map(fold, words))
    for words in (GREETINGS, SECOND_PERSON, cue_words.FIRST_PERSON, NO_SPEAKERS, ROLES)
)


@dataclass(frozen=True)
class _Label:
    """The beginning of a line, and the first words after it."""

    start: int
    end: int
    name: str
    stamps: tuple[str, ...]  # times beside the name
    said: str

    @property
    def is_stamped(self) -> bool:
        """A clock alone may stand before an entry of a programme, too."""
        return any(stamp[0] in "[(" or _DATED.search(stamp) for stamp in self.stamps)

    @cached_property
    def key(self) -> str:
        return fold(self.name)

    @cached_property
    def words(self) -> list[str]:
        return [fold(word) for word in _WORDS.findall(self.said)]

    @property
    def is_role(self) -> bool:
        return _TRAILING_NUMBER.sub("", self.key) in _ROLES

    @property
    def is_person(self) -> bool:
        if self.key in GIVEN_NAMES:  # in chats without a capital, too
            return True
        first = self.key.split()[0].strip(".,")
        return self.is_name and (first in GIVEN_NAMES or _TITLE.match(self.name) is not None)

    @property
    def is_entry(self) -> bool:
        """What a list names, not who speaks: "Fee", "Next steps", "Room 12"."""
        if self.is_role or self.is_person:
            return False
        words = [word.strip(".,") for word in self.key.split()]
        # A short word may be part of a name: "Nguyễn Văn An".
        return self.key in _NO_SPEAKERS or any(
            word in _NO_SPEAKERS for word in words if len(word) >= _TELLING
        )

    @property
    def is_name(self) -> bool:
        words = [word for word in self.name.split() if fold(word) not in _CONNECTORS]
        return (
            0 < len(words) <= _MOST_WORDS
            and not any(letter.isdigit() for letter in self.name)
            and all(not word[0].islower() for word in words)
            and not (self.name.isupper() and len(self.name) > 1 and self.key not in GIVEN_NAMES)
        )

    @property
    def begins_with_self(self) -> bool:
        return bool(self.words) and self.words[0] in _FIRST_PERSON

    @cached_property
    def is_spoken(self) -> bool:
        """Asked, exclaimed, said to somebody or of the one who speaks."""
        spoken = not (_FIRST_PERSON | _SECOND_PERSON).isdisjoint(self.words)
        greets = bool(self.words) and self.words[0] in _GREETINGS
        unspaced = cue_words.FIRST_PERSON_UNSPACED.search(self.said) is not None
        return spoken or greets or unspaced or _ASKS.search(self.said) is not None

    @property
    def is_sentence(self) -> bool:
        is_long = len(self.words) >= _SENTENCE or _UNSPACED.search(self.said) is not None
        return self.is_spoken or is_long or _ENDED.search(self.said) is not None


def find(text: str) -> tuple[Turn, ...]:
    """The turns of a text in which people speak; none where it is prose or a list."""
    headed = _headed(text)
    if headed:
        return tuple(_between(text, headed))
    labels = [label for label in _labels(text, _LINE) if not label.is_entry]
    often = Counter(label.key for label in labels)
    speaking = [
        label
        for label in labels
        if label.is_role or label.is_person or label.is_name or often[label.key] > 1
    ]
    if not speaking or not _is_talk(speaking):
        return ()
    plain = _BREAK.sub("", text)
    lines = sum(1 for line in plain.split("\n") if line.strip())
    if len(speaking) < _SHARE_OF_LINES * lines and not _is_export(text, speaking):
        return ()
    return tuple(_between(text, speaking))


def _is_export(text: str, labels: Sequence[_Label]) -> bool:
    """A chat of people with a time before every message, however many lines these have."""
    return (
        not _BREAK.sub("", text[: labels[0].start]).strip()
        and all(label.is_stamped for label in labels)
        and sum(label.is_person for label in labels) >= _SHARE_OF_PEOPLE * len(labels)
    )


def _headed(text: str) -> list[_Label]:
    """Those of a chat whose every message stands below a name and a time. A programme looks the same,
    so that its names have to be people's or come back."""
    labels = [label for label in _labels(text, _HEADER) if not label.is_entry]
    if not labels or _BREAK.sub("", text[: labels[0].start]).strip():
        return []
    people = sum(label.is_role or label.is_person for label in labels)
    come_back = len({label.key for label in labels}) <= len(labels) // 2
    return labels if people >= _SHARE_OF_PEOPLE * len(labels) or come_back else []


def _is_talk(labels: Sequence[_Label]) -> bool:
    count = len(labels)
    people = sum(label.is_role or label.is_person for label in labels)
    spoken = sum(label.is_spoken for label in labels) + _addressed(labels)
    stamped = sum(label.is_stamped for label in labels)
    if 2 * sum(label.is_sentence for label in labels) < count:
        return False
    if count == 1:
        (only,) = labels
        return (
            only.is_person
            or only.is_stamped
            or only.begins_with_self
            or (only.is_role and only.is_spoken)
        )
    speakers = len({label.key for label in labels})
    if speakers <= (count + 1) // 2 and count > 2 and all(label.is_name for label in labels):
        return True
    if people >= _SHARE_OF_PEOPLE * count or stamped >= _SHARE_OF_PEOPLE * count:
        return True
    share = _SHARE_SPOKEN if speakers < count else 1 - _SHARE_SPOKEN
    return spoken >= share * count


def _addressed(labels: Iterable[_Label]) -> int:
    """How many mention another speaker by name, beside those that count as spoken anyway."""
    keys = {label.key for label in labels}
    return sum(
        not label.is_spoken and not (keys - {label.key}).isdisjoint(label.words) for label in labels
    )


def _labels(text: str, pattern: regex.Pattern[str]) -> Iterator[_Label]:
    matches = list(pattern.finditer(text))
    ends = [match.start() for match in matches] + [len(text)]
    for match, end in zip(matches, ends[1:], strict=True):
        said = text[match.end() : min(end, match.end() + _FIRST_WORDS)].strip()
        if not said:
            continue
        yield _Label(
            match.start(),
            match.end(),
            clean_text(match["speaker"]),
            tuple(match.captures("stamp")),
            said,
        )


def _between(text: str, labels: Sequence[_Label]) -> Iterator[Turn]:
    """A turn goes on to the next label, heading or rule."""
    breaks = [match.start() for match in _BREAK.finditer(text)]
    ends = [label.start for label in labels[1:]] + [len(text)]
    times = stamps.times([" ".join(label.stamps) for label in labels])
    for label, following, said_at in zip(labels, ends, times, strict=True):
        place = bisect_left(breaks, label.end)
        end = min((following, *breaks[place : place + 1]))
        words = text[label.end : end].rstrip()
        if words:
            yield Turn(
                label.start,
                label.end,
                label.end + len(words),
                label.name,
                is_agent=label.name.casefold() in AGENT_ROLES,
                said_at=said_at,
            )
