"""Numbers in words, in many languages, and how digits are grouped. Pure.

The phrases from 0 to 99 of each language are built once from its own rules, so that a lookup is a
dictionary access. Words that are also something else (``on``, ``once``, ``năm``, every *one*) are
named in ``AMBIGUOUS``: they count only beside a unit.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache

DECIMAL_COMMA = frozenset(
    (
        "bg ca cs da de el es et fi fr gl hr hu id it lt lv nb nl nn no pl pt ro ru sk"
        " sl sr sv tr uk vi"
    ).split()
)
# Up to twenty in order, then the tens from thirty.
_WORDS = {
    "en": "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
    " fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty"
    " ninety",
    "de": "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn"
    " fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig dreißig vierzig fünfzig sechzig siebzig"
    " achtzig neunzig",
    "fr": "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze"
    " seize dix-sept dix-huit dix-neuf vingt trente quarante cinquante soixante septante"
    " quatre-vingts nonante",
    "es": "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince"
    " dieciséis diecisiete dieciocho diecinueve veinte treinta cuarenta cincuenta sesenta setenta"
    " ochenta noventa",
    "pt": "zero um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze"
    " dezesseis dezessete dezoito dezenove vinte trinta quarenta cinquenta sessenta setenta oitenta"
    " noventa",
    "it": "zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici"
    " quattordici quindici sedici diciassette diciotto diciannove venti trenta quaranta cinquanta"
    " sessanta settanta ottanta novanta",
    "nl": "nul een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien"
    " vijftien zestien zeventien achttien negentien twintig dertig veertig vijftig zestig zeventig"
    " tachtig negentig",
    "ru": "ноль один два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать"
    " тринадцать четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать двадцать"
    " тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто",
    "vi": "không một hai ba bốn năm sáu bảy tám chín mười mười-một mười-hai mười-ba mười-bốn"
    " mười-lăm mười-sáu mười-bảy mười-tám mười-chín hai-mươi ba-mươi bốn-mươi năm-mươi sáu-mươi"
    " bảy-mươi tám-mươi chín-mươi",
    "tr": "sıfır bir iki üç dört beş altı yedi sekiz dokuz on on-bir on-iki on-üç on-dört on-beş"
    " on-altı on-yedi on-sekiz on-dokuz yirmi otuz kırk elli altmış yetmiş seksen doksan",
    "ar": "صفر واحد اثنان ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة عشرة",
    "id": "nol satu dua tiga empat lima enam tujuh delapan sembilan sepuluh sebelas dua-belas"
    " tiga-belas empat-belas lima-belas enam-belas tujuh-belas delapan-belas sembilan-belas"
    " dua-puluh tiga-puluh empat-puluh lima-puluh enam-puluh tujuh-puluh delapan-puluh"
    " sembilan-puluh",
}
_EXTRA = {
    "de": {"ein": 1, "eine": 1, "einer": 1, "einem": 1, "einen": 1, "zwo": 2, "hundert": 100},
    "en": {"hundred": 100, "thousand": 1000, "a hundred": 100, "a thousand": 1000},
    "es": {"un": 1, "una": 1, "dieciseis": 16, "cien": 100, "ciento": 100, "mil": 1000},
    "fr": {"une": 1, "quatre-vingt": 80, "cent": 100, "mille": 1000},
    "pt": {"uma": 1, "duas": 2, "quatorze": 14, "cem": 100, "cento": 100, "mil": 1000},
    "it": {"un": 1, "una": 1, "cento": 100, "mille": 1000},
    "nl": {"één": 1, "honderd": 100, "duizend": 1000},
    "ru": {
        "одна": 1, "одного": 1, "две": 2, "двух": 2, "трёх": 3, "трех": 3, "четырёх": 4,
        "четырех": 4, "пяти": 5, "шести": 6, "семи": 7, "восьми": 8, "девяти": 9, "десяти": 10,
        "двенадцати": 12, "двадцати": 20, "тридцати": 30, "сто": 100, "тысяча": 1000,
    },
    "vi": {"lăm": 5, "tư": 4, "một trăm": 100, "một nghìn": 1000},
    "ar": {"ثلاث": 3, "أربع": 4, "خمس": 5, "ست": 6, "سبع": 7, "ثماني": 8, "تسع": 9, "عشر": 10},
}  # fmt: skip
_JOINERS: dict[str, Callable[[str, str], tuple[str, ...]]] = {
    "en": lambda ten, one: (f"{ten}-{one}", f"{ten} {one}"),
    "de": lambda ten, one: (f"{'ein' if one == 'eins' else one}und{ten}",),
    "fr": lambda ten, one: (f"{ten}-{one}", f"{ten} et {one}", f"{ten}-et-{one}"),
    "es": lambda ten, one: (f"{ten} y {one}", f"veinti{one}" if ten == "veinte" else ""),
    "pt": lambda ten, one: (f"{ten} e {one}",),
    "it": lambda ten, one: (f"{ten[:-1] if one in ('uno', 'otto') else ten}{one}",),
    "nl": lambda ten, one: (f"{one}{'ën' if one in ('twee', 'drie') else 'en'}{ten}",),
    "ru": lambda ten, one: (f"{ten} {one}",),
    "vi": lambda ten, one: (f"{ten} {one}", f"{ten} lăm" if one == "năm" else ""),
    "tr": lambda ten, one: (f"{ten} {one}", f"{ten}{one}"),
    "id": lambda ten, one: (f"{ten} {one}",),
}
AMBIGUOUS = frozenset(
    (
        "on once due elf mil cent sei tre six dix sept bin ba năm tư không lăm yüz elli"
        " altı zero null nul"
    ).split()
)
_CHINESE = {digit: value for value, digit in enumerate("〇一二三四五六七八九")} | {
    "零": 0,
    "两": 2,
    "兩": 2,
}
_CHINESE_UNITS = {"十": 10, "百": 100, "千": 1000}
_CHINESE_MYRIADS = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
CHINESE_DIGITS = "".join([*_CHINESE, *_CHINESE_UNITS, *_CHINESE_MYRIADS])
LONGEST_PHRASE = 5


@cache
def phrases(language: str) -> dict[str, int]:
    """Casefolded phrase (words joined by one space) → number, for one language code."""
    words = [word.replace("-", " ") if language in ("vi", "tr", "id") else word
             for word in _WORDS.get(language, "").split()]  # fmt: skip
    found = dict(zip(words, [*range(21), *range(30, 100, 10)], strict=False))
    found |= _EXTRA.get(language, {})
    join = _JOINERS.get(language)
    if join and len(words) > 20:
        for ten in range(20, 100, 10):
            for one in range(1, 10):
                for phrase in join(words[18 + ten // 10], words[one]):
                    if phrase:
                        found.setdefault(phrase, ten + one)
    if language == "fr":
        for ten, base in ((70, "soixante"), (90, "quatre-vingt")):
            for one in range(10, 20):
                found.setdefault(f"{base}-{words[one]}", ten - 10 + one)
        found["soixante et onze"] = 71
    if language == "en":
        for hundred in range(1, 10):
            found[f"{words[hundred]} hundred"] = hundred * 100
            for rest, value in list(found.items()):
                if 0 < value < 100:
                    found[f"{words[hundred]} hundred and {rest}"] = hundred * 100 + value
    return found


def is_ambiguous(phrase: str, value: int) -> bool:
    return value == 1 or phrase in AMBIGUOUS


def chinese_value(numeral: str) -> int | None:
    """The value of a numeral such as 十二 or 一百零五, None where it is not well formed."""
    total = section = digit = 0
    for character in numeral:
        if character in _CHINESE:
            if digit:
                return None
            digit = _CHINESE[character]
        elif character in _CHINESE_UNITS:
            section += (digit or 1) * _CHINESE_UNITS[character]
            digit = 0
        else:
            total = (total + section + digit or 1) * _CHINESE_MYRIADS[character]
            section = digit = 0
    return total + section + digit


def readings(digits: str, language: str = "") -> frozenset[Fraction]:
    """What written digits may mean: ``1.500`` is 1500 in German, 1.5 in English, unknown else.

    ``digits`` are ASCII digits with separators, as the figures pattern matched them.
    """
    separators = [character for character in digits if not character.isdigit()]
    kinds = set(separators)
    if not kinds:
        return frozenset({Fraction(digits)})
    last = separators[-1]
    whole, _, tail = digits.rpartition(last)
    if kinds - {".", ","} or len(separators) > 1:
        is_grouped = len(kinds) == 1 and len(tail) == 3
        return frozenset({_plain(digits) if is_grouped else _decimal(whole, tail)})
    if len(tail) != 3 or whole.lstrip("0") == "":
        return frozenset({_decimal(whole, tail)})
    grouped, decimal = _plain(digits), _decimal(whole, tail)
    if language == "":
        return frozenset({grouped}) if last == "," else frozenset({grouped, decimal})
    uses_comma = language.partition("-")[0] in DECIMAL_COMMA
    return frozenset({decimal if (last == ",") == uses_comma else grouped})


def _plain(digits: str) -> Fraction:
    return Fraction("".join(character for character in digits if character.isdigit()))


def _decimal(whole: str, tail: str) -> Fraction:
    kept = "".join(character for character in whole if character.isdigit()) or "0"
    return Fraction(f"{kept}.{tail}")
