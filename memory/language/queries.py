"""What a query asks for where pages are in several languages. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest

from memory.language.analysis import asked_words
from memory.language.languages import detect_language

_Asked = Mapping[str, list[tuple[str, ...]]]  # the terms of each word, by language


def query_forms(text: str, languages: Sequence[str]) -> dict[tuple[str, ...], int]:
    """What to look up in pages of several languages, and how often the query has it.

    Each language makes a term of a word. These are its forms, and any of them stands for it:
    ``("filter", "filters")`` where pages are in English and in no known language. Words that share
    a form are one. A stop word of the query's own language is asked for in none of them,
    and a query of common words (``is_common``) for nothing.
    """
    found: dict[tuple[str, ...], int] = {}
    word_of: dict[str, tuple[str, ...]] = {}  # by each of its forms
    asked = _asked(text, languages)
    if _is_common(asked):
        return {}
    stops = _own_stop_words(text, asked) if len(asked) > 1 else set()
    for place, word in enumerate(zip(*asked.values(), strict=True)):
        if place in stops:
            continue
        for given in zip_longest(*filter(None, word)):
            same = dict.fromkeys(word_of[form] for form in given if form in word_of)
            every = (form for forms in (*same, given) for form in forms if form)
            forms = tuple(dict.fromkeys(every))
            found[forms] = 1 + sum(found.pop(one) for one in same)
            word_of |= dict.fromkeys(forms, forms)
    return found


def is_common(text: str, languages: Sequence[str]) -> bool:
    """Whether a query says nothing where pages are in these languages: it is stop words of each, of
    English, which is mixed into all of them, or, with two words and more, of one. A single word may
    be another language's: "war" is an article's subject in English.
    """
    return _is_common(_asked(text, languages))


def silent_in(text: str, languages: Sequence[str]) -> list[str]:
    """The languages in which a query is nothing but stop words."""
    return _silent(_asked(text, languages))


def _asked(text: str, languages: Sequence[str]) -> _Asked:
    return {language: asked_words(text, language) for language in languages}


def _is_common(asked: _Asked) -> bool:
    silent = _silent(asked)
    if not silent:
        return False
    return len(silent) == len(asked) or "en" in silent or len(asked[silent[0]]) > 1


def _silent(asked: _Asked) -> list[str]:
    return [language for language, words in asked.items() if not any(words)]


def _own_stop_words(text: str, asked: _Asked) -> set[int]:
    """Places of the words that say nothing in the language that the query is written in. One such
    word shows no language: "world war" is English, though "war" is a stop word in German."""
    own = asked.get(detect_language(text), [])
    stops = {place for place, terms in enumerate(own) if not terms}
    return stops if 2 <= len(stops) < len(own) else set()
