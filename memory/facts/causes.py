"""Which sentence says why the one before it holds, or what follows from it. Pure; cue words only.

Only a cue at the start of a sentence connects it with another one: inside a sentence *because* joins
what one fact says already.
"""

from __future__ import annotations

import regex

from memory.levels import EdgeType

# The sentence before caused this one: "Therefore …", "That is why …".
_CAUSED_BY = (
    r"therefore|thus|hence|consequently|as a (?:result|consequence)|because of (?:this|that|it)"
    r"|for (?:this|that) reason|(?:that|this)(?: is|['’]s) why|due to (?:this|that)|so that['’]s why"
    r"|deshalb|deswegen|daher|darum|folglich|infolgedessen|aus diesem grund|aufgrund dessen"
    r"|donc|par conséquent|en conséquence|c['’]est pourquoi|pour cette raison|de ce fait"
    r"|por (?:lo )?tanto|por eso|por esta razón|en consecuencia|por consiguiente"
    r"|portanto|por isso|por essa razão|consequentemente|quindi|perciò|pertanto|per questo(?: motivo)?"
    r"|поэтому|следовательно|из-за этого|в результате|по этой причине"
    r"|vì vậy|vì thế|do đó|cho nên|因此|所以|因而|于是"
    r"|だから|したがって|そのため|그래서|따라서|그러므로|لذلك|ولهذا|بالتالي|इसलिए"
)
# This one caused the sentence before: "Because it rained."
_CAUSES = (
    r"because(?! of (?:this|that|it)\b)|that(?: is|['’]s) because|this is because|the reason is"
    r"|weil|denn|das liegt daran|der grund(?: dafür)? ist|parce que|car|c['’]est parce que"
    r"|porque|es porque|ya que|é porque|perché|è perché|poiché"
    r"|потому что|так как|дело в том|(?:bởi )?vì(?! vậy| thế)|因为|由于|なぜなら|왜냐하면|لأن|क्योंकि"
)
_ENABLES = (
    r"(?:this|that|it) (?:allows|allowed|enables|enabled|lets|made it possible|makes it possible)"
    r"|das ermöglicht|dadurch (?:kann|können|konnte)|cela permet|ceci permet|esto permite|isso permite"
    r"|questo permette|это позволяет|điều này cho phép|这使得|这样就能"
)
_PREVENTS = (
    r"(?:this|that|it) (?:prevents|prevented|stops|stopped|blocks|blocked|avoids|avoided)"
    r"|das verhindert|cela empêche|esto (?:impide|evita)|isso (?:impede|evita)|questo impedisce"
    r"|это (?:мешает|предотвращает)|这(?:会)?(?:阻止|防止)"
)
_START = r"^(?:[^\p{L}]*)(?:(?:and|but|so|und|et|y|e|и)\s+)?"
_END = r"(?![\p{L}\p{M}])"
_UNSPACED_END = rf"(?:{_END}|(?<=[\p{{Han}}\p{{Hiragana}}\p{{Katakana}}]))"


def _cue(words: str) -> regex.Pattern[str]:
    return regex.compile(rf"{_START}(?:{words}){_UNSPACED_END}", regex.IGNORECASE)


# From this sentence to the one before.
_CUES = (
    (_cue(_CAUSED_BY), EdgeType.CAUSED_BY),
    (_cue(_CAUSES), EdgeType.CAUSES),
    (_cue(_ENABLES), EdgeType.ENABLES),
    (_cue(_PREVENTS), EdgeType.PREVENTS),
)


def relation(sentence: str) -> tuple[EdgeType, bool] | None:
    """How a sentence goes with the one before it, and whether it is this one that acts.

    ``(CAUSED_BY, True)``: this sentence is caused by the one before; ``(ENABLES, False)``: the one
    before enables what this sentence says.
    """
    for cue, kind in _CUES:
        if cue.match(sentence):
            return kind, kind in (EdgeType.CAUSED_BY, EdgeType.CAUSES)
    return None
