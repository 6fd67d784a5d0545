"""Whether a claim says yes where the evidence says yes, and no where it says no."""

from __future__ import annotations

from collections.abc import Mapping

import regex

from memory.verification.evidence import Evidence, content_words, cover, is_carried, stems
from memory.verification.polarity import agree, polarity

# A clause of a sentence speaks for a claim alone only if it holds this share of the claim's words.
CLAUSE_SHARE = 0.6
_CONTRAST = regex.compile(
    r"[;；]|,?\s+(?:but|however|whereas|while|aber|jedoch|mais|pero|mas|ma|maar|но|однако|nhưng|men)\s+"
    r"|，?(?:但是|但|然而|可是)|ただし|しかし|لكن|ولكن|लेकिन",
    regex.IGNORECASE,
)
# Two sentences that share so many of their words are one sentence with a change.
CLOSE_SHARE = 0.7


def senses_agree(claim: str, evidence: Evidence) -> bool:
    """Each clause of the claim against the clauses of the evidence that speak of the same."""
    language = evidence.language
    for clause in _clauses(claim):
        sense = polarity(clause, language)
        rivals = _rivals(clause, evidence)
        if rivals and not any(
            agree(sense, polarity(rival, language), is_close=_is_close(clause, rival, language))
            for rival in rivals
        ):
            return False
    return True


def _is_close(left: str, right: str, language: str) -> bool:
    words, others = stems(left, language), stems(right, language)
    return len(words & others) >= CLOSE_SHARE * len(words | others)


def _rivals(clause: str, evidence: Evidence) -> list[str]:
    """The sentence that holds most of the clause, alone if it holds enough; else all that add to it."""
    language = evidence.language
    wanted = content_words(clause, language)
    held = [_held(wanted, sentence, language) for sentence in evidence.sentences]
    most = max(held, default=0)
    if most >= CLAUSE_SHARE * len(wanted):
        chosen = [at for at, share in enumerate(held) if share == most]
    else:
        chosen = cover(clause, evidence.sentences, language) or list(range(len(held)))
    return [_clause_for(wanted, evidence.sentences[at], language) for at in chosen]


def _clause_for(wanted: Mapping[str, str], sentence: str, language: str) -> str:
    parts = _clauses(sentence)
    best = max(parts, key=lambda part: _held(wanted, part, language))
    enough = _held(wanted, best, language) >= CLAUSE_SHARE * len(wanted)
    return best if enough else sentence


def _held(wanted: Mapping[str, str], text: str, language: str) -> int:
    held = stems(text, language)
    return sum(is_carried(stem, held) for stem in wanted)


def _clauses(text: str) -> list[str]:
    return [part for part in _CONTRAST.split(text) if part.strip()] or [text]
