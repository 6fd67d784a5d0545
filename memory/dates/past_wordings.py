"""Where a word alone does not tell a question about the past from one about a term: in each language
the wordings that do. Texts are folded; those of languages that do not keep accents have none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_THINGS: Final = (
    r"(?:\w+ )?(?:hours?|times?|prices?|fees?|rates?|limits?|address(?:es)?|numbers?|codes?|passwords?"
    r"|rules?|polic(?:y|ies)|names?|titles?|values?|versions?|schedules?|plans?|jobs?|roles?|owners?"
    r"|deadlines?|offices?|employers?|phones?|e-?mails?)"
)
_SACHEN: Final = (
    r"\w*(?:zeit|zeiten|preis|preise|gebuhr|gebuhren|grenze|grenzen|adresse|adressen|nummer|nummern"
    r"|code|codes|passwort|regel|regeln|regelung|name|namen|titel|wert|werte|version|plan|plane|frist"
    r"|fristen|stelle|rolle|firma)"
)
# "la semaine précédente" is a date.
_NO_PERIOD: Final = (
    r"(?<!\b(?:jours?|soir|nuit|semaine|mois|trimestre|annee|an|dia|noche|noite|semana|mes|ano"
    r"|giorno|sera|notte|settimana|mese|anno|page|pagina|chapitre|capitulo|capitolo)s? )"
)

WORDINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "en": (
        # "the previous day" is a date.
        r"\bprevious (?!(?:days?|nights?|evening|morning|weeks?|weekend|months?|quarter|years?|page"
        r"|chapter|section|question|message)\b)\w",
        rf"\bold {_THINGS}\b",
        r"\b(?:what|who|which|where|how)\b.*\bbefore (?:that|then|now)\b",
        r"\b(?:was|were|did|had|held|applied)\b.*\bbefore (?:for|at|in|on|with|here|there)\b"
        r"(?! (?:\d|least|most))",
        r"\b(?:was|were|did|had)\b.*\bearlier(?=\W*$)",
        r"\bearlier (?!than\b|this\b|that\b|today\b|in\b|on\b|or\b|and\b)" + _THINGS + r"\b",
    ),
    "de": (
        rf"\balte[nr]? {_SACHEN}\b",
        r"\bfruhere[nrs]? (?!termin|zeitpunkt|stunde)\w",
        r"\b(?:das|was|wie|war|galt|galten|hatte|offnete|hiess|wohnte|arbeitete)\b.*\bvor (?:kurzem|der"
        r" (?:anderung|umstellung))\b",
    ),
    "nl": (r"\beerder(?=\W*$)", r"\bde oude \w*(?:tijd|tijden|prijs|regel|regels|code|naam)\b"),
    "fr": (_NO_PERIOD + r"\bprecedente?s?\b",),
    "es": (
        _NO_PERIOD + r"\banterior(?:es)?\b(?! a\b)",
        r"^\W*antes (?=(?:cuando|donde|como|cuanto|cual|a que hora)\b)",
    ),
    "pt": (
        _NO_PERIOD + r"\banterior(?:es)?\b(?! a\b)",
        r"^\W*antes (?=(?:quando|onde|como|quanto|qual|a que horas?)\b)",
    ),
    "it": (
        _NO_PERIOD + r"\bprecedent[ei]\b(?! a\b)",
        r"\bvecchi[oa]? (?:orari[oa]?|prezz[oi]|regol[ae]|codice|indirizzo|nome)\b",
        r"^\W*prima (?=(?:quando|dove|come|quanto|quale?|chi|a che ora)\b)",
    ),
    "ru": (r"\b(?:предыдущ|прежн|стар(?=\w+ (?:час|врем|цен|код|адрес|правил|график|им)))\w+\b",),
    "uk": (r"\bпопередн\w+\b",),
    "pl": (r"\bpoprzedni\w*\b(?! (?:dzien|tydzien|miesiac|rok|kwartal)\b)",),
    "tr": (r"\bonceki (?!gun|gece|hafta|ay|yil|sene)\w",),
    "vi": (r"\bcũ\b",),
    "ar": (r"\bمن قبل(?=\W*$)",),
    "hi": (
        r"^\W*पहले(?=\s)",
        r"(?<!से |दिन |दिनों |हफ्ते |सप्ताह |महीने |महीनों |साल |वर्ष |घंटे |मिनट )"
        r"(?<!\p{M})पहले (?=कब|क्या|कितने|कितना|कहाँ|कौन)",
    ),
    "th": (r"เดิม(?=\W*$|คือ)",),
    # 会议之前做什么 asks what to do before a meeting, 仓库之前几点开门 when a depot opened.
    "zh": (
        r"^\W*之前",
        r"(?<![年月日号天周点分钟时岁\d])之前(?=几点|是|多少|怎么样|叫|哪|谁|住|适用|规定|幾點|誰|適用|規定)",
        r"(?:原来|原來|旧|舊)的",
        r"此前|以往",
    ),
    "ja": (
        r"(?<![\p{Han}\dのたるいう間])前は",
        r"(?<![\p{Han}\dのたるいう間])前の(?!日|週|月|年|晩|夜)",
        r"旧(?=\p{Han})",
    ),
    "ko": (r"^\W*전에", r"이전의|이전 (?=영업|가격|규정|주소|비밀번호|코드|시간)|예전"),
}
