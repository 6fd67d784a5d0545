"""What a question asks for, read from its words alone. Pure; small word lists instead of a model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import regex

from memory.language.folding import fold
from memory.language.languages import STOP_WORDS, detect_language
from memory.language.terms import Term, terms
from memory.reading.question_words import ASKING, ASKING_WORDS, PHRASES, AnswerType

__all__ = ["FUNCTION_WORDS", "AnswerType", "Question", "analyse", "answer_type", "parts"]

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+(?:['’.\-][\p{L}\p{M}\p{N}]+)*")
_NUMBER = regex.compile(r"\p{Nd}+(?:[.,:/]\p{Nd}+)*")
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")


# Words of any language that carry no topic, for a text whose language is not known.
FUNCTION_WORDS = frozenset().union(*STOP_WORDS.values(), (fold(word) for word in ASKING_WORDS))


@dataclass(frozen=True, slots=True)
class Question:
    """``terms`` are what an answer should be about, without function words."""

    text: str
    answer_type: AnswerType
    terms: tuple[Term, ...]
    names: tuple[str, ...]  # capitalised words that do not merely start the question; acronyms
    numbers: tuple[str, ...]
    is_definition: bool
    language: str  # "" where nothing speaks for one

    def places(self, word: str) -> list[int]:
        """Indices of the terms that ``word`` consists of."""
        return [
            index
            for index, term in enumerate(self.terms)
            if self.text[term.start : term.end] in word
        ]

    def within(self, part: str) -> list[int]:
        """Indices of the terms that stand in ``part`` of the question."""
        start = self.text.find(part)
        return [
            index
            for index, term in enumerate(self.terms)
            if start <= term.start < start + len(part)
        ]


def analyse(text: str, language: str = "") -> Question:
    """``language`` is that of the pages, which decides how words are stemmed."""
    # Blanked rather than cut, so that offsets stay those of the question.
    asked = ASKING.sub(lambda match: " " * len(match.group()), text)
    found = terms(asked, language)
    own_language = detect_language(text)
    stop = function_words(language) | function_words(own_language)
    content = tuple(term for term in found if term.folded not in stop)
    return Question(
        text=text,
        answer_type=answer_type(text),
        terms=content or found,
        names=_names(text, own_language or language, stop),
        numbers=tuple(_NUMBER.findall(text)),
        is_definition=_matches(text, dict(PHRASES)[AnswerType.DEFINITION]),
        language=own_language,
    )


def answer_type(text: str) -> AnswerType:
    for kind, phrases in PHRASES:
        if _matches(text, phrases):
            return kind
    return AnswerType.OTHER


def parts(text: str) -> tuple[str, ...]:
    """The questions of a double question, else the question itself: "How and when did …" is one.

    >>> parts("What is the fee and who approves it?")
    ('What is the fee', 'who approves it?')
    """
    pieces = [piece.strip() for piece in _SPLIT.split(text) if piece.strip(" ?？؟")]
    are_questions = all(len(_WORD.findall(one)) > 1 or _UNSPACED.search(one) for one in pieces)
    return tuple(pieces) if len(pieces) > 1 and are_questions else (text.strip(),)


_SPLIT = regex.compile(
    r"(?<=[?？؟])\s*(?=\S)|[,;]?\s+(?:and|und|et|y|e|en|i|și|ve|и|και|و|och|og|và|dan)\s+"
    r"(?=(?:how|what|who|when|where|why|which|wie|was|wer|wann|wo|warum|welche|combien|comment|qui|quand|où"
    r"|pourquoi|quel|cuánt|quién|cuándo|dónde|cómo|qué|quanto|chi|quando|dove|come|quem|onde|сколько|кто|когда"
    r"|где|как|что|πόσ|ποιος|πότε|πού|kaç|kim|nerede|bao nhiêu|ai|khi nào|berapa|siapa|kapan|di mana)\b)",
    regex.IGNORECASE,
)


@cache
def function_words(language: str) -> frozenset[str]:
    """Folded words of a language that carry no topic: leaving them out of a sentence says nothing."""
    stop = STOP_WORDS.get(language, frozenset())
    return frozenset(fold(word) for word in stop | ASKING_WORDS)


def _names(text: str, language: str, stop: frozenset[str]) -> tuple[str, ...]:
    """Capitalised words that do not merely open the question; acronyms and identifiers. Where nouns
    or all words are capitalised, a capital tells nothing."""
    words = [match.group() for match in _WORD.finditer(text)]
    capitals = [word[0].isupper() for word in words[1:]]
    telling = language not in _CAPITAL_NOUNS and sum(capitals) <= max(2, 0.6 * len(capitals))
    names = [
        word
        for index, word in enumerate(words)
        if fold(word) not in stop
        and (_ACRONYM.fullmatch(word) or (telling and index > 0 and word[0].isupper()))
    ]
    return tuple(names)


_CAPITAL_NOUNS = frozenset({"de", "lb"})
_ACRONYM = regex.compile(r"(?=\P{Ll}*\p{Lu})(?:[\p{Lu}\p{N}][\p{Lu}\p{N}.\-]+s?)")


def _matches(text: str, phrases: str) -> bool:
    return _pattern(phrases).search(fold(text)) is not None


@cache
def _pattern(phrases: str) -> regex.Pattern[str]:
    """Any of the phrases, between bars: as whole words where a script parts its words."""
    folded = [regex.escape(fold(phrase)) for phrase in phrases.split("|")]
    unspaced = [phrase for phrase in folded if _UNSPACED.search(phrase)]
    spaced = [phrase for phrase in folded if not _UNSPACED.search(phrase)]
    return regex.compile(
        rf"(?<![\p{{L}}\p{{M}}])(?:{'|'.join(spaced)})(?![\p{{L}}\p{{M}}])"
        + (f"|{'|'.join(unspaced)}" if unspaced else "")
    )
