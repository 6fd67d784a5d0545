"""Which words of a claim its evidence does not hold. Pure.

A list for people and for the judge: a paraphrase has words of its own, so that a word alone fails
no claim.
"""

from __future__ import annotations

from memory.verification.evidence import Evidence, content_words
from memory.verification.figures import figures
from memory.verification.names import abbreviates


def unsupported_words(claim: str, evidence: Evidence) -> tuple[str, ...]:
    """Content words that neither the quotes nor their context hold. Figures are read elsewhere."""
    rest = claim
    for figure in figures(claim, evidence.language):
        rest = rest[: figure.start] + " " * (figure.end - figure.start) + rest[figure.end :]
    held = "\n".join((*evidence.quotes, *evidence.context))
    return tuple(
        word
        for stem, word in content_words(rest, evidence.language).items()
        if not evidence.carries(stem) and not (word.isupper() and abbreviates(word, held))
    )
