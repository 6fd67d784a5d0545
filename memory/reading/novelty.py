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
from memory.language.units import MONTH_WORDS, TIME_NAMES, unit_of
from memory.reading import patterns
from memory.reading.features import type_fits
from memory.reading.questions import FUNCTION_WORDS, AnswerType, Question, answer_type

# ruff: noqa: E501 - word lists

_VALUED: Final = (AnswerType.NUMBER, AnswerType.TIME, AnswerType.PERSON, AnswerType.PLACE)
# So many words say what is asked for, where the question begins with them.
_OPENING: Final = 3
_UNTIMED: Final = (AnswerType.PERSON, AnswerType.PLACE)
_COUNTED: Final = (AnswerType.NUMBER, AnswerType.TIME)
# Languages in which numbers and times are known in words, too, and what else tells how much or when.
_KNOWN: Final = frozenset({"en", "de", "fr", "es"})
_UNCOUNTED: Final = regex.compile(
    r"\b(?:(?:end|beginning|start|middle|ende|anfang|mitte|fin|finales|principios|debut) (?:of|des|der|du|de|del)|when(?:ever)?|after\w*|before|until|till|once|twice|as soon as|while|during|since|if|today|tonight|tomorrow|yesterday|now|immediately|instantly"
    r"|at once|soon|always|never|often|rarely|daily|weekly|monthly|yearly|annual\w*|hourly|quarterly|every|each|all|none?|any|free|unlimited|several|few|many"
    r"|most|single|double|triple|half|quarter|third|dozens?|christmas|easter|night|morning|evening|afternoon|spring|summer|autumn|winter|\w+(?:fold|days?|times)"
    r"|wenn|nach|vor|bis|sobald|wahrend|seit|heute|gestern|morgens?|sofort|immer|nie|tagl\w+|wochentl\w+|monatl\w+|jahrl\w+|jede[nrsm]?|alle\w*|kein\w*"
    r"|\w+mal|halb\w*|fruhling|sommer|herbst|winter|abends?|nachts?|mittags?|\w+tags?|\w+fach|weihnachten|ostern|unbegrenzt|kostenlos|viele|mehrere"
    r"|quand|lorsque|apres|avant|jusqu\w*|des|pendant|depuis|aujourd'hui|hier|demain|toujours|jamais|quotidien\w*|chaque|tous|toutes?|aucune?|fois"
    r"|printemps|ete|automne|hiver|matin|soir|nuit|noel|paques|illimite\w*|gratuit\w*|plusieurs"
    r"|cuando|despues|antes|hasta|desde|durante|hoy|ayer|manana|siempre|nunca|diari\w*|cada|tod[oa]s?|ningun\w*|vez|veces|primavera|verano|otono"
    r"|invierno|noche|tarde|navidad|ilimitad\w*|gratis|vari[oa]s|doble|mitad)\b|%"
)
# "One" is no time, but "at one" is.
_HOUR: Final = regex.compile(
    rf"\b(?:at|by|around|from|to|um|gegen|ab|bis|a las?|vers|des)\s+(?:{patterns.NUMBER_WORD.pattern.removeprefix('(?i)')})"
)
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
    r"(?P<place>[\p{L}\p{M}\p{N}]+(?:[:.\-][\p{L}\p{M}\p{N}]+)*)"
)
_PLACES: Final = regex.compile(
    r"\b(?:here|there|everywhere|upstairs|downstairs|online|next door|(?:floor|room|building|street|level|basement)s?|hier|dort|oben|unten|stock|etage|raum|ici|ici|aqui|arriba|abajo|piso|planta|qui)\b|[/@📍]"
)
_MOMENT: Final = regex.compile(
    r"\p{N}.*|\w*days?|\w+tags?|(?:in the )?(?:morning|afternoon|evening|night|noon|midnight|time|weekend|summer|winter|spring|autumn)s?"
    r"|morgens?|mittags?|abends?|nachts?|matin|soir|nuit|manana|tarde|noche|mattina|sera|notte|manha|noite|lunes|martes|miercoles|jueves|viernes|sabado|domingo"
    r"|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|(?:mo|di|don|frei|sams|sonn)tags?|mittwochs?"
)
_WORD: Final = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_NO_MONTHS: Final = frozenset(("may", "march", "mar", "an"))  # without a capital
_MONTHS: Final = frozenset(map(fold, MONTH_WORDS))


def tells_nothing(question: Question, text: str, *, language: str = "", speaker: str = "") -> bool:
    """Whether ``text`` (in ``language``, said by ``speaker``) holds no value of the kind asked for
    beside the question's own words."""
    asked = question.answer_type
    if asked not in _VALUED or question.language not in ("", language[:2]):
        return False
    if answer_type(" ".join(question.text.split()[:_OPENING])) is not asked:
        return False  # "What is a man called who …"
    if asked in _COUNTED and language[:2] in _KNOWN and not _has_value(question, text):
        return True
    if asked is AnswerType.PERSON and speaker:
        return False
    if asked is AnswerType.PLACE and _IS_WHERE.search(fold(question.text)):
        return not _names_place(question, text)
    return next(_fresh(question, text, language), None) is None


def _fresh(question: Question, text: str, language: str) -> Iterator[Term]:
    """The terms that could be the answer."""
    own = {term.stem for term in question.terms}
    for term in terms(text, language):
        is_value = any(character.isdigit() for character in term.folded)
        if not is_value and (term.folded in FUNCTION_WORDS or term.stem in own):
            continue
        if question.answer_type in _UNTIMED and _is_moment(term.folded):
            continue
        yield term


def _has_value(question: Question, text: str) -> bool:
    folded = fold(text)
    if _UNCOUNTED.search(folded):
        return True
    if question.answer_type is AnswerType.NUMBER:
        known = (*question.numbers, *question.names)
        return bool(type_fits(AnswerType.NUMBER, [text], known=known)[0])
    words = (match.group() for match in _WORD.finditer(text) if match.group() not in _NO_MONTHS)
    return _HOUR.search(folded) is not None or any(
        word in _MONTHS or _MOMENT.fullmatch(word) for word in map(fold, words)
    )


def _names_place(question: Question, text: str) -> bool:
    folded = fold(text)
    own = {term.folded for term in question.terms}
    names = map(fold, patterns.NAME.findall(text))
    if any(name not in own and not _is_moment(name) for name in names):
        return True
    if any(match.group() not in own for match in _PLACES.finditer(folded)):
        return True
    return any(not _is_moment(match["place"]) for match in _PLACED.finditer(folded))


def _is_moment(word: str) -> bool:
    return word in _MONTHS or unit_of(word) in TIME_NAMES or _MOMENT.fullmatch(word) is not None
