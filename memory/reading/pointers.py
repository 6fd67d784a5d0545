"""Sentences that only say where something is said: "the Overtime policy applies". Pure.

They hold all the words of a question and none of its answer. A sentence is one where a word of
referring stands beside the title of a page, and no figure answers a question for one.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import regex

from memory.language.folding import fold
from memory.reading import patterns
from memory.reading.questions import AnswerType, Question

# ruff: noqa: E501 - word lists

# Before the title, and behind it. Folded, as regular expressions.
_BEFORE = (
    r"(?:described|explained|laid down|set out|listed|kept|found|covered|documented|defined|named|given|noted) in|(?:is|are) in|see(?: also)?"
    r"|read|refer to|follows?|belongs? to|part of|summary of|governed by|according to"
    r"|siehe(?: auch)?|steh(?:t|en) in|beschrieben in|geregelt in|richte[nt] sich nach|find(?:et|en) sich in|vgl|nachzulesen in"
    r"|voir(?: aussi)?|decrite?s? dans|figurent? dans|se trouvent? dans|consultez"
    r"|vease|ver|descritos? en|consulte|vedi|descritt[oaie] in|si trova in|consultare|veja|descritos? em"
    r"|zie|staa[nt] in|beschreven in|zobacz|patrz|opisan[eayo] w|см|смотрите|описан[аоы]? в|изложен[аоы]? в"
    r"|xem|duoc neu trong|quy dinh trong|theo|bakiniz|bkz|lihat|انظر|راجع|见|見|参见|參見|参阅|详见|詳見|请看"
)
_BEHIND = (
    r"appl(?:y|ies)|governs?|says|tells|explains|describes|covers|has the (?:rules|details)|gilt|gelten|regelt|beschreibt"
    r"|s'appliquent?|decrit|se aplican?|describe|si applica(?:no)?|descrive|se aplicam?|descreve|geldt|gelden|obowiazuje"
    r"|применяется|действует|описывает|ap dung|uygulanir|berlaku|适用|適用|を参照|に記載|参照"
)
_BETWEEN = r"\W*(?:[\p{L}\p{M}]+\W+){0,2}?"
# "Which page …" asks for a pointer, and so does "which policy" where the title names one.
_WHICH = regex.compile(
    r"^\W*(?:in |on |nach |dans |en )?(?:which|welche[rsnm]?|quel(?:le)?s?|cual(?:es)?|qual[ei]?|welke?|ktor[yae]|как(?:ой|ая|ое|ие)|hangi|哪|どの)"
    r"\W*(?P<noun>\p{L}*)"
)
_PAGES = frozenset(
    "page document seite dokument documento pagina strona страница sayfa 页 頁".split()
)
_SHORTEST = 4  # letters of a title


def is_pointer(text: str, titles: Iterable[str], question: Question) -> bool:
    """``titles`` of the pages that were read, the sentence's own among them."""
    if question.answer_type is AnswerType.PLACE:
        return False  # where it stands may be what was asked
    which = _WHICH.match(fold(question.text))
    noun = which["noun"] if which else ""
    folded = fold(text)
    for title in titles:
        at = folded.find(title) if len(title) >= _SHORTEST else -1
        if (
            at < 0
            or (noun and (noun in title or noun in _PAGES))
            or not _refers(title).search(folded)
        ):
            continue
        rest = folded.replace(title, " ")
        if question.answer_type not in _FIGURES or not patterns.NUMBER.search(rest):
            return True
    return False


_FIGURES = (AnswerType.NUMBER, AnswerType.TIME)


@cache
def _refers(title: str) -> regex.Pattern[str]:
    named = regex.escape(title)
    return regex.compile(
        rf"(?<![\p{{L}}\p{{M}}])(?:{_BEFORE}){_BETWEEN}{named}|{named}\W*(?:\p{{L}}+\W+)?(?:{_BEHIND})"
    )
