from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from memory.backends.encoders.fake import FakeEncoder
from memory.backends.generators.extractive import ExtractiveGenerator
from memory.backends.judges.embedded import EmbeddedJudge
from memory.errors import VectorsInvalid
from memory.reading.coverage import unmet
from memory.reading.parts import best_for
from memory.reading.reader import CLOSE_PASSAGES, read
from memory.reading.records import WITHOUT_WORDS, Reading
from memory.reading.sentence_vectors import encode_sentences
from memory.types import Draft, Passage

DOC = uuid.uuid5(uuid.NAMESPACE_URL, "test")


def passage(text: str, number: int = 1, **more: object) -> Passage:
    fields: dict[str, object] = {"language": "en", "doc_title": "Page"} | more
    return Passage(
        number=number,
        doc_id=DOC,
        revision=1,
        chunk_id=uuid.uuid5(DOC, str(number)),
        text=text,
        char_start=0,
        **fields,  # type: ignore[arg-type]
    )


def draft(question: str, *passages: Passage) -> tuple[Draft, Reading]:
    reading = read(question, passages, None)
    return ExtractiveGenerator().draft(question, passages, reading), reading


def quotes(found: Draft) -> list[str]:
    return [span.quote or "" for claim in found.claims for span in claim.spans]


OVERTIME = passage(
    "Art. 107 Overtime\nOvertime shall not exceed 12 hours per week. Rest is 11 hours."
)
INVOICES = passage(
    "Invoice approval\nInvoices above 5,000 euros are approved by the head of finance.\n"
    "Payment terms are 30 days.",
    2,
)


class Cache(dict[str, bytes]):
    def get_many(self, keys: Sequence[str]) -> Mapping[str, bytes]:
        return {key: self[key] for key in keys if key in self}

    def set_many(self, values: Mapping[str, bytes]) -> None:
        self.update(values)


def test_every_sentence_slices_its_passage_exactly() -> None:
    passages = (OVERTIME, INVOICES, passage("🙂 Ünïcode 🙂. Zwei.\nA\tB\n1\t2", 3))
    by_number = {p.number: p.text for p in passages}
    reading = read("overtime hours", passages, FakeEncoder())
    assert len(reading.sentences) > 6
    for sentence in reading.sentences:
        assert by_number[sentence.passage][sentence.start : sentence.end] == sentence.text


def test_sentences_come_best_first() -> None:
    scores = [
        s.score for s in read("overtime hours per week", (OVERTIME, INVOICES), None).sentences
    ]
    assert scores == sorted(scores, reverse=True)


def test_quote_is_the_exact_slice_and_claim_reads_as_it() -> None:
    found, _ = draft("How many hours of overtime per week?", OVERTIME, INVOICES)
    (claim,) = found.claims
    (span,) = claim.spans
    assert claim.text == span.quote == "Overtime shall not exceed 12 hours per week."
    assert OVERTIME.text[span.char_start : span.char_end] == span.quote


def test_abbreviation_is_answered_from_the_linked_page() -> None:
    home = passage("Overtime policy\nOvertime needs approval. The limit is set by Decree 145.", 3)
    found, _ = draft("What's the maximum OT per week?", home, OVERTIME)
    assert quotes(found)[0] == "Overtime shall not exceed 12 hours per week."


@pytest.mark.parametrize("question", ["What is a prime number?", "What's the capital of France?"])
def test_fc_20_question_of_another_topic_scores_far_below_the_gate(question: str) -> None:
    found, reading = draft(question, INVOICES)
    judged = EmbeddedJudge().answers(
        question, "any", quotes(found) or ["Payment terms are 30 days."], reading
    )
    assert judged is not None
    assert judged < 0.5


def test_fc_20_reply_that_rests_on_no_sentence_read_scores_zero() -> None:
    reading = read("What is a prime number?", (INVOICES,), None)
    assert EmbeddedJudge().answers("q", "a", ["words from elsewhere"], reading) == 0.0


def test_fc_60_table_row_is_found_by_its_column_name_and_quoted_exactly() -> None:
    rows = "\n".join(f"V-{n:03}\tL{n % 7}\t{5 + n % 14} bar\t2025-01-01" for n in range(60, 120))
    table = passage(rows, header="Valve\tLine\tMax pressure\tChecked", doc_title="Valves")
    found, _ = draft("What is the maximum pressure of V-097?", table)
    (quote,) = quotes(found)
    assert quote.startswith("V-097\t")
    assert table.text[found.claims[0].spans[0].char_start :].startswith(quote)
    assert found.claims[0].text == "V-097 — Line L6 · Max pressure 18 bar · Checked 2025-01-01"


def test_heading_gives_context_and_is_not_the_answer() -> None:
    found, _ = draft(
        "Who do I call when production is down?",
        passage(
            "When production is down\nPage the on-call engineer. Then phone Maria.\nLunch\nLunch is at noon."
        ),
    )
    assert quotes(found)[0] != "When production is down"


def test_double_question_gives_two_claims() -> None:
    found, _ = draft(
        "Who approves invoices above 5,000 euros and what are the payment terms?", INVOICES
    )
    assert quotes(found) == [
        "Invoices above 5,000 euros are approved by the head of finance.",
        "Payment terms are 30 days.",
    ]
    assert found.missing == ()


def test_part_of_a_double_question_that_nothing_meets_is_named() -> None:
    found, _ = draft("What are the payment terms and who won the football cup?", INVOICES)
    assert quotes(found) == ["Payment terms are 30 days."]
    assert found.missing == ("who won the football cup",)


def test_bullet_is_trimmed_from_the_claim_but_kept_in_the_quote() -> None:
    found, _ = draft(
        "When is the deadline?", passage("• The deadline is Friday.\n• Lunch is at noon.")
    )
    assert found.claims[0].text == "The deadline is Friday."
    assert quotes(found)[0] == "• The deadline is Friday."


def test_many_passages_leave_the_farthest_unread_and_say_so() -> None:
    fillers = [passage(f"Pumps and belts move crates in hall {n}.", n) for n in range(1, 60)]
    reading = read(
        "What is the gate code?", [*fillers, passage("The gate code is 7391.", 60)], None
    )
    assert reading.unread == 60 - CLOSE_PASSAGES
    assert reading.sentences[0].text == "The gate code is 7391."


def test_fc_64_answer_on_the_last_line_of_a_very_long_page_is_found() -> None:
    words = "pump valve hall shift belt crane store gate lift panel route order".split()
    text = "\n".join(
        " ".join(words[(n * 7 + k * 5) % len(words)] for k in range(45)).capitalize() + "."
        for n in range(1200)
    )
    lines = text.split("\n")
    chunks = ["\n".join(lines[at : at + 6]) for at in range(0, len(lines), 6)]
    passages = [passage(chunk, n) for n, chunk in enumerate([*chunks, "The gate code is 7391."], 1)]
    assert (
        read("What is the gate code?", passages, None).sentences[0].text == "The gate code is 7391."
    )


def test_empty_passages_read_as_nothing() -> None:
    for passages in ((), (passage(""),), (passage(" \n "),)):
        reading = read("What?", passages, FakeEncoder())
        assert reading.sentences == ()
        assert reading.probability == 0.0
        assert ExtractiveGenerator().draft("What?", passages, reading) == Draft()


def test_question_without_words_reads_without_error() -> None:
    assert read("?!", (OVERTIME,), FakeEncoder()).probability < 0.7


def test_reading_twice_gives_the_same() -> None:
    first = read("overtime hours", (OVERTIME, INVOICES), FakeEncoder())
    again = read("overtime hours", (OVERTIME, INVOICES), FakeEncoder())
    assert first.sentences == again.sentences
    assert first.probability == again.probability


def test_vectors_of_an_unknown_recipe_are_judged_by_words() -> None:
    assert read("overtime", (OVERTIME,), FakeEncoder()).probability == pytest.approx(
        read("overtime", (OVERTIME,), None).probability
    )


# -- vectors of sentences ---------------------------------------------------------------------


class Counting(FakeEncoder):
    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def encode_passages(self, texts: Sequence[str]) -> np.ndarray:
        if not hasattr(self, "texts"):
            return super().encode_passages(texts)
        self.texts += texts
        return super().encode_passages(texts)


def test_sentences_are_encoded_once_per_tenant() -> None:
    encoder, cache = Counting(), Cache()
    first = encode_sentences(encoder, ["a b", "c d", "a b"], scope="t1", cache=cache)
    assert encoder.texts == ["a b", "c d"]
    again = encode_sentences(encoder, ["c d", "a b"], scope="t1", cache=cache)
    assert encoder.texts == ["a b", "c d"]
    assert np.array_equal(first[:2], again[::-1])
    encode_sentences(encoder, ["a b"], scope="t2", cache=cache)
    assert encoder.texts[-1] == "a b"
    assert all(key.startswith(("sentence:t1:", "sentence:t2:")) for key in cache)


def test_warm_and_cold_cache_give_the_same_vectors() -> None:
    cache = Cache()
    texts = ["Overtime shall not exceed 12 hours.", "x"]
    cold = encode_sentences(FakeEncoder(), texts, cache=cache)
    warm = encode_sentences(FakeEncoder(), texts, cache=cache)
    assert np.array_equal(cold, warm)
    assert np.array_equal(cold, encode_sentences(FakeEncoder(), texts))


def test_damaged_cache_entry_is_encoded_anew() -> None:
    cache = Cache()
    good = encode_sentences(FakeEncoder(), ["a"], cache=cache)
    cache[next(iter(cache))] = b"short"
    assert np.array_equal(encode_sentences(FakeEncoder(), ["a"], cache=cache), good)


@pytest.mark.parametrize("rows", [[[np.nan] * 64], [[0.0] * 64], [[1.0] * 64], [[1.0]]])
def test_vectors_that_are_not_finite_unit_rows_are_refused(rows: list[list[float]]) -> None:
    class Broken(FakeEncoder):
        def encode_passages(self, texts: Sequence[str]) -> np.ndarray:
            return np.array(rows, np.float32)

    with pytest.raises(VectorsInvalid):
        encode_sentences(Broken(), ["a"])


OVERTIME_PAY = passage(
    "What it pays\nWhen\tRate of the hourly wage\nWorking day\t150 %\nPublic holiday or Tết\t300 %",
    doc_title="Overtime policy",
)


def test_content_comes_before_a_sentence_that_points_to_it() -> None:
    pointer = "If you must work on a public holiday, the Overtime policy applies."
    leave = passage(f"Public holidays\n{pointer}", 2, doc_title="Leave and holidays")
    question = "What is paid for overtime on a public holiday?"
    found, _ = draft(question, leave, OVERTIME_PAY)
    assert quotes(found)[0] == "Public holiday or Tết\t300 %"
    assert pointer not in quotes(found)


def test_pointer_alone_is_no_answer() -> None:
    pointer = "If you must work on a public holiday, the Overtime policy applies."
    question = "What is paid for overtime on a public holiday?"
    found, reading = draft(question, passage(pointer, doc_title="Overtime policy"))
    assert (found.claims, reading.probability) == ((), 0.0)


def test_word_is_met_without_its_accents() -> None:
    found, reading = draft("What is the overtime rate at Tet?", OVERTIME_PAY)
    assert quotes(found) == ["Public holiday or Tết\t300 %"]
    assert unmet(reading.sentences[0], reading) == ()


def test_sentence_that_refers_back_is_about_what_the_one_before_names() -> None:
    ledger = passage(
        "The ledger service uses Postgres with row security. It is owned by the billing team."
    )
    found, reading = draft("Who owns the ledger service?", ledger, INVOICES)
    assert reading.sentences[0].text == "It is owned by the billing team."
    assert reading.about[reading.sentences[0].row] == 1.0
    [claim] = found.claims
    assert (claim.text, quotes(found)) == (ledger.text, [ledger.text])


def test_sentence_that_refers_back_to_another_passage_is_told_with_what_it_means() -> None:
    first = passage("The ledger service uses Postgres with row security.")
    second = passage("It is owned by the billing team.", 3)
    second = replace(second, char_start=len(first.text) + 1)
    found, _ = draft("Who owns the ledger service?", second, INVOICES, first)
    assert [claim.text for claim in found.claims] == [first.text, second.text]


def test_answer_that_shares_no_word_with_the_question_is_hardly_believed() -> None:
    _, reading = draft("When is breakfast served?", OVERTIME, INVOICES)
    assert reading.wordless.all()
    _, reading = draft("What are the payment terms?", OVERTIME, INVOICES)
    best = [reading.sentences[0].row]
    assert reading.answer_probability(best) > WITHOUT_WORDS
    without = replace(reading, wordless=np.ones_like(reading.wordless))
    assert without.answer_probability(best) == WITHOUT_WORDS


def test_sentence_that_does_not_answer_a_part_by_itself_leaves_it_open() -> None:
    question = "Who approves invoices above 5,000 euros and what are the payment terms?"
    _, reading = draft(question, INVOICES)
    part = "what are the payment terms?"
    assert best_for(part, reading) is not None
    alone = reading.of_parts[part]
    doubted = replace(alone, wordless=np.ones_like(alone.wordless))
    assert best_for(part, replace(reading, of_parts={part: doubted})) is None


def test_words_of_two_languages_are_not_compared() -> None:
    _, reading = draft("Wann wird das Frühstück in der Kantine serviert?", OVERTIME, INVOICES)
    assert reading.is_foreign
    assert not reading.wordless.any()


def test_sentence_about_another_than_the_one_named_elsewhere_is_no_part_of_an_answer() -> None:
    badge = passage("A lost badge costs 10 USD.", 1)
    heron = passage("The Heron measures the water level.", 2)
    assert draft("How much does the Heron cost?", badge, heron)[0] == Draft()
    known = passage("A lost Heron costs 10 USD.", 1)
    found, _ = draft("How much does the Heron cost?", known, heron)
    assert quotes(found) == ["A lost Heron costs 10 USD."]


def test_same_sentence_on_two_pages_is_said_once_and_cited_twice() -> None:
    one, other = passage("The depot opens at 8."), passage("• The depot opens at 8", 2)
    found, _ = draft("When does the depot open?", one, other)
    assert len(found.claims) == 1
    assert {span.passage for span in found.claims[0].spans} == {1, 2}
    turned = passage("The depot opens at 18 and closes at 8.", 2)
    found, _ = draft(
        "When does the depot open?", passage("The depot opens at 8 and closes at 18."), turned
    )
    assert all(len(claim.spans) == 1 for claim in found.claims)


@pytest.mark.parametrize(
    ("question", "is_answered"),
    [
        ("When is the next release?", False),
        ("Wann ist die nächste Release?", False),
        ("When was the release?", True),
    ],
)
def test_what_comes_next_is_not_over(question: str, is_answered: bool) -> None:
    page = passage("The release is on 2025-05-28.")
    reading = read(question, [page], None, today=date(2026, 11, 30))
    assert bool(reading.probability) == is_answered
    assert read(question, [page], None, today=date(2025, 5, 1)).probability > 0.0
