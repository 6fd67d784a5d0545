"""Whether a question asks for nothing but what happened in a period."""

from __future__ import annotations

from functools import cache
from typing import Final

import regex

from memory.dates.lexing import Language, language_of, phrase_at
from memory.dates.pieces import Cut, Piece, folded, reading_of, without_accents
from memory.dates.tokens import CUES
from memory.dates.words import VOCABULARIES
from memory.language.folding import fold
from memory.language.languages import STOP_WORDS, detect_language
from memory.reading.question_words import ASKING_WORDS

# Words for whatever there was, in the languages of the vocabularies, folded.
_WHATEVER: Final = frozenset(
    "happen happened happens happening occur occurred go going went on take took taken place up event"
    " events anything everything something all tell show list give remember know us me new news"
    " passiert passierte geschah geschehen los ereignete ereignet ereignis ereignisse vorgefallen gab"
    " es alles etwas neues"
    " passe passer arrive evenement evenements lieu tout quoi neuf"
    " paso pasado ocurrio ocurrido sucedio sucedido hubo evento eventos todo algo"
    " successo successe accaduto accadde capitato eventi tutto qualcosa"
    " aconteceu aconteceram houve passou ocorreu tudo"
    " gebeurd gebeurde gebeurtenissen allemaal"
    " stalo wydarzylo zdarzylo dzialo wydarzenia"
    " произошло случилось было происходило события все сталося відбулося трапилося було події"
    " oldu olaylar terjadi kejadian xay ra chuyen dieu su kien gi"
    " حدث احداث हुआ हुई घटना".split()
)
# The same in scripts that part no words.
_RUNS: Final = regex.compile(
    r"[发發]生(?:[过過了])?|(?:有)?(?:什[么麼]|哪些)(?:事情?|事件)?"
    r"|何が(?:ありました|あった|起きました|起きた|起こりました|起こった)か?"
    r"|무슨\s*일이?\s*(?:있었|일어났|생겼)\p{Hangul}*|เกิดอะไรขึ้น(?:บ้าง)?"
)


def asks_period_alone(text: str, language: str = "") -> bool:
    """What happened in May? last week; was war im Mai. For texts that name a period."""
    plain = _RUNS.sub(" ", folded(text))
    told = language.split("-")[0].casefold() or detect_language(text)
    own = told if told in VOCABULARIES else "en"
    return any(_is_alone(plain, code) for code in dict.fromkeys((own, "en")))


def _is_alone(plain: str, code: str) -> bool:
    """Whether every word of the text is one of time or asks."""
    language: Language = language_of(code)
    keeps_accents = language.vocabulary.keeps_accents
    pieces = reading_of(plain if keeps_accents else without_accents(plain)).pieces
    asking = _asking_words(code)
    at = 0
    while at < len(pieces):
        length, token = phrase_at(pieces, at, language.lexicon)
        if length and token.kind not in CUES:
            at += length
        elif _is_content(pieces[at], asking):
            return False
        else:
            at += 1
    return True


def _is_content(piece: Piece, asking: frozenset[str]) -> bool:
    if piece.cut is Cut.WORD:
        return fold(piece.text) not in asking
    return piece.cut in (Cut.CODE, Cut.NOISE)


@cache
def _asking_words(code: str) -> frozenset[str]:
    words = STOP_WORDS.get(code, frozenset()) | ASKING_WORDS
    return _WHATEVER | {fold(word) for word in words}
