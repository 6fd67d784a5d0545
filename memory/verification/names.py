"""Names in a claim that its evidence does not hold: people, places, codes, addresses. Pure.

A name is what is written like one: a capital inside a sentence, capitals throughout, letters mixed
with digits, an e-mail or web address. Scripts without capitals leave this to the judge.
"""

from __future__ import annotations

import regex

from memory.language.folding import fold
from memory.language.terms import terms
from memory.verification.evidence import Evidence, function_words, is_carried
from memory.verification.figures import figures
from memory.verification.spans import all_occurrences

_ADDRESS = regex.compile(
    r"(?:https?://|ftp://|www\.)[^\s<>\"'）)\]]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
    r"|\b[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|example|test|info|edu|gov|app)\b(?:/[^\s<>\"')\]]*)?",
    regex.IGNORECASE,
)
_TRAILING = ".,;:!?"
_CODE = regex.compile(
    r"(?<![\p{Latin}\p{M}\d_-])(?=[\p{Latin}\d_/-]*\p{Latin})(?=[\p{Latin}\d_/-]*\d)"
    r"[\p{Latin}\d_]+(?:[-/][\p{Latin}\d_]+)*"
)
_CAPITALISED = regex.compile(r"(?<![\p{L}\p{M}\d_])\p{Lu}[\p{L}\p{M}’']*(?:-\p{L}+)*")
_SENTENCE_START = regex.compile(r"(?:^|[.!?:;•\n]\s*|[“\"«„(]\s*)$")
# Languages that capitalise every noun: a capital says nothing there.
_CAPITALISES_NOUNS = frozenset({"de", "lb"})
_INITIALISM = regex.compile(r"^\p{Lu}{2,6}$")
_SURE_LENGTH = 5
# First parts of compounds that an initialism takes a letter from: OT is overtime.
_COMPOUND_HEADS = (
    "over under out up down off on in back after mid non post sub super inter multi"
    " home work week pay time data head health life team web net soft hard key pass"
).split()


def unsupported_names(claim: str, evidence: Evidence) -> tuple[str, ...]:
    """As written, in order. Headings and titles may carry a name, but never an address."""
    missing: list[str] = []
    rest = claim
    for match in _ADDRESS.finditer(claim):
        address = match.group().rstrip(_TRAILING)
        if not any(all_occurrences(address, quote) for quote in evidence.quotes):
            missing.append(address)
        rest = _blank(rest, *match.span())
    held = "\n".join((*evidence.quotes, *evidence.context))
    read = figures(claim, evidence.language)
    for match in _CODE.finditer(rest):
        # "12-hour" and the "24th" of a date are figures.
        if not any(figure.start <= match.start() < figure.end for figure in read):
            if not all_occurrences(match.group(), held):
                missing.append(match.group())
            rest = _blank(rest, *match.span())
    for figure in read:
        rest = _blank(rest, figure.start, figure.end)
    for match in _CAPITALISED.finditer(rest):
        if _is_name(rest, match, evidence.language) and not _is_held(match.group(), held, evidence):
            missing.append(match.group())
    return tuple(dict.fromkeys(missing))


def _is_name(text: str, match: regex.Match[str], language: str) -> bool:
    word = match.group()
    empty = function_words(language)
    if fold(word) in empty:
        return False
    has_inner_capital = any(letter.isupper() for letter in word[1:])
    if has_inner_capital:
        return True
    if len(word) < 2 or language.partition("-")[0] in _CAPITALISES_NOUNS:
        return False
    if not _SENTENCE_START.search(text, 0, match.start()):
        return True
    # "Maria Lopez approves it": a first word is a name where the second one is.
    following = _CAPITALISED.match(text, match.end() + 1)
    return (
        following is not None
        and not following.group().isupper()
        and fold(following.group()) not in empty
    )


def _is_held(word: str, held: str, evidence: Evidence) -> bool:
    parts = terms(word, evidence.language)
    words = evidence.words | evidence.context_words
    if parts and all(is_carried(part.stem, words) for part in parts):
        return True
    if "-" in word and all(_is_held(part, held, evidence) for part in word.split("-") if part):
        return True
    if len(word) >= _SURE_LENGTH and fold(word) in fold(held):
        return True  # inside a compound, or before a suffix
    return bool(_INITIALISM.match(word)) and abbreviates(word, held)


def abbreviates(initials: str, text: str) -> bool:
    """Do the words of ``text`` begin with these letters, one after another? OT also is overtime."""
    wanted = initials.casefold()
    words = [word.casefold() for word in regex.findall(r"\p{L}+", text)]
    content = [word for word in words if word not in function_words("en")]
    for run in (words, content):
        if wanted in "".join(word[0] for word in run):
            return True
    return len(wanted) == 2 and any(
        word.startswith(head) and wanted[0] == head[0] and word[len(head) :].startswith(wanted[1])
        for word in words
        for head in _COMPOUND_HEADS
    )


def _blank(text: str, start: int, end: int) -> str:
    return text[:start] + " " * (end - start) + text[end:]
