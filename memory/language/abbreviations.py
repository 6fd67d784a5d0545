"""Whether the stop behind a word or a number ends a sentence. Pure.

None of it needs the language of the text: a note in English quotes a German mail, and a line is too
short to tell. A stop that a lower-case letter follows is no question here (``sentences``).
"""

from __future__ import annotations

from typing import Final

import regex

from memory.language.folding import fold_accents
from memory.language.languages import STOP_WORDS

# A name or more of the sentence always follows: titles, and what stands before an example.
_LEADING: Final = frozenset(
    """
    mr mrs ms messrs mx dr prof st ste sr sra srta dra dña gen sen rep rev hon capt col lt sgt gov
    supt cmdr ing dipl mgr mudr rndr judr phdr mme mmes mlle mlles sig dott avv mevr dhr drs exmo
    exma św акад проф гр св ул вул пл обл tp pgs ths jl doç
    vs cf vgl approx ca cca circa aprox env bzgl bspw ggf evtl inkl exkl sog eg ie viz напр ср bijv
    bkz örn esim npr např tzn tzv pl ún πχ δηλ dvs feks insb
    """.split()
)
# Before a number; "No." and "Art." are words as well.
_NUMBERED: Final = frozenset(
    """
    no nos nr nrs num núm art arts abs fig figs abb tab eq sec sect ch chap cap kap vol vols pp p s
    pg pag pág págs blz стр с рис табл д кв корп č čís max min mind tel ext ed eds n bd godz kl klo
    ok hl ziff rn rz av gem
    """.split()
)
# Months before a day or a year; many are words as well: "ago", "set".
_MONTHS_SHORT: Final = frozenset(
    """
    jan feb mär mrz apr jun jul aug sep sept oct okt nov dec dez ene abr ago set dic janv févr fév
    avr juil déc lug ott giu mag mar янв фев мар апр июн июл авг сен сент окт ноя нояб дек
    """.split()
)
# They close a list, so what starts with a capital is the next sentence.
_CLOSING: Final = frozenset(
    "etc usw usf osv enz itd itp atd apod stb ym yms jne ecc др пр κλπ κτλ dll dsb vb vd ff".split()
)
# Either way: only a word that opens sentences tells.
_OTHER: Final = frozenset(
    """
    jr inc ltd co corp dept llc kft gmbh lda cía bros assn univ inst intl ud uds
    hr fr fam fa frl mm bzw abt hrsg zzgl geb gest mio mrd std им
    г гг в вв р рр ст руб тыс тис коп млн млрд см мм кг мин п пп гл ч тел
    mln mld tys pkt ul zł r avda avd vda ssa ibid
    """.split()
)
# The same for abbreviations of several parts, without their stops and spaces.
_LEADING_PARTS: Final = frozenset(
    "zb dh ie eg pej pex pes càd cad тк тн те dwz min tex feks bla πχ mw og fk".split()
)
_CLOSING_PARTS: Final = frozenset("тд тп mfl mm κλπ usw".split())
# Abbreviations of several parts, as they may stand with spaces between.
_PARTS: Final = regex.compile(
    r"""
    (?<![\p{L}\p{N}.])
    (?: z\.?\s?b | d\.\s?h | u\.\s?a(?:\.\s?m)? | u\.\s?ä | o\.\s?ä | u\.\s?u | i\.\s?d\.\s?r
      | i\.\s?v\.\s?m | i\.\s?a | s\.\s?o | s\.\s?u | m\.\s?w | [vn]\.\s?chr | o\.\s?g
      | e\.\s?g | i\.\s?e | a\.\s?k\.\s?a | a\.\s?m | p\.\s?m | n\.\s?b | ph\.\s?d | et\sal
      | p\.\s?ej | p\.\s?ex | p\.\s?es | c\.-à-d | c\.à\.d | c\.-a-d | [ad]\.\s?c | j\.-c
      | ee\.\s?uu | s\.\s?a | s\.\s?p\.\s?a
      | т\.\s?е | т\.\s?к | т\.\s?н | т\.\s?д | т\.\s?п | т\.\s?ч | т\.\s?з | н\.\s?э | н\.\s?е
      | d\.\s?w\.\s?z | b\.\s?v | o\.\s?a | m\.\s?in | t\.\s?ex | f\.\s?eks | bl\.\s?a | m\.\s?fl
      | m\.\s?m | f\.\s?kr | e\.\s?kr | t\.\s?j | t\.\s?zn | π\.\s?χ | κ\.\s?λ\.?\s?π | [πμ]\.\s?χ
      | u\.\s?s(?:\.\s?a)? | u\.\s?k | u\.\s?n | b\.\s?c | a\.\s?d | m\.\s?ö
    )\.
    """,
    regex.VERBOSE | regex.IGNORECASE,
)
_WIDEST: Final = 12  # characters of the widest of them
_WIDEST_WORD: Final = 40
_STREETS: Final = ("str", "pl")  # Hauptstr. 5, Marktpl. 1
_SEPARATORS: Final = regex.compile(r"[.\s-]+")
_INITIALS: Final = regex.compile(r"\p{Lu}(?:\.-?\p{Lu})*")
_WORD_BEFORE: Final = regex.compile(r"[\p{L}\p{M}\p{N}.-]+(?=\.$)")
_WORD_BEHIND: Final = regex.compile(r"[\s\"'“„«»‘]*(?P<word>[\p{L}\p{M}]+|[\p{N}\p{Sc}#§+−-])")
_ROMAN: Final = regex.compile(r"[IVXLC]+|[A-Z]")

# Months of the languages that write ordinals as a number and a stop ("am 3. Mai"), by how they
# read behind one.
_MONTHS: Final = frozenset(
    """
    januar jänner jan februar feber feb märz mrz april apr mai juni jun juli jul august aug
    september sept sep oktober okt november nov dezember dez
    marts maj december dec mars desember des
    ledna února března dubna května června července srpna září října listopadu prosince
    januára februára marca apríla mája júna júla augusta septembra októbra novembra decembra
    januarja februarja aprila maja junija julija avgusta oktobra
    siječnja veljače ožujka travnja svibnja lipnja srpnja kolovoza rujna listopada studenog
    studenoga prosinca
    stycznia lutego kwietnia czerwca lipca sierpnia września października grudnia
    tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta
    syyskuuta lokakuuta marraskuuta joulukuuta
    január február március április május június július augusztus szeptember október
    jaanuar jaanuaril veebruar veebruaril märts märtsil aprill aprillil mail juunil juulil
    augustil septembril oktoobril detsembril novembril
    janvāris janvārī februārī martā aprīlī maijā jūnijā jūlijā augustā septembrī oktobrī novembrī
    decembrī janúar febrúar apríl maí júní júlí ágúst október nóvember
    ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık
    """.split()
)
# Before an ordinal wherever it stands, and before no count that could end a sentence.
_ORDINAL_ARTICLES: Final = frozenset("der dem im zum vom beim".split())
# Languages that write ordinals so: behind their numbers only a text in them is known to go on.
_ORDINAL_LANGUAGES: Final = frozenset("de da nb nn no fi cs sk sl hr hu pl tr et lv is".split())

_OPENERS: Final = frozenset().union(*STOP_WORDS.values()) | frozenset(
    "danach dann deshalb daher dennoch jedoch allerdings however then later after therefore also"
    " today puis ensuite cependant después entonces luego depois então poi quindi inoltre потом"
    " затем однако поэтому".split()
)


def goes_on(text: str, stop: int, *, start: int, end: int, language: str) -> bool:
    """True where the sentence from ``start`` goes on behind the "." at ``stop``.

    ``end`` is that of the line; offsets are code points.
    """
    behind = _WORD_BEHIND.match(text, stop + 1, end)
    follows = behind["word"] if behind else ""
    parts = _of_parts(text, stop, start, end)
    if parts is not None:
        return not parts or _parts_go_on(parts, follows)
    before = _WORD_BEFORE.search(text, max(start, stop - _WIDEST_WORD), stop + 1)
    if before is None:
        return False
    word = before.group()
    if word.isdecimal():
        return len(word) <= 2 and _is_ordinal(text, before.start(), start, follows, language)
    if _INITIALS.fullmatch(word):
        return len(word) == 1 or not _opens(follows)
    return _word_goes_on(word.casefold(), follows)


def _of_parts(text: str, stop: int, start: int, end: int) -> str | None:
    """The abbreviation of several parts that this stop closes, bare; "" inside one."""
    first, last = max(start, stop - _WIDEST), min(end, stop + _WIDEST)
    for match in _PARTS.finditer(text, first, last):
        if match.start() < stop < match.end() - 1:
            return ""
        if match.end() - 1 == stop:
            return _SEPARATORS.sub("", match.group().casefold())
    return None


def _parts_go_on(bare: str, follows: str) -> bool:
    if bare in _LEADING_PARTS:
        return True
    if bare in _CLOSING_PARTS:
        return not follows[:1].isupper()
    return not _opens(follows)


def _word_goes_on(word: str, follows: str) -> bool:
    word = word.rpartition("-")[2]  # Trinity-St. Paul
    if word in _LEADING:
        return True
    if word in _NUMBERED:
        return not follows[:1].isalpha() or _ROMAN.fullmatch(follows) is not None
    if word in _CLOSING:
        return not follows[:1].isupper()
    if word in _MONTHS_SHORT or word.endswith(_STREETS):
        return follows[:1].isdecimal()
    return word in _OTHER and not _opens(follows)


def _opens(word: str) -> bool:
    """Whether sentences start with this word rather than names."""
    return len(word) > 1 and fold_accents(word.casefold()) in _OPENERS


def _is_ordinal(text: str, number: int, start: int, follows: str, language: str) -> bool:
    if follows.casefold() in _MONTHS:
        return True
    if language[:2] in _ORDINAL_LANGUAGES:
        return not _opens(follows)
    words = text[max(start, number - _WIDEST) : number].split()
    return bool(words) and words[-1].casefold() in _ORDINAL_ARTICLES
