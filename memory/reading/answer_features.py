"""What can be told about a whole answer from what was read: one row of numbers per answer. Pure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from memory.reading.features import NAMES as UNIT_NAMES
from memory.reading.questions import AnswerType, Question

_AT = {name: index for index, name in enumerate(UNIT_NAMES)}
_OF_CHOSEN = (
    "bm25", "coverage", "context_coverage", "passage_bm25", "rarest", "adjacent", "names", "numbers",
    "type_match", "new_words", "length", "is_question", "is_label", "is_row", "is_code",
    "number_asked_and_there", "time_asked_and_there", "person_asked_and_there", "pair_coverage", "anaphoric",
    "foreign", "first", "is_home", "cosine", "cosine_margin", "passage_cosine",
)  # fmt: skip
_OF_PAGE = ("bm25", "coverage", "context_coverage", "passage_bm25", "rarest", "cosine")
_TYPES = tuple(AnswerType)
NAMES = (
    "score", "score_margin", "score_above_median", "share", "share_two", "is_best",
    *(f"chosen_{name}" for name in _OF_CHOSEN),
    *(f"page_{name}" for name in _OF_PAGE),
    "two_coverage", "passage_coverage", "page_coverage", "missing_terms", "missing_share",
    "missing_rarest", "missing_names", "missing_numbers", "weak_terms", "terms", "units",
    "cosine_mean", "cosine_spread",
    *(f"asks_{kind}" for kind in _TYPES),
)  # fmt: skip
# A term of the question counts as met from this strength on (0-1).
MET = 0.75


def row(
    question: Question,
    *,
    features: np.ndarray,
    wide: np.ndarray,
    passages: np.ndarray,
    idf: np.ndarray,
    scores: np.ndarray,
    chosen: Sequence[int],
) -> np.ndarray:
    """float32 (NAMES,) for an answer that rests on the units ``chosen`` (rows, best first).

    ``features`` (units, features.NAMES) · ``wide`` (units, terms): strength of each term in the unit
    with its headings · ``passages`` (units,) numbers of the passages · ``scores`` (units,).
    """
    first = chosen[0]
    rest = np.delete(scores, list(chosen))
    weights = np.exp(scores - scores.max())
    weights /= weights.sum()
    order = np.sort(weights)[::-1]
    held = wide.max(axis=0, initial=0.0)
    weight = np.maximum(idf, 1e-6)
    total = float(weight.sum()) or 1.0
    missing = held < MET
    same = passages == passages[first]
    cosines = features[:, _AT["cosine"]]
    values = {
        "score": scores[first],
        "score_margin": scores[first] - (rest.max() if len(rest) else scores[first] - 3),
        "score_above_median": scores[first] - np.median(scores),
        "share": weights[first],
        "share_two": order[:2].sum(),
        "is_best": float(first == scores.argmax()),
        **{f"chosen_{name}": features[first, _AT[name]] for name in _OF_CHOSEN},
        **{f"page_{name}": features[:, _AT[name]].max() for name in _OF_PAGE},
        "two_coverage": wide[list(chosen)].max(axis=0) @ weight / total,
        "passage_coverage": wide[same].max(axis=0) @ weight / total,
        "page_coverage": held @ weight / total,
        "missing_terms": float(missing.sum()),
        "missing_share": float(missing.mean()) if len(missing) else 0.0,
        "missing_rarest": float(1 - held[idf.argmax()]) if len(idf) else 0.0,
        "missing_names": _missing(question.names, question, held),
        "missing_numbers": _missing(question.numbers, question, held),
        "weak_terms": float((wide[list(chosen)].max(axis=0) < MET).mean()) if len(idf) else 0.0,
        "terms": np.log1p(len(idf)),
        "units": np.log1p(len(scores)),
        "cosine_mean": cosines.mean(),
        "cosine_spread": cosines.std(),
        **{f"asks_{kind}": float(question.answer_type is kind) for kind in _TYPES},
    }
    return np.array([values[name] for name in NAMES], np.float32)


def _missing(words: Sequence[str], question: Question, held: np.ndarray) -> float:
    """How many of these words of the question no unit holds."""
    places = [question.places(word) for word in words]
    return float(sum(bool(at) and all(held[index] < MET for index in at) for at in places))
