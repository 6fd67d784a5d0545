"""Whether a sentence tells anything that the question does not hold itself. Pure.

"The dishwasher is cleaned on Fridays." has all the words of "Who cleans the dishwasher?", and beside
them a day, which is nobody. "The gym is open on weekdays." tells no place, where one is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import regex

from memory.language.folding import fold
from memory.language.terms import Term, terms
from memory.language.units import MONTH_WORDS, unit_of
from memory.reading import patterns
from memory.reading.lexical import alikeness
from memory.reading.questions import FUNCTION_WORDS, AnswerType, Question

# ruff: noqa: E501 - word lists

_VALUED: Final = (AnswerType.NUMBER, AnswerType.TIME, AnswerType.PERSON, AnswerType.PLACE)
_UNTIMED: Final = (AnswerType.PERSON, AnswerType.PLACE)
# Questions for the place where something is; "where do I apply" may be answered by a form. Folded.
_IS_WHERE: Final = regex.compile(
    r"\b(?:where (?:is|are|was|were)|where's|wo (?:ist|sind|war|waren|liegt|liegen|steht|stehen|befinde[nt])"
    r"|ou (?:est|sont|etait|se trouven?t?)|donde (?:esta|estan|estaba|queda|nacio)|dove (?:e|sono|era|si trovan?o?)|dov'e"
    r"|onde (?:esta|estao|fica|ficam)|waar (?:is|zijn|was|ligt|staat))\b"
)
# A place stands behind one of these in the languages above, or is a name.
_PLACED: Final = regex.compile(
    r"\b(?:in(?:side|to)?|at|on(?:to)?|near|behind|beside|beneath|outside|under|above|below|by|opposite|between|across|from|to|along|within|next to"
    r"|im|am|an|auf|bei|beim|hinter|neben|unter|uber|vor|zwischen|gegenuber|nach|zum|zur|aus"
    r"|dans|sur|sous|a|au|aux|en|chez|devant|derriere|pres de|entre|al|sobre|bajo|junto a|detras de|nel|nella|nello|sul|sulla|alla|presso|no|na|nos|nas"
    r"|op|bij|naast|achter|onder|tegenover)\s+"
    r"(?:(?:the|a|an|our|your|its|their|this|der|die|das|dem|den|einem|einer|la|le|les|l'|el|los|las|il|lo|o|os|de|het|een)\s+)?"
    r"(?P<place>[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}:.\-]*)"
)
_PLACES: Final = regex.compile(
    r"\b(?:here|there|everywhere|upstairs|downstairs|online|next door|(?:floor|room|building|street|level|basement)s?|hier|dort|oben|unten|stock|etage|raum|ici|ici|aqui|arriba|abajo|piso|planta|qui)\b|[/@📍]"
)
_MOMENT: Final = regex.compile(
    r"\p{N}.*|\w*days?|\w+tags?|(?:in the )?(?:morning|afternoon|evening|night|noon|midnight|time|week\w*|summer|winter|spring|autumn)s?"
    r"|morgens?|mittags?|abends?|nachts?|matin|soir|nuit|manana|tarde|noche|mattina|sera|notte|manha|noite|lunes|martes|miercoles|jueves|viernes|sabado|domingo"
    r"|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|(?:mo|di|don|frei|sams|sonn)tags?|mittwochs?"
)


def tells_nothing(question: Question, text: str, *, language: str = "", speaker: str = "") -> bool:
    """Whether ``text`` (in ``language``, said by ``speaker``) holds no value of the kind asked for
    beside the question's own words."""
    asked = question.answer_type
    if asked not in _VALUED or question.language not in ("", language[:2]):
        return False
    if asked is AnswerType.PERSON and speaker:
        return False
    if asked is AnswerType.PLACE and _IS_WHERE.search(fold(question.text)):
        return not _names_place(question, text)
    return next(_fresh(question, text, language), None) is None


def _fresh(question: Question, text: str, language: str) -> Iterator[Term]:
    """The terms that could be the answer."""
    for term in terms(text, language):
        is_value = any(character.isdigit() for character in term.folded)
        if not is_value and (term.folded in FUNCTION_WORDS or _stands_in(question, term)):
            continue
        if question.answer_type in _UNTIMED and _is_moment(term.folded):
            continue
        yield term


def _stands_in(question: Question, term: Term) -> bool:
    return any(alikeness(term, own) >= 1 for own in question.terms)


def _names_place(question: Question, text: str) -> bool:
    names = (name for name in patterns.NAME.findall(text) if name not in question.names)
    if any(not _is_moment(fold(name)) for name in names):
        return True
    folded = fold(text)
    own = {term.folded for term in question.terms}
    if any(match.group() not in own for match in _PLACES.finditer(folded)):
        return True
    return any(not _is_moment(match["place"]) for match in _PLACED.finditer(folded))


def _is_moment(word: str) -> bool:
    return (
        word in MONTH_WORDS or unit_of(word) != "" or _MOMENT.fullmatch(word) is not None
    )
