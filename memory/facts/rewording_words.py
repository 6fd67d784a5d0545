"""How languages say that a value is another one now, and how they say which one it is. Data only.

Each row is a pattern and what it is replaced with, a state in its plainest words:

    The kickoff has been moved from Tuesday to Thursday.   ->   The kickoff is Thursday.
    Das Treffen findet am Dienstag statt.                  ->   Das Treffen ist am Dienstag.
"""

from __future__ import annotations

import regex

Row = tuple[regex.Pattern[str], str]


def _rows(*rows: tuple[str, str]) -> tuple[Row, ...]:
    return tuple((regex.compile(pattern, regex.IGNORECASE), plain) for pattern, plain in rows)


# What was before: "from Tuesday".
_FROM = r"(?:(?:from|de|du|del|da|dal|do|с|со)\s[^,.;:]{1,40}?\s)?"
_VON = r"(?:vo[nm]\s[^,.;:]{1,40}?\s)?"
_TO = r"(?:to|until|(?<=rescheduled\s)for)"
# What may stand beside a change that has happened. "Nearly", "reportedly" and "originally" may not.
_LATELY = (
    r"(?:(?:recently|just|then|finally|officially|already|now|since|slightly|temporarily|permanently|suddenly"
    r"|unexpectedly|subsequently|quietly)\s)?"
)
_EBEN = (
    r"(?:(?:jetzt|nun|inzwischen|mittlerweile|kürzlich|gerade|eben|soeben|gestern|heute|bereits|schon|kurzfristig"
    r"|leider|endlich|nochmals?|erneut|wieder|offiziell|plötzlich|dann|daher|deshalb)\s){0,2}?"
)
_NO_HOUR = r"(?!\d+\s?(?:h|:))"  # "Le train passe à 8 h"

# Of a plan or a figure. What only moves or sends somebody is not among them.
_CHANGED = (
    r"(?:rescheduled|moved|postponed|delayed|deferred|shifted|changed|switched|adjusted|updated|revised"
    r"|reset|extended|shortened|raised|increased|lowered|reduced|cut|bumped|pushed(?:\sback|\sout)?"
    r"|brought\sforward|put\s(?:back|off|forward))"
)
_GONE = (
    r"(?:moved|slipped|changed|switched|shifted|risen|fallen|grown|dropped|increased"
    r"|(?:gone|come)\s(?:up|down)|been\sset)"
)
_VERSCHOBEN = (
    r"(?:verschoben|verlegt|vorverlegt|vertagt|geändert|umgestellt|erhöht|angehoben|gesenkt|reduziert"
    r"|gekürzt|verlängert|festgesetzt|gestiegen|gesunken|gefallen)"
)
_REPORTE = (
    r"(?:report|déplac|décal|repouss|avanc|chang|prolong|augment|relev|baiss|fix)ée?s?"
    r"|réduite?s?|étendue?s?"
)
_APLAZADO = (
    r"(?:pasad|aplazad|trasladad|movid|cambiad|pospuest|retrasad|adelantad|prorrogad|aumentad|subid|bajad"
    r"|reducid)[oa]s?"
)
_SPOSTATO = (
    r"(?:spostat|rinviat|anticipat|posticipat|cambiat|passat|prorogat|aumentat|alzat|ridott|abbassat|salit"
    r"|sces)[oaie]"
)
_ADIADO = (
    r"(?:adiad|transferid|mudad|alterad|remarcad|antecipad|prorrogad|aumentad|reduzid|passad)[oa]s?"
)
_PERENESEN = (
    r"(?:перенес[её]н|сдвинут|измен[её]н|повышен|увеличен|снижен|уменьшен|продл[её]н)[аоы]?"
)

# "costs 35 euros since May"
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DAY = (
    rf"(?:(?:the\s)?(?:\d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?)?{_MONTH}(?:\s\d{{1,2}})?(?:,?\s\d{{4}})?|\d{{4}}(?:-\d\d){{0,2}}"
    r"|(?:last|this|next)\s\p{L}+|then|today|yesterday|(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
)
_MONAT = (
    r"(?:januar|jänner|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)"
)
_MOIS = r"(?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)"
_MES = (
    r"(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre"
    r"|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre"
    r"|janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro)"
)

CHANGED = _rows(
    # en
    (rf"\b(?:(?:has|have|had)\s)?{_LATELY}(?:been\s)?(?:{_CHANGED}|{_GONE})(?:[,;:]|\sand)\s"
     r"(?:it|they)(?:\s(?:is|are)|['’](?:s|re))\s", "is "),
    (rf",?\s(?:since|as\sof|effective(?:\sfrom)?|starting(?:\s(?:in|from|on))?|with\seffect\sfrom)\s{_DAY}"
     r"(?=[.!]?\s*$)", ""),
    (r"\b(?:(?:has|have)\s)?(?:became|become|becomes)\s(?=(?:the|our|my)\s)", "is "),
    (r"\b(?:has\staken|took|takes)\sover\sas\s(?:the\s)?", "is the "),
    (rf"\b(?:(?:has|have)\sbeen|(?:is|are)(?:\sbeing)?|was|were|got)\s{_LATELY}{_CHANGED}\s{_FROM}{_TO}\s",
     "is "),
    (rf"\b(?:has|have)\s{_LATELY}{_GONE}\s{_FROM}to\s", "is "),
    (rf"\b(?:moves|shifts|slips|goes\sup|goes\sdown|rises|increases)\s{_FROM}to\s", "is "),
    (rf"^we(?:\shave|['’]ve)?\s{_LATELY}{_CHANGED}\s((?:the|our)\s[^,.;:]{{1,60}}?)\s{_FROM}{_TO}\s",
     r"\1 is "),
    (r"^(?:since|as\sof|from)\s(?:[^,.;:]{1,30},\s|(?:[\p{L}\d]+\s){1,2}(?=(?:the|our|my)\s))", ""),
    # de
    (rf"\b(?:wurden?|wird|werden|ist|sind)\s{_EBEN}{_VON}auf\s(?:den\s|die\s|das\s)?([^,;:]{{1,40}}?)"
     rf"\s{_VERSCHOBEN}(?:\sworden)?\b", r"ist \1"),
    (rf"\b(?:wurden?|wird|werden|ist|sind)\s{_VERSCHOBEN}\s(?:worden\s)?auf\s(?:den\s)?", "ist "),
    (rf"\b(?:hat\ssich\s|wurde\s|ist\s)(?:{_VERSCHOBEN})(?:[,;:]|\sund)\s(?:er|sie|es)\s(?:ist|liegt|gilt)\s",
     "ist "),
    (rf"\s(?:seit|ab)\s(?:dem\s)?(?:\d{{1,2}}\.\s)?{_MONAT}(?:\s\d{{4}})?\b", ""),
    # fr
    (rf"\s(?:depuis|à\spartir\sd[eu]['\s])\s?(?:le\s)?(?:1er\s|\d{{1,2}}\s)?{_MOIS}(?:\s\d{{4}})?\b", ""),
    (rf"\b(?:(?:a|ont)\sété|est|sont)\s(?:{_REPORTE})\s{_FROM}(?:à|au|aux|pour)\s(?:le\s)?", "est "),
    (rf"\b(?:passent?|(?:est|sont)\spassée?s?)\s{_FROM}(?:à|au)\s(?:le\s)?{_NO_HOUR}", "est "),
    # es, it, pt
    (rf"\s(?:desde|a\spartir\sde|da|a\spartire\sda)\s(?:el\s|o\s)?(?:\d{{1,2}}\s(?:de\s)?)?{_MES}(?:\s(?:de\s)?\d{{4}})?\b",
     ""),
    # es
    (rf"\b(?:se\s)?(?:ha|han)\s(?:sido\s)?{_APLAZADO}\s{_FROM}(?:al?|hasta|para)\s(?:el\s|las?\s)?", "es "),
    (rf"\b(?:fue|fueron|está)\s{_APLAZADO}\s{_FROM}(?:al?|hasta|para)\s(?:el\s|las?\s)?", "es "),
    (r"\bpasan?\sal\s", "es "),
    # it
    (rf"\b(?:è|sono)\s(?:stat[oaie]\s)?{_SPOSTATO}\s{_FROM}(?:al|alle|a|per)\s", "è "),
    # pt
    (rf"\b(?:foi|foram)\s{_ADIADO}\s{_FROM}(?:para|até)\s(?:[ao]s?\s)?", "é "),
    (r"\b(?:passou|passaram)\spara\s(?:[ao]s?\s)?", "é "),
    # ru
    (rf"(?<!\p{{L}})(?:был[аои]?\s)?{_PERENESEN}\s{_FROM}(?:на|до)\s", "проходит в "),
    # vi
    (r"\b(?:đã\s)?(?:được\s|bị\s)?(?:dời|chuyển|đổi|hoãn|tăng|giảm)\s(?:sang|thành|đến|lên|xuống)\s", "là "),
    # zh
    (r"(?:已经|已|被)*(?:改到|改在|改为|改成|推迟到|推迟至|延期到|延期至|延到|提前到|提前至|调整到|调整为"
     r"|调到|调为|挪到|移到|涨到|涨至|上涨到|上调至|升至|降到|降至|下调至|变更为|变为)了?", "是"),
    # ja
    (r"(?:に|へ)(?:変更|延期|移動|前倒し|繰り上げ|繰り下げ|値上げ|値下げ|引き上げ|引き下げ|改定|移)"
     r"(?:され|になり|となり|し|られ|り)?(?:まし)?た", "です"),
)  # fmt: skip

# What says which value holds, and no more.
STATED = _rows(
    # en
    (r"\b(?:will\sbe|['’]ll\sbe|amounts?\sto|stands?\sat|is\spriced\sat|sells?\sfor)\s", "is "),
    (r"\b(?:takes\splace|will\stake\splace|is\sheld|happens)\s(?=on\b|at\b)", "is "),
    (r"\bshuts\b", "closes"),
    (r"\b(?:begins|commences|kicks\soff)\b", "starts"),
    (r"\bfinishes\b", "ends"),
    (r"\bdeparts\b", "leaves"),
    (r"\b(is|are)\sclosed\b(?!\s(?:at|from|until|by)\b)", r"\1 not open"),
    # de
    (r"\bfindet\s([^,.;:]{1,60}?)\sstatt\b", r"ist \1"),
    (r"\b(?:beträgt|beläuft\ssich\sauf|liegt\sbei|wird\ssein)(?=\s)", "ist"),
    (r"\bmacht\s([^,.;:]{1,40}?)\szu\b", r"schließt \1"),
    (r"\bmacht\s([^,.;:]{1,40}?)\sauf\b", r"öffnet \1"),
    (r"\bfängt\s([^,.;:]{1,40}?)\san\b", r"beginnt \1"),
    (r"\bstartet\b", "beginnt"),
    (r"\b(ist|sind)\sgeschlossen\b", r"\1 nicht offen"),
    (r"\b(ist|sind)\sgeöffnet\b", r"\1 offen"),
    # fr
    (r"\b(?:a\slieu|aura\slieu|se\stient|sera|s['’]élève\sà|est\sde)\s(?:le\s)?", "est "),
    (r"\b(?:débute|démarre)\b", "commence"),
    # es
    (r"\b(?:tiene\slugar|se\scelebra|será|es\sde|asciende\sa)\s", "es "),
    (r"\b(?:comienza|inicia)\b", "empieza"),
    # it
    (r"\b(?:si\stiene|sarà|ammonta\sa|è\sdi)\s", "è "),
    # pt
    (r"\b(?:acontece|é\sde|é\sn[ao])\s", "é "),
    # ru
    (r"(?<!\p{L})(?:состоится|пройд[её]т)(?!\p{L})", "проходит"),
    (r"(?<!\p{L})проходит\sво?\s", "проходит в "),
    # vi
    (r"\b(?:diễn\sra|tổ\schức)\s(?:vào\s)?(?:lúc\s)?", "là "),
    # zh
    (r"(?:定在|定于|安排在|排在|在|于)(?=\s*(?:\d|星期|周|週|礼拜))", "是"),
    (r"打烊|关闭|闭馆", "关门"),
    # ja
    (r"(?:に|で)(?:行われます|行われる|開催されます|開催される|あります|ある|予定されています)", "です"),
    (r"(?:の|に)?予定(?:です|だ)|である", "です"),
)  # fmt: skip

# "is on", "ist am", "est le": what stands between a state and its value, the hole of a slot.
WHEN = regex.compile(
    r"\b(is|are|ist|sind|est|sont|es|son|è|sono|é|são|là|проходит)\s+"
    r"(?:(?:planned|scheduled|set|fixed|geplant|angesetzt|prévue?|fixée?|previst[oa]|programad[oa])\s+)?"
    r"(?:on|at|for|am|um|im|für|le|pour|à|el|a\s+las?|para|il|alle|às|na|no|в|во|на|vào|lúc)\s+"
    r"(?:the\s+|el\s+|den\s+)?(?=\x00)",
    regex.IGNORECASE,
)
