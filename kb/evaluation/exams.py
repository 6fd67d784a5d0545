"""The sets that can be evaluated, by name, and the figures of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from kb.evaluation import (
    datasets,
    figures,
    page_sets,
    retrieval,
    retrieval_figures,
    retrieval_sets,
    runner,
)
from kb.evaluation.datasets import DataMissing
from kb.evaluation.figures import Figures
from kb.evaluation.page_sets import Exam
from kb.evaluation.pages import Cast, Progress, prepare_cast

CROSS_TOPIC, CROSS_TOPIC_SOURCE = "cross_topic", "xquad"
# Sets whose questions are also put to their paragraph alone.
WITH_PARAGRAPH = frozenset({"squad2"})
# Sets of questions and answers whose questions are also put to recall, for their paragraph.
ALSO_RETRIEVAL = frozenset({"xquad", "mlqa_mix"})

Make = Callable[[datasets.Dataset, int | None], Exam]


def known(folder: Path) -> list[str]:
    """Sets of questions and answers, then those that only ask for documents."""
    names = datasets.known_sets(folder)
    if CROSS_TOPIC_SOURCE in names:
        names.append(CROSS_TOPIC)
    return [*names, *retrieval_sets.known_sets(folder)]


def evaluate(
    data: str | None, names: Sequence[str], *, per_language: int | None, report: Progress
) -> dict[str, Figures]:
    """Figures by set. Raises ``DataMissing`` before anything is asked."""
    folder = datasets.data_folder(data)
    if unknown := sorted(set(names) - set(known(folder))):
        known_names = ", ".join(known(folder)) or "none"
        raise DataMissing(f"Unknown: {', '.join(unknown)}. The sets in {folder}: {known_names}.")
    cast = prepare_cast()
    return {
        name: _of_set(folder, name, cast, per_language=per_language, report=report)
        for name in dict.fromkeys(names)
    }


def _of_set(
    folder: Path, name: str, cast: Cast, *, per_language: int | None, report: Progress
) -> Figures:
    def measured(make: Make, source: str) -> Figures:
        exam = make(datasets.load(folder, source), per_language)
        if exam.left_out:
            report(f"{name}: {exam.left_out} questions left out, no page is long enough for them")
        return figures.of_set(runner.run(exam, cast, report=report))

    def retrieved() -> Figures:
        wanted = retrieval_sets.load(folder, name, per_group=per_language)
        return retrieval_figures.of_set(retrieval.run(wanted, cast.writer, report=report))

    if name in retrieval_sets.known_sets(folder):
        return retrieved()
    if name == CROSS_TOPIC:
        return measured(page_sets.cross_topic, CROSS_TOPIC_SOURCE)
    found = measured(page_sets.joined, name)
    if name in ALSO_RETRIEVAL:
        retrieval_figures.add_to(found, retrieved())
    if name in WITH_PARAGRAPH:
        found["paragraph"] = measured(page_sets.by_paragraph, name)
    return found
