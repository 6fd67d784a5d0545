"""Questions to the pages of a made-up company: a check that what was learnt elsewhere serves the
pages that the product is for.

    python -m bench.handbook [--lexical] [--encoder e5|minilm]

Never trained on. Each case names its pages (the asked page first, then those it links to), and words
that the cited text must hold, or null where the pages do not answer.
"""

from __future__ import annotations

import argparse
import json
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memory.backends.generators.extractive import ExtractiveGenerator
from memory.backends.judges.embedded import EmbeddedJudge
from memory.reading.reader import read
from memory.seams import Encoder
from memory.types import Passage

FILE = Path(__file__).parent / "data" / "handbook.jsonl"
THRESHOLD = 0.70  # the gate's


@dataclass(frozen=True, slots=True)
class Outcome:
    question: str
    language: str
    wanted: str | None
    quotes: tuple[str, ...]
    confidence: float
    missing: tuple[str, ...]

    @property
    def answered(self) -> bool:
        return bool(self.quotes) and self.confidence >= THRESHOLD

    @property
    def right(self) -> bool:
        if self.wanted is None:
            return not self.answered
        return self.answered and any(self.wanted in quote for quote in self.quotes)


def outcomes(encoder: Encoder | None) -> Iterator[Outcome]:
    rows = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
    pages = {row["page"]: row for row in rows if "page" in row}
    generator, judge = ExtractiveGenerator(), EmbeddedJudge()
    for row in rows:
        if "question" not in row:
            continue
        passages = list(_passages(row["pages"], pages))
        reading = read(row["question"], passages, encoder)
        draft = generator.draft(row["question"], passages, reading)
        quotes = tuple(s.quote or "" for claim in draft.claims for s in claim.spans)
        answer = " ".join(claim.text for claim in draft.claims)
        confidence = judge.answers(row["question"], answer, quotes, reading) if quotes else 0.0
        yield Outcome(
            row["question"],
            row["language"],
            row["answer"],
            quotes,
            confidence or 0.0,
            draft.missing,
        )


def _passages(names: list[str], pages: Mapping[str, dict[str, Any]]) -> Iterator[Passage]:
    """A short page is one passage, as the chunker makes it."""
    for number, name in enumerate(names, 1):
        page = pages[name]
        doc_id = uuid.uuid5(uuid.NAMESPACE_URL, name)
        yield Passage(
            number, doc_id, page["title"], 1, uuid.uuid5(doc_id, "0"), page["text"], 0,
            (page["title"],), language=page["language"], is_home=name == names[0],
        )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lexical", action="store_true", help="by words alone")
    parser.add_argument("--encoder", choices=("e5", "minilm"), default="e5")
    options = parser.parse_args()
    encoder: Encoder | None = None
    if not options.lexical and options.encoder == "e5":
        from memory.backends.encoders.e5 import E5

        encoder = E5()
    elif not options.lexical:
        from memory.backends.encoders.minilm import MiniLM

        encoder = MiniLM()
    found = list(outcomes(encoder))
    for one in found:
        mark = " " if one.right else "✗"
        print(f"{mark} {one.confidence:.2f} [{one.language}] {one.question} → {' ⏐ '.join(one.quotes)[:110]}"
              f"{'  missing: ' + ', '.join(one.missing) if one.missing else ''}"
              f"{'  wanted: ' + str(one.wanted) if not one.right else ''}")  # fmt: skip
    answers = [one for one in found if one.wanted is not None]
    declines = [one for one in found if one.wanted is None]
    print(
        f"answered rightly {sum(o.right for o in answers)}/{len(answers)}, "
        f"declined rightly {sum(o.right for o in declines)}/{len(declines)}"
    )


if __name__ == "__main__":
    main()
