"""What of a question a sentence speaks of, together with what stands above it. Pure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import regex

from memory.language.languages import detect_language
from memory.language.units import TIME_NAMES, unit_of
from memory.reading.answer_features import MET
from memory.reading.opposites import says_same
from memory.reading.question_words import AnswerType
from memory.reading.records import Reading, Sentence

# A sentence without a name of the question that others hold needs this share of its other words.
PARTLY = 0.6
# Of a question with so few words a sentence that lacks this share of them is near to it, no more.
SHORT, HALF = 4, 0.5
# One that lacks more than this share of a longer question has to do with something else.
NEARLY_ALL = 0.75
# Words that say what kind of thing is asked for, or only that it is. Folded.
_SAYS_LITTLE = frozenset(
    "time date dates day allowed permitted possible phone number quickly fast soon exact"
    " exactly version during take takes taken place held happen happens happened planned"
    " scheduled located situated current currently now still today usually normally uhr uhrzeit"
    " zeit datum telefonnummer nummer schnell genau wahrend passiert stattfinden stattfindet"
    " findet statt geplant liegt steht derzeit gerade heure jour lieu numero pendant prevu situe"
    " actuellement hora fecha dia lugar durante previsto situado ubicado actualmente ahora ora"
    " data".split()
)
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")


def unmet(sentence: Sentence, reading: Reading) -> tuple[str, ...]:
    """What the question names and the sentence's passage does not hold: names and numbers; and of a
    short question every other word that the sentence lacks, where it lacks half of all."""
    held = reading.context[reading.numbers == sentence.passage].max(axis=0, initial=0.0)
    named = []
    for word in (*reading.question.names, *reading.question.numbers):
        at = reading.question.places(word)
        if at and all(held[index] < MET for index in at):
            named.append(word)
    of_names = {index for name in reading.question.names for index in reading.question.places(name)}
    rest = [index for index in _lacks_half(sentence, reading) if index not in of_names]
    return tuple(dict.fromkeys((*named, *words_of(rest, reading))))


def _lacks_half(sentence: Sentence, reading: Reading) -> list[int]:
    """The terms of a short question that it lacks, where these are half of all."""
    asked = asked_of(reading.question.text, reading)
    lacks = lacking(asked, [sentence], reading, with_previous=True)
    return lacks if len(asked) <= SHORT and len(lacks) >= HALF * len(asked) else []


def is_elsewhere(sentence: Sentence, reading: Reading) -> bool:
    """It speaks of next to nothing of a longer question, nor does the sentence before it."""
    asked = asked_of(reading.question.text, reading)
    lacks = lacking(asked, [sentence], reading, with_previous=True)
    return len(asked) > SHORT and len(lacks) > NEARLY_ALL * len(asked)


def is_of_another(sentence: Sentence, reading: Reading) -> bool:
    """It does not speak of a name of the question that is spoken of elsewhere in what was read, and has
    little else of the question. A name that stands nowhere may go without saying."""
    question = reading.question
    lacks = {*unmet(sentence, reading), *words_of(_lacks_half(sentence, reading), reading)}
    elsewhere = [
        name
        for name in question.names
        if name in lacks and stands_somewhere(question.places(name), reading)
    ]
    return bool(elsewhere) and _share(sentence, reading) < PARTLY


def is_of_somebody_else(sentence: Sentence, than: Sentence, reading: Reading) -> bool:
    """Asked who or where, it lacks a name of the question that the other one holds."""
    if reading.question.answer_type not in (AnswerType.PERSON, AnswerType.PLACE):
        return False
    own, other = (reading.context[one.row] >= MET for one in (sentence, than))
    places = map(reading.question.places, reading.question.names)
    return any(other[at].any() and not own[at].any() for at in places if at)


def asked_of(part: str, reading: Reading, *, known: Sequence[str] = ()) -> list[int]:
    """Indices of the terms that ``part`` of the question asks about, without its numbers and words that
    say little. ``known`` words are left out as well."""
    question = reading.question
    told = {index for word in (*known, *question.numbers) for index in question.places(word)}
    return [
        index
        for index in question.within(part)
        if index not in told
        and (folded := question.terms[index].folded) not in _SAYS_LITTLE
        and unit_of(folded) not in TIME_NAMES
    ]


def lacking(
    asked: Sequence[int],
    sentences: Sequence[Sentence],
    reading: Reading,
    *,
    with_previous: bool = False,
) -> list[int]:
    """Those of the terms that none of ``sentences`` speaks of; none where words are not compared.

    ``with_previous``: nor does the sentence before, whether it is referred to or not.
    """
    if not sentences or not all(compares(one, reading) for one in sentences):
        return []
    held = np.logical_or.reduce([_held(one, reading) for one in sentences])
    if with_previous:
        before = [row for one in sentences if (row := reading.previous[one.row]) >= 0]
        held |= (reading.context[before] > 0).any(axis=0)
    return [index for index in asked if not held[index]]


def compares(sentence: Sentence, reading: Reading) -> bool:
    """Words of two languages are not compared, nor pieces of a script without spaces."""
    if reading.is_foreign or _UNSPACED.search(reading.question.text):
        return False
    spoken, asked = detect_language(sentence.text), reading.question.language
    return not spoken or not asked or spoken == asked


def stands_somewhere(terms: Sequence[int], reading: Reading) -> bool:
    return bool((reading.context[:, terms] >= MET).any())


def words_of(terms: Sequence[int], reading: Reading) -> tuple[str, ...]:
    """As the question spells them."""
    question = reading.question
    spelt = (question.text[question.terms[at].start : question.terms[at].end] for at in terms)
    return tuple(dict.fromkeys(spelt))


def _held(sentence: Sentence, reading: Reading) -> np.ndarray:
    """Per term of the question: the sentence holds it, what stands above, or what it refers back to."""
    held = np.array(
        [says_same(term.folded, sentence.text) for term in reading.question.terms], bool
    )
    for one in (sentence, reading.antecedent(sentence)):
        if one is not None:
            held |= reading.context[one.row] > 0
    return held


def _share(sentence: Sentence, reading: Reading) -> float:
    """The share of the question's words but its numbers, weighed by how rare they are, that it holds
    together with what stands above it: 0-1."""
    weight = np.maximum(reading.idf, 1e-6)
    for number in reading.question.numbers:
        weight[reading.question.places(number)] = 0.0
    return float(reading.context[sentence.row] @ weight / max(float(weight.sum()), 1e-6))
