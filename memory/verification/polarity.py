"""Does a sentence affirm or deny, and which way does it bound a figure? Pure; word lists only.

A claim and the words it cites must agree: *must not be lent* against *must be lent*, *at least 12*
against *at most 12*. "Must not exceed 12" is a bound, not a denial. Two cues of one kind are one
(``ne … pas``, ``никогда не``); a denied prohibition is a permission.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import regex

from memory.verification.spans import fold


class Bound(StrEnum):
    UPPER = "upper"
    LOWER = "lower"


# A denied comparison, in one piece: the denial belongs to the bound.
_NOT_MORE = (
    r"(?:no|not|n't) (?:more|later|longer|greater|higher|older) than"
    r"|(?:not|n't|never) (?:to )?(?:exceeds?|surpass|go over)"
    r"|nicht mehr als|nicht (?:überschreiten|übersteigen)"
    r"|(?:pas|jamais|ne) (?:dépasser?|excéder?)|pas plus de"
    r"|no más de|no (?:\w+ )?(?:exceder|superar|exceda|excederá|supere)\w*"
    r"|não mais de|não (?:\w+ )?(?:exceder|ultrapassar|exceda|ultrapasse)\w*"
    r"|non più di|non (?:\w+ )?superare|niet meer dan|niet overschrijden"
    r"|не (?:более|больше)|не (?:\w+ )?превыша\w+"
    r"|không (?:được )?(?:vượt )?quá"
    r"|不(?:得|能|可)?(?:超过|超過)|不多于|超えない|超えてはならない|초과할 수 없|초과하지"
    r"|لا (?:يجوز أن )?(?:ي|ت)تجاوز|لا (?:ي|ت)زيد|से अधिक नहीं|aşamaz|geçemez|ไม่เกิน"
    r"|tidak (?:boleh )?(?:lebih|melebihi)"
)
_NOT_LESS = (
    r"(?:no|not|n't) (?:less|fewer|earlier|sooner|lower|younger) than"
    r"|nicht weniger als|nicht unterschreiten|pas moins de|no menos de|não menos de|non meno di"
    r"|niet minder dan|не (?:менее|меньше)|không (?:được )?(?:dưới|ít hơn)|不少于|不低于|不少於|不低於"
    r"|لا (?:ي|ت)قل|से कम नहीं|ไม่น้อยกว่า|tidak kurang"
)
_MOST = (
    r"\bat most\b|\bup to\b|\bmaximum\b|\bmax\b|\blimit(?:ed)?\b|\bcap(?:ped)?\b"
    r"|höchstens|maximal|höchst\w*|\bbis zu\b|au plus|au maximum|como máximo|a lo sumo|no máximo"
    r"|al massimo|hoogstens|maximaal|максимум|tối đa|至多|最多|上限|以内|以下|最大|최대|이하"
    r"|كحد أقصى|على الأكثر|الحد الأقصى|अधिकतम|en fazla|azami|maksimal"
)
_LEAST = (
    r"\bat least\b|\bminimum\b|\bmin\b|mindestens|wenigstens|au moins|au minimum|al menos"
    r"|por lo menos|como mínimo|pelo menos|no mínimo|almeno|minstens|ten minste|минимум|ít nhất"
    r"|tối thiểu|至少|最少|以上|少なくとも|최소|이상|على الأقل|न्यूनतम|कम से कम|en az|asgari"
    r"|อย่างน้อย|setidaknya"
)
_MORE = (
    r"\bmore than\b|\bgreater than\b|\blonger than\b|\b(?:over|above) (?=\d)|\bexceed\w*"
    r"|mehr als|überschreit\w+|übersteig\w+|plus de|dépass\w+|más de|exceder\w*|superar\w*"
    r"|mais de|ultrapass\w+|più di|meer dan|более|больше|превыша\w+|vượt quá|\btrên (?=\d)"
    r"|超过|超過|초과|أكثر من|(?:ي|ت)تجاوز"
)
_LESS = (
    r"\b(?:less|fewer) than\b|\b(?:under|below) (?=\d)|weniger als|unterschreit\w+|moins de"
    r"|menos de|meno di|minder dan|менее|меньше|ít hơn|\bdưới (?=\d)|少于|低于|미만|أقل من"
)
_NOT_WORDS = (
    "no not never none nobody nothing neither nor cannot can't don't won't isn't aren't nowhere"
    " nicht kein keine keinen keinem keiner keines nie niemals niemand nichts weder keinesfalls"
    " pas jamais aucun aucune personne rien ni non nunca jamás ningún ninguna ninguno nadie tampoco"
    " não nem nenhum nenhuma ninguém nessun nessuno nessuna niente mai"
    " niet geen nooit niemand inte ikke ikkje aldrig aldri ingen ei nie"
    " не нет нельзя никогда никто ничего ни ні не"
    " không chưa chẳng đừng chớ"
    " δεν μην όχι ποτέ κανείς yok asla hayır tidak bukan jangan belum"
    " لا لم لن ليس ليست غير नहीं मत न ना"
)
_FORBID = (
    r"prohibit(?:s|ed|ion)?|forbid(?:s|den)?|bann?(?:ed|s)?|disallow(?:ed|s)?|not permitted"
    r"|unlawful|illegal"
    r"|verboten|untersagt|unzulässig|verbietet|interdit(?:e|s|es)?|défendu|prohibid[oa]s?|prohíbe"
    r"|proibid[oa]s?|proíbe|vietat[oaie]|verboden|запрещ\w+|запрет\w*|cấm|nghiêm cấm|yasak\w*"
    r"|dilarang|απαγορεύ\w+|förbjud\w+|forbudt|zabronion\w+|zakazan\w+|interzis\w*"
)
_FORBID_UNSPACED = r"禁止|严禁|嚴禁|금지|ห้าม|ممنوع\w*|(?:ي|ت)حظر|محظور\w*|वर्जित|निषिद्ध"
_NOT_UNSPACED = (
    r"不(?!同|断|斷|仅|僅|但)|没有|沒有|未(?!来|來)|无(?!论)|無(?!論)|勿|ません|ない|なし"
    r"|않|없|못하|안 |말아|ไม่|มิได้"
)
_WITHOUT = (
    r"\b(?:without|ohne|sans|sin|sem|senza|zonder|без|utan|uden|uten|tanpa|bez|fără|χωρίς)\b"
    r"|\bmà không\b|بدون|من دون|\bके बिना\b|無し|なしで|없이|โดยไม่"
)
_EXCEPT = (
    r"\b(?:except|unless|excluding|save for|apart from|außer|ausgenommen|sauf|excepté|salvo|excepto"
    r"|tranne|behalve|кроме|trừ|kecuali|hariç)\b|除非|除外|除了|以外|إلا|باستثناء|सिवाय|ยกเว้น"
)
_NOT = "|".join(sorted({regex.escape(word) for word in _NOT_WORDS.split()}))
_TURKISH = (
    r"\b\w+(?:maz|mez|mayın|meyin"
    r"|(?:mamalı|memeli|mayacak|meyecek|mıyor|miyor|muyor|müyor)\w*)\b"
)

_BOUNDS = [
    (regex.compile(_NOT_MORE), Bound.UPPER),
    (regex.compile(_NOT_LESS), Bound.LOWER),
    (regex.compile(_MOST), Bound.UPPER),
    (regex.compile(_LEAST), Bound.LOWER),
]
_COMPARISONS = [
    (regex.compile(_MORE), Bound.LOWER, Bound.UPPER),
    (regex.compile(_LESS), Bound.UPPER, Bound.LOWER),
]
_NEGATED = regex.compile(rf"\b(?:{_NOT})\b|\b\w+n't\b|\bn'|{_NOT_UNSPACED}")
_FORBIDDEN = regex.compile(rf"\b(?:{_FORBID})\b|{_FORBID_UNSPACED}")
_LACKING = regex.compile(rf"(?:{_WITHOUT})(?P<lacked>(?:\W+\w+){{0,4}})")
_WORD = regex.compile(r"\w{3,}")
_EXCEPTED = regex.compile(_EXCEPT)
# Words that deny in one language and are something else in another.
_NEGATED_IN = {
    "tr": regex.compile(rf"{_TURKISH}|\bdeğil\w*"),
    "ro": regex.compile(r"\bnu\b|\bn-"),
    "hu": regex.compile(r"\b(?:nem|ne|nincs\w*)\b"),
    "fi": regex.compile(r"\b(?:en|et|emme|ette|eivät)\b"),
    "cs": regex.compile(r"\bne(?!bo\b|ž|j)\w*\b"),
}
_NOTHING = regex.compile(r"(?!)")
# "not only … but also" affirms.
_NO_DENIAL = regex.compile(r"\bnot only\b|\bnicht nur\b|\bno solo\b|\bnon seulement\b|不仅|不但")


@dataclass(frozen=True, slots=True)
class Polarity:
    """``denials`` counts the words that deny. ``lacked`` are the words behind a *without*, ``words``
    all words of the sentence."""

    denials: int
    is_denied: bool
    is_excepted: bool
    lacked: frozenset[str]
    bounds: frozenset[Bound]
    words: frozenset[str]


def polarity(text: str, language: str = "") -> Polarity:
    """Reads one sentence. Bounds are taken out before denials are counted."""
    rest = folded = fold(text).text
    rest = _NO_DENIAL.sub(" ", rest)
    bounds: set[Bound] = set()
    for pattern, bound in _BOUNDS:
        rest, count = pattern.subn(" ", rest)
        bounds |= {bound} if count else set()
    compared: set[tuple[Bound, Bound]] = set()
    for pattern, affirmed, denied in _COMPARISONS:
        rest, count = pattern.subn(" ", rest)
        compared |= {(affirmed, denied)} if count else set()
    own = _NEGATED_IN.get(language.partition("-")[0], _NOTHING)
    denials = len(_NEGATED.findall(rest)) + len(own.findall(rest))
    is_denied = bool(denials) != bool(_FORBIDDEN.search(rest))
    bounds |= {pair[is_denied] for pair in compared}
    lacked = [match["lacked"] for match in _LACKING.finditer(folded)]
    return Polarity(
        denials=denials,
        # "In no case may it exceed 12" denies the comparison, and so states a bound.
        is_denied=is_denied and not compared,
        is_excepted=bool(_EXCEPTED.search(folded)),
        lacked=frozenset(word for words in lacked for word in _WORD.findall(words) or [""]),
        bounds=frozenset(bounds),
        words=frozenset(_WORD.findall(folded)),
    )


def agree(claim: Polarity, evidence: Polarity, *, is_close: bool = False) -> bool:
    """May ``claim`` rest on ``evidence``? A claim may leave out what the evidence excepts.

    Where the two are nearly the same words (``is_close``) they must deny equally often.
    """
    if is_close and claim.denials != evidence.denials:
        return False
    if claim.is_denied != evidence.is_denied:
        return False
    if claim.is_excepted and not evidence.is_excepted:
        return False
    if claim.lacked and not evidence.lacked and not evidence.is_denied:
        return False
    if evidence.lacked and not claim.lacked and evidence.lacked & (claim.words | {""}):
        return False  # "with a badge" against "without a badge"
    return not (claim.bounds and evidence.bounds) or bool(claim.bounds & evidence.bounds)
