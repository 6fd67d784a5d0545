"""What the reader sees of each unit of a page, as one row of numbers per unit. Pure.

Most measures come twice: as they are, and as a share of the best on the page, so that the same
weights serve short pages and long ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from memory.language.terms import Term, terms
from memory.language.unit_text import Unit
from memory.reading import patterns
from memory.reading.lexical import Matches
from memory.reading.questions import AnswerType, Question
from memory.types import Passage

LEXICAL = (
    "bm25", "bm25_share", "coverage", "coverage_share", "context_coverage", "context_share",
    "passage_bm25", "passage_share", "previous_coverage", "next_coverage", "rarest", "adjacent",
    "names", "numbers", "type_match", "type_known", "new_words", "length", "is_question", "is_row",
    "is_label", "is_code", "first", "number_asked_and_there", "time_asked_and_there", "is_home",
    "pair_coverage", "foreign", "person_asked_and_there", "anaphoric",
)  # fmt: skip
SEMANTIC = (
    "cosine", "cosine_share", "cosine_margin", "passage_cosine", "passage_cosine_margin",
    "neighbour_cosine", "cosine_rank", "mixed",
)  # fmt: skip
NAMES = LEXICAL + SEMANTIC


def matrix(
    question: Question,
    units: Sequence[Unit],
    read: Sequence[Passage],
    *,
    own: Matches,
    context: Matches,
    cosines: np.ndarray | None,
) -> np.ndarray:
    """float32 (units, NAMES). ``own`` matches the units alone, ``context`` with what stands above
    them; ``cosines`` is one per unit, None when there are no vectors.
    """
    of = np.array([unit.passage for unit in units])
    bm25, coverage, wide = own.bm25(), own.coverage(), context.coverage()
    passage = own.grouped(of).bm25()[of]
    columns: dict[str, np.ndarray] = {
        "bm25": bm25,
        "bm25_share": _share(bm25),
        "coverage": coverage,
        "coverage_share": _share(coverage),
        "context_coverage": wide,
        "context_share": _share(wide),
        "passage_bm25": passage,
        "passage_share": _share(passage),
        "previous_coverage": _neighbour(wide, of, -1),
        "next_coverage": _neighbour(wide, of, 1),
        "pair_coverage": _pair(context, of),
        "rarest": _rarest(own),
        **_of_words(question, [terms(u.text, read[u.passage].language) for u in units]),
        **_of_question(question, units),
        **_of_unit(question, units, read),
        **_semantic(of, bm25, cosines),
    }
    return np.stack([np.asarray(columns[name], np.float32) for name in NAMES], axis=1)


def _share(values: np.ndarray) -> np.ndarray:
    return values / max(float(values.max(initial=0.0)), 1e-6)


def _neighbour(values: np.ndarray, of: np.ndarray, step: int) -> np.ndarray:
    """The value of the unit before or after, 0 where that is another passage."""
    shifted = np.roll(values, -step)
    same = np.roll(of, -step) == of
    same[-1 if step > 0 else 0] = False
    return np.where(same, shifted, 0)


def _pair(context: Matches, of: np.ndarray) -> np.ndarray:
    """Coverage by the unit and the one before it together."""
    before = np.roll(context.strength, 1, axis=0)
    before[np.roll(of, 1) != of] = 0
    before[0] = 0
    return Matches(np.maximum(context.strength, before), context.idf, context.lengths).coverage()


def _rarest(own: Matches) -> np.ndarray:
    """How strongly the unit holds the rarest question term that any unit holds."""
    held = own.strength.max(axis=0, initial=0.0) > 0
    if not held.any():
        return np.zeros(len(own.lengths))
    return own.strength[:, int(np.argmax(np.where(held, own.idf, -1)))]


def _of_words(question: Question, units: Sequence[Sequence[Term]]) -> dict[str, np.ndarray]:
    """``adjacent``: share of neighbouring pairs of question terms that stand within three words."""
    stems = [term.stem for term in question.terms]
    pairs = {pair for pair in pairwise(stems) if pair[0] != pair[1]}
    wanted = set(stems)
    adjacent, fresh = [], []
    for unit in units:
        places = [(at, term.stem) for at, term in enumerate(unit) if term.stem in wanted]
        close = {(first, second) for (a, first), (b, second) in pairwise(places) if b - a <= 3}
        both = close | {pair[::-1] for pair in close}
        adjacent.append(len(pairs & both) / len(pairs) if pairs else 0.0)
        fresh.append(np.log1p(len(unit) - len(places)))
    return {"adjacent": np.array(adjacent), "new_words": np.array(fresh)}


def _of_question(question: Question, units: Sequence[Unit]) -> dict[str, np.ndarray]:
    names = [name.casefold() for name in question.names]
    folded = [unit.text.casefold() for unit in units]

    def held(wanted: Sequence[str]) -> np.ndarray:
        return np.array(
            [
                sum(word in text for word in wanted) / len(wanted) if wanted else 0.5
                for text in folded
            ]
        )

    return {"names": held(names), "numbers": held(question.numbers)}


def type_fits(asked: AnswerType, texts: Sequence[str], *, known: Sequence[str] = ()) -> np.ndarray:
    """0-1 per text: does it hold something of the kind that is asked for? 0.5 where nothing can be
    told. ``known`` are the question's own numbers and names, which answer nothing."""
    match asked:
        case AnswerType.NUMBER:
            return np.array([float(_has_number(text, known)) for text in texts])
        case AnswerType.TIME:
            return np.array(
                [
                    1.0
                    if patterns.YEAR.search(text) or patterns.TIME.search(text)
                    else 0.5 * _has_number(text, known)
                    for text in texts
                ]
            )
        case AnswerType.PERSON | AnswerType.PLACE:
            return np.array([_has_name(text, known) for text in texts])
        case _:
            return np.full(len(texts), 0.5)


def _has_name(text: str, known: Sequence[str]) -> float:
    """Scripts without capitals do not tell."""
    if not patterns.CASED.search(text):
        return 0.5
    return float(any(name not in known for name in patterns.NAME.findall(text)))


def _has_number(text: str, known: Sequence[str]) -> bool:
    found = patterns.NUMBER.findall(text)
    return any(number not in known for number in found) or bool(patterns.NUMBER_WORD.search(text))


def _of_unit(
    question: Question, units: Sequence[Unit], read: Sequence[Passage]
) -> dict[str, np.ndarray]:
    asked = question.answer_type
    texts = [unit.text for unit in units]
    fits = type_fits(asked, texts, known=(*question.numbers, *question.names))
    first = np.array(
        [float(i == 0 or units[i - 1].passage != unit.passage) for i, unit in enumerate(units)]
    )
    return {
        "type_match": fits,
        "type_known": np.full(len(units), float(asked is not AnswerType.OTHER)),
        "length": np.array([np.log1p(len(unit.text)) for unit in units]),
        "is_question": np.array([float(unit.text.rstrip()[-1:] in "?？؟") for unit in units]),
        "is_row": np.array([float("\t" in unit.text) for unit in units]),
        "is_label": np.array([float(unit.is_label) for unit in units]),
        "foreign": np.array(
            [float(question.language not in ("", read[u.passage].language[:2])) for u in units]
        ),
        "person_asked_and_there": fits * (asked in (AnswerType.PERSON, AnswerType.PLACE)),
        "anaphoric": np.array([float(bool(patterns.ANAPHORA.match(unit.text))) for unit in units]),
        "is_code": np.array(
            [min(len(patterns.CODE.findall(unit.text)) / 3, 1.0) for unit in units]
        ),
        "first": first,
        "number_asked_and_there": fits * (asked is AnswerType.NUMBER),
        "time_asked_and_there": fits * (asked is AnswerType.TIME),
        "is_home": np.array([float(read[unit.passage].is_home) for unit in units]),
    }


def _semantic(
    of: np.ndarray, bm25: np.ndarray, cosines: np.ndarray | None
) -> dict[str, np.ndarray]:
    if cosines is None:
        return {name: np.zeros(len(of)) for name in SEMANTIC}
    best = np.zeros(int(of.max(initial=-1)) + 1)
    np.maximum.at(best, of, np.where(np.isnan(cosines), 0, cosines))
    passage = best[of]
    centre = float(np.median(cosines))
    order = np.argsort(np.argsort(-cosines))
    around = np.maximum(_neighbour(cosines, of, -1), _neighbour(cosines, of, 1))
    return {
        "cosine": cosines,
        "cosine_share": cosines - cosines.max(),
        "cosine_margin": cosines - centre,
        "passage_cosine": passage,
        "passage_cosine_margin": passage - best.max(),
        "neighbour_cosine": around,
        "cosine_rank": 1 / (1 + order),
        "mixed": bm25 + 2 * (cosines - centre),
    }
