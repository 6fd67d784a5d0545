"""What kind of value a question asks for, and whether a text holds one of that kind. Pure.

"How heavy is the mast?" is answered by a mass, not by its height. Only what a question says in so many
words counts: "how much is …" may ask for anything.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache

import regex

from memory.language.folding import fold
from memory.language.units import MONEY_NAMES, TIME_NAMES, unit_of
from memory.reading.question_words import PHRASES, AnswerType
from memory.verification.figures import FigureKind, figures

# ruff: noqa: E501 - word lists


class ValueKind(StrEnum):
    MONEY = "money"
    MASS = "mass"
    AGE = "age"
    TIME = "time"  # how long, how many days
    PHONE = "phone"


# How each is asked for; "…" stands for what is asked about.
_ASKED = {
    ValueKind.MONEY: "what does … cost|what do … cost|what did … cost|what would … cost|how much does … cost|how much do … cost"
    "|how much did … cost|how expensive|what is the price|what's the price|what is the cost of|what's the cost of"
    "|was kostet|was kosten|wie viel kostet|wie viel kosten|wieviel kostet|wieviel kosten|wie teuer|welchen preis"
    "|combien coûte|combien coûtent|quel est le prix|cuánto cuesta|cuánto cuestan|cuál es el precio"
    "|quanto costa|quanto costano|qual è il prezzo|quanto custa|quanto custam|qual é o preço|hoeveel kost|hoe duur"
    "|ile kosztuje|ile kosztują|cât costă|сколько стоит|сколько стоят|скільки коштує|πόσο κοστίζει|kaç para|fiyatı ne"
    "|giá bao nhiêu|bao nhiêu tiền|berapa harga|vad kostar|hva koster|hvad koster|paljonko maksaa"
    "|多少钱|多少錢|いくらですか|얼마예요|얼마입니까|ราคาเท่าไหร่|ราคาเท่าไร|كم سعر|كم تكلفة|कितने रुपये",
    ValueKind.MASS: "how heavy|how much does … weigh|how much do … weigh|how much did … weigh|what does … weigh|what is the weight"
    "|wie schwer ist|wie schwer sind|wie viel wiegt|wieviel wiegt|was wiegt|combien pèse|quel est le poids|cuánto pesa"
    "|cuál es el peso|quanto pesa|hoe zwaar|hoeveel weegt|ile waży|cât cântărește|сколько весит|скільки важить|πόσο ζυγίζει"
    "|kaç kilo|nặng bao nhiêu|berapa berat|hur mycket väger|hvor mye veier|多重|얼마나 무거|หนักเท่าไหร่|หนักเท่าไร|كم يزن|كم وزن|कितना भारी",
    ValueKind.AGE: "how old|wie alt|quel âge|cuántos años tiene|quanti anni ha|quantos anos tem|hoe oud|ile lat ma|câți ani are"
    "|сколько лет|скільки років|πόσων ετών|kaç yaşında|bao nhiêu tuổi|mấy tuổi|berapa umur|berapa usia|hur gammal|hvor gammel"
    "|几岁|幾歲|何歳|몇 살|อายุเท่าไหร่|อายุเท่าไร|كم عمر",
    ValueKind.TIME: "how long|wie lange|combien de temps|cuánto tiempo|quanto tempo|hoe lang|jak długo|cât timp|как долго|сколько времени"
    "|πόσο καιρό|πόση ώρα|ne kadar süre|bao lâu|berapa lama|hur länge|hvor lenge|hvor længe|kuinka kauan|多久|얼마나 오래|นานเท่าไหร่|นานเท่าไร",
    ValueKind.PHONE: "phone number|telephone number|telefonnummer|numéro de téléphone|número de teléfono|numero di telefono"
    "|número de telefone|telefoonnummer|numer telefonu|număr de telefon|номер телефона|номер телефону|αριθμός τηλεφώνου"
    "|telefon numarası|số điện thoại|nomor telepon|电话号码|電話號碼|電話番号|전화번호|หมายเลขโทรศัพท์|رقم الهاتف",
}  # fmt: skip
_UNITS = {
    ValueKind.MONEY: MONEY_NAMES,
    ValueKind.MASS: frozenset("gram kilogram milligram microgram tonne pound_mass".split()),
    ValueKind.AGE: TIME_NAMES,
    # "How long" may ask for a length as well.
    ValueKind.TIME: TIME_NAMES
    | frozenset("kilometre metre centimetre millimetre mile foot inch".split()),
    ValueKind.PHONE: frozenset[str](),
}
# What has a price without a figure.
_FREE = frozenset(
    "free gratis kostenlos kostenfrei umsonst gratuit gratuite gratuito gratuita bezpłatny бесплатно"
    " бесплатный безкоштовно δωρεάν ücretsiz bedava gratuitamente ilmainen ingyenes zdarma".split()
)
_AGE = regex.compile(
    r"\b(?:aged?|alter|ages?|edad|eta|idade|leeftijd|wiek\w*|varsta|возраст\w*|вік\w*|ετων|χρονων|yas\w*|tuoi|umur|usia|alder)\b"
    r"|[岁歲歳]|살|อายุ|عمر|سن|उम्र|आयु"
)
_PHONE = regex.compile(r"\+?\p{Nd}[\p{Nd} ()/.\-]{5,}\p{Nd}")
# "a year" in the name of a column: how often, not how long.
_PERIOD = regex.compile(r"(?i)\b(?:an?|per|each|every|pro|je|par|por|al|à)\s+\p{L}+")
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}]")
_WORD = regex.compile(r"[\p{L}\p{M}]+|\p{Sc}")


def asked_kind(question: str) -> ValueKind | None:
    folded = fold(question)
    for kind in _ASKED:
        if _pattern(kind).search(folded):
            return kind
    counted = _counted().search(folded)
    return ValueKind.TIME if counted and unit_of(counted["unit"]) in TIME_NAMES else None


def holds(kind: ValueKind, text: str, above: str = "") -> bool:
    """Whether ``text`` holds one. A figure alone will do where ``above`` (the name of a row's column,
    say) names the unit."""
    if kind is ValueKind.PHONE:
        return _PHONE.search(text) is not None
    words = _WORD.findall(text)
    if kind is ValueKind.MONEY and not _FREE.isdisjoint(word.casefold() for word in words):
        return True
    names = _UNITS[kind]
    if kind is ValueKind.TIME and any(unit_of(word) in names for word in words if len(word) > 1):
        return True  # "a day"
    is_named = any(unit_of(word) in names for word in _WORD.findall(_PERIOD.sub(" ", above)))
    could = is_named or kind in (ValueKind.AGE, ValueKind.TIME) or _UNSPACED.search(text)
    if not could and not any(unit_of(word) in names for word in words):
        return False  # reading figures takes its time
    found = figures(text)
    if any(figure.unit in names for figure in found) or (found and is_named):
        return True
    moments = sum(figure.is_year or figure.kind is FigureKind.DATE for figure in found)
    if kind is ValueKind.AGE:
        return moments > 0 or (bool(found) and _AGE.search(fold(text)) is not None)
    times = sum(figure.kind is FigureKind.TIME for figure in found)
    return kind is ValueKind.TIME and moments + times > 1  # "from 1990 to 1994"


@cache
def _pattern(kind: ValueKind) -> regex.Pattern[str]:
    return regex.compile(
        "|".join(
            # As whole words, where a script parts its words.
            (r"\b{}\b" if phrase[0] < "\u0e00" else "{}").format(
                r"\b.{1,80}?\b".join(
                    regex.escape(fold(piece.strip())) for piece in phrase.split("…")
                )
            )
            for phrase in _ASKED[kind].split("|")
        )
    )


@cache
def _counted() -> regex.Pattern[str]:
    """ "how many" and the word behind it."""
    phrases = dict(PHRASES)[AnswerType.NUMBER].split("|")
    return regex.compile(
        rf"\b(?:{'|'.join(regex.escape(fold(phrase)) for phrase in phrases)})\s+(?:de\s+|d')?(?P<unit>\p{{L}}+)"
    )
