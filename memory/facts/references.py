"""Whether a sentence leans on the one before it. Pure; word lists only."""

from __future__ import annotations

import regex

# First words that point back, as they are written at the start of a sentence.
_POINTERS = (
    # en
    "it he she they this that these those his her its their him them there then so also but and"
    " however therefore thus hence because afterwards later instead otherwise yes no both such"
    # de
    " er sie es dies diese dieser dieses das deshalb daher deswegen darum dann danach dort aber und"
    " auch jedoch trotzdem stattdessen ihr sein seine ihre"
    # fr
    " il elle ils elles ce cela ça ceci cette ces c'est donc alors ensuite puis mais et aussi y"
    " pourtant cependant leur leurs"
    # es, pt, it
    " él ella ellos ellas esto eso este esta estos estas entonces después luego pero también allí"
    " ele ela eles elas isto isso este esta então depois mas também lá portanto"
    " lui lei loro questo questa questi queste quindi poi però anche perciò dunque"
    # ru
    " он она они оно это этот эта эти поэтому затем потом там но и также однако его её их"
    # vi
    " nó họ đó điều này sau vì vậy nhưng"
)
_WORDS = frozenset(_POINTERS.split())
_FIRST = regex.compile(r"^[^\p{L}]*(\p{L}[\p{L}\p{M}'’]*)")
_UNSPACED = regex.compile(
    r"^[^\p{L}]*(?:这|那|它|他|她|此|因此|所以|但|然后|而且|并且|これ|それ|彼|その|この|あれ|しかし|そして|だから|また"
    r"|그|이것|그것|그러나|그래서|하지만|그리고)"
)
_LETTERS = regex.compile(r"\p{L}+")
_FEW_WORDS = 3  # "At seven." says nothing alone
_UNSPACED_LETTERS = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"
)


def refers_back(sentence: str) -> bool:
    if _UNSPACED.match(sentence):
        return True
    first = _FIRST.match(sentence)
    if first is None:
        return True
    if first[1].casefold() in _WORDS:
        return True
    is_spaced = _UNSPACED_LETTERS.search(sentence) is None
    return is_spaced and len(_LETTERS.findall(sentence)) < _FEW_WORDS
