"""Sentences that tell the opposite of what is asked: when a shop opens, for when it closes. Pure.

Likeness cannot tell the two apart: they share every other word. Only pairs of words count that stand
for one another's end in any of the languages; another language loses this check, nothing else.
"""

from __future__ import annotations

from typing import Final

import regex

from memory.language.folding import fold
from memory.reading.questions import AnswerType, Question

# ruff: noqa: E501 - word lists

# The two sides of each pair, folded, as regular expressions; a word of a script without spaces stands
# alone behind the bar.
_PAIRS: Final = (
    (
        r"open(?:s|ed|ing)?|unlock\w*|(?:ge)?offnet\w*|offnen|aufgeschlossen|ouvr\w+|ouverte?s?|abr(?:e[ns]?|ir\w*|io|iert[oa]s?)"
        r"|apr(?:e|ono|ira|ire)|apert[oaie]|abert[oa]s?|abriu|opent|geopend|otwier\w+|otwart\w+|откры\w+|mo cua|acil\w*|acik|buka|dibuka",
        r"clos(?:es?|ed|ing)|shuts?|lock(?:s|ed|ing)?|schliess\w*|(?:ab)?geschlossen|ferm(?:e|ent|er|ee?s?)|cierr\w+|cerr(?:ar\w*|ad[oa]s?|o)"
        r"|chiu(?:de|dono|s[oaie])|fech(?:a|am|ar|ou|ad[oa]s?)|sluit|gesloten|zamyka\w*|zamkni\w+|закры\w+|dong cua|kapan(?:i|ma)\w*|kapali|tutup|ditutup",
        "开门|開門|营业|開く|開店|열",
        "关门|關門|闭|閉|打烊|閉まる|닫",
    ),
    (
        r"increas\w+|rais(?:e[sd]?|ing)|r[io]se[ns]?|grew|grow[ns]?|erhoh\w+|gestiegen|stieg\w*|augment\w+|aument\w+|stijg\w+|gestegen|verhoogd|wzr(?:os|ast)\w*|вырос\w*|увелич\w+|повы[сш]\w+|art(?:ti|is|iril)\w*|naik",
        r"decreas\w+|cut|cuts|reduc\w+|lower(?:s|ed|ing)|dropp?e?[ds]?|fell|fallen|gesenkt|senk\w+|gekurzt|kurz(?:t|te|ung)|gesunken|sank|redui\w+|diminu\w+|baiss\w+|reduj\w+|dismin\w+|ridott\w+|ridu\w+|daald\w*|gedaald|verlaagd|spad\w+|сниз\w+|уменьш\w+|сократ\w+|azal\w+|dus(?:tu|ur)\w*|turun",
        "增加|上涨|提高|上升|増え|上が|증가",
        "减少|減少|下降|降低|削减|減っ|下が|감소",
    ),
    (
        r"(?<!the |from |its |de )start(?:s|ed|ing)?|beg[iau]n(?:s|ning)?|beginn\w*|begann|begonnen|startet\w*|commenc\w+|debut\w*|empez\w+|empiez\w+|comienz\w+|inizi\w+|comec\w+|gestart|zaczyna\w*|начина\w*|нач[ан]\w+|bat dau|basla\w*|mulai",
        r"(?<!the |at |by |until |year |week |month )end(?:s|ed)?|finish\w*|endet\w*|endete|beendet|se termine|finit|termin(?:a|an|o|ar)|acaba\w*|finisc\w+|eindig\w+|konczy\w*|заканчива\w+|законч\w+|ket thuc|bit(?:er|ti|is|iyor)\w*|selesai|berakhir",
        "开始|開始|시작",
        "结束|結束|終わ|終了|끝",
    ),
    (
        r"b(?:uy|uys|uying|ought)|kauf(?:t|te|en|te)|gekauft|achet\w+|compr(?:a|an|o|ar|ou|ad[oa]|at[oa])|gekocht|kup(?:i|uj)\w*|купи\w+",
        r"s(?:ell|ells|elling|old)|verkauf\w*|vend(?:e|ent|u|re|en|io|er|eu|ut[oa]|id[oa])|verkocht|verkoopt|sprzeda\w+|прода\w+",
        "买|購入|買っ",
        "卖|賣|売っ|販売",
    ),
    (
        r"arriv(?:e|es|ed|al|ent|er|ee)|ankunft|ankommt|lleg\w+|arriva\w*|cheg\w+|aankomst|przyjazd|прибы\w+",
        r"depart(?:s|ed|ure)?|abfahrt|abflug|abreise|part(?:ent|ir)|salid\w+|partenza|saida|vertrek\w*|odjazd|отправл\w+",
        "到达|到着|도착",
        "出发|出発|출발",
    ),
    (
        r"born|geboren|naci\w+|nat[oa]|nasc\w+|urodz\w+|родил\w+|sinh ra|dogdu|lahir",
        r"died|dies|gestorben|starb|mort|murio|mort[oa]|morreu|overleden|zmarl\w*|умер\w*|qua doi|meninggal",
        "出生",
        "去世|死亡|亡くなっ",
    ),
    (
        r"max(?:imum|imal\w*|imale)?|at most|hochst\w*|maxim[oa]|massim[oa]|максим\w+|toi da|en fazla|maksim\w+",
        r"min(?:imum|imal\w*|imale)|at least|mindest\w*|minim[oa]|миним\w+|toi thieu|en az",
        "最多|最大|上限|최대",
        "最少|最小|下限|최소",
    ),
)
_SIDES: Final = tuple(
    tuple(
        regex.compile(rf"(?<![\p{{L}}\p{{M}}])(?:{spaced})(?![\p{{L}}\p{{M}}])|{unspaced}")
        for spaced, unspaced in ((pair[0], pair[2]), (pair[1], pair[3]))
    )
    for pair in _PAIRS
)
# "Is it open on Sunday?" is answered by "It is closed on Sundays.".
_ALSO_ANSWERED: Final = (AnswerType.OTHER, AnswerType.DEFINITION)


def tells_opposite(question: Question, text: str) -> bool:
    """Whether ``text`` holds the other end of what the question asks about, and not that itself."""
    if question.answer_type in _ALSO_ANSWERED:
        return False
    asked, told = fold(question.text), fold(text)
    return any(
        own.search(asked)
        and other.search(told)
        and not other.search(asked)
        and not own.search(told)
        for one, two in _SIDES
        for own, other in ((one, two), (two, one))
    )


def says_same(word: str, text: str) -> bool:
    """Whether ``text`` holds another word for the same end: "cut" for "reduced"."""
    asked, told = fold(word), fold(text)
    return any(side.search(asked) and side.search(told) for pair in _SIDES for side in pair)
