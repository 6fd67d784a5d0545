"""Claims against the words that they cite."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import pytest

from memory.errors import InvalidRange
from memory.types import Check, CheckedClaim, Draft, DraftClaim, DraftSpan, Passage
from memory.verification.verify import verify

DOC = UUID(int=1)
OVERTIME = "Scope of the rule. Overtime must not exceed 12 hours per week. Ask the desk."


def passage(text: str, number: int = 1, *, char_start: int = 100, **fields: Any) -> Passage:
    return Passage(
        number=number,
        doc_id=DOC,
        doc_title=str(fields.pop("doc_title", "Rules")),
        revision=3,
        chunk_id=UUID(int=1000 + number),
        text=text,
        char_start=char_start,
        **fields,
    )


def check(
    claim: str,
    text: str,
    quote: str | None = None,
    *,
    says: float | None = None,
    **fields: Any,
) -> CheckedClaim:
    draft = Draft((DraftClaim(claim, (DraftSpan(1, quote=quote or text),)),))
    judge = None if says is None else lambda claim, quotes: says
    (checked,) = verify(draft, [passage(text, **fields)], judge_says=judge)
    return checked


def test_quote_becomes_a_citation_in_page_offsets() -> None:
    quote = "Overtime must not exceed 12 hours per week."
    checked = check(quote, OVERTIME, quote)
    (citation,) = checked.citations
    assert (citation.char_start, citation.char_end) == (119, 162)
    assert citation.quote == quote
    assert OVERTIME[citation.char_start - 100 : citation.char_end - 100] == quote
    assert (citation.doc_id, citation.revision, citation.chunk_id) == (DOC, 3, UUID(int=1001))
    assert checked.supported


def test_stated_range_without_quote_is_widened_to_words() -> None:
    text = "Overtime is capped. The cap of the week is 12 hours per week."
    start = text.index("2 hours")
    draft = Draft((DraftClaim("The cap is 2 hours.", (DraftSpan(1, start, start + 7),)),))
    (checked,) = verify(draft, [passage(text)])
    assert checked.citations[0].quote == "12 hours"
    assert checked.checks.figures is Check.FAILED


@pytest.mark.parametrize(("start", "end"), [(-1, -1), (1200, 1280), (5, 5), (9, 3), (0, 10_000)])
def test_bad_range_without_quote_rejects_the_draft(start: int, end: int) -> None:
    draft = Draft((DraftClaim("Overtime is capped.", (DraftSpan(1, start, end),)),))
    with pytest.raises(InvalidRange):
        verify(draft, [passage(OVERTIME)])


def test_quote_decides_where_the_range_is_bad() -> None:
    span = DraftSpan(1, 1200, 1280, quote="Ask the desk.")
    (checked,) = verify(Draft((DraftClaim("Ask the desk.", (span,)),)), [passage(OVERTIME)])
    assert checked.supported


def test_offsets_break_ties_of_a_repeated_quote() -> None:
    text = "The fee is 20 euros.\nThe fee is 20 euros."
    claim = "The fee is 20 euros."
    for start in (0, 21):
        span = DraftSpan(1, start, start + 20, quote=claim)
        (checked,) = verify(Draft((DraftClaim(claim, (span,)),)), [passage(text)])
        assert checked.citations[0].char_start == 100 + start
    (checked,) = verify(Draft((DraftClaim(claim, (DraftSpan(1, quote=claim),)),)), [passage(text)])
    assert not checked.supported


def test_passage_that_was_not_offered_is_no_source() -> None:
    draft = Draft((DraftClaim("Ask the desk.", (DraftSpan(9, quote="Ask the desk."),)),))
    (checked,) = verify(draft, [passage(OVERTIME)])
    assert checked.citations == ()
    assert checked.checks.quote is Check.FAILED


def test_claim_without_spans_is_uncited() -> None:
    (checked,) = verify(Draft((DraftClaim("Ask the desk.", ()),)), [passage(OVERTIME)])
    assert not checked.supported
    assert checked.unsupported == ("Ask", "desk")


@pytest.mark.parametrize(
    ("quote", "is_found"),
    [
        ('Fares are "non-refundable" once booked.', True),
        ('Fares are "refundable" once booked.', False),
        ('Fares are "non-refundable" twice booked.', False),
    ],
)
def test_fc_09_plain_quote_of_a_typographic_page(quote: str, is_found: bool) -> None:
    text = "Fares are “non\u2011refundable” once booked. Ask."
    checked = check("Fares are non-refundable once booked.", text, quote)
    assert bool(checked.citations) is is_found
    if is_found:
        assert checked.citations[0].quote == "Fares are “non\u2011refundable” once booked."


def test_fc_07_one_place_cited_through_two_chunks_is_listed_once() -> None:
    first = passage("One. Overtime is capped.", 1, char_start=0)
    second = passage("Overtime is capped. Two.", 2, char_start=5)
    quote = "Overtime is capped."
    spans = (DraftSpan(1, quote=quote), DraftSpan(2, quote=quote))
    (checked,) = verify(Draft((DraftClaim(quote, spans),)), [first, second])
    assert [(c.char_start, c.char_end) for c in checked.citations] == [(5, 24)]


def test_fc_20_unrelated_citation_is_no_source() -> None:
    checked = check(
        "A prime number is a natural number greater than 1 that only 1 and itself divide.",
        "Every invoice carries a number.",
    )
    assert checked.citations == ()


@pytest.mark.parametrize(
    ("claim", "text", "named"),
    [
        ("The legal age is 62.", "The legal age is 64.", "62"),
        ("Overtime is 12 days.", "Overtime is 12 hours.", "12 days"),
        ("Leave ends on 1 May 2024.", "Leave ends on 31 March 2024.", "1 May 2024"),
        ("The discount is 40%.", "The discount is 45%.", "40%"),
    ],
)
def test_fc_21_wrong_figure_fails_and_is_named(claim: str, text: str, named: str) -> None:
    checked = check(claim, text, says=1.0)
    assert checked.checks.figures is Check.FAILED
    assert named in checked.unsupported
    assert not checked.supported


def test_fc_21_wrong_name_fails_and_is_named() -> None:
    checked = check("Trips are approved by Lopez.", "Trips are approved by Berger.", says=1.0)
    assert checked.checks.names is Check.FAILED
    assert "Lopez" in checked.unsupported


@pytest.mark.parametrize(
    ("claim", "negation"),
    [
        ("Badges must be lent to visitors.", Check.FAILED),
        ("Badges must not be lent to visitors.", Check.OK),
        ("Visitors may not borrow badges.", Check.OK),
    ],
)
def test_fc_22_negation(claim: str, negation: Check) -> None:
    checked = check(claim, "Badges must not be lent to visitors.")
    assert checked.checks.negation is negation


def test_fc_22_one_denial_more_in_the_same_words_fails() -> None:
    text = "Badges that are not worn must be returned."
    checked = check("Badges that are not worn must not be returned.", text)
    assert checked.checks.negation is Check.FAILED


def test_fc_22_quote_that_leaves_out_the_not_is_read_in_its_sentence() -> None:
    checked = check(
        "be lent to visitors", "Badges must not be lent to visitors.", "be lent to visitors"
    )
    assert checked.checks.negation is Check.FAILED


def test_fc_22_each_clause_is_read_by_itself() -> None:
    text = "Badges must not be lent to visitors, but contractors may borrow badges."
    assert check("Contractors may borrow badges.", text).checks.negation is Check.OK
    assert check("Badges must be lent to visitors.", text).checks.negation is Check.FAILED


def test_item_of_a_list_is_read_with_the_line_that_opens_it() -> None:
    text = "The following are not allowed:\nPets\nSmoking\nAsk the desk."
    assert check("Smoking is not allowed.", text, "Smoking").checks.negation is Check.OK
    assert check("Smoking is allowed.", text, "Smoking").checks.negation is Check.FAILED
    assert check("Ask the desk.", text, "Ask the desk.").supported


def test_verbatim_sentence_passes_without_the_judge() -> None:
    def never(claim: str, quotes: Sequence[str]) -> float | None:
        raise AssertionError("a verbatim claim needs no judge")

    quote = "Overtime must not exceed 12 hours per week."
    draft = Draft((DraftClaim(quote, (DraftSpan(1, quote=quote),)),))
    (checked,) = verify(draft, [passage(OVERTIME)], judge_says=never)
    assert checked.checks.judge is Check.OK
    assert checked.unsupported == ()


def test_verbatim_row_may_be_set_apart_by_dots() -> None:
    checked = check("V-097 · 14 · steel", "V-096\t12\tiron\nV-097\t14\tsteel", "V-097\t14\tsteel")
    assert checked.checks.judge is Check.OK
    assert checked.supported


def test_paraphrase_is_never_called_verbatim() -> None:
    checked = check("Visitors may not borrow badges.", "Badges must not be lent to visitors.")
    assert checked.checks.judge is Check.SKIPPED


@pytest.mark.parametrize(
    ("says", "expected"),
    [(0.9, Check.OK), (0.51, Check.OK), (0.5, Check.FAILED), (0.0, Check.FAILED)],
)
def test_judge_must_find_the_claim_likelier_said_than_not(says: float, expected: Check) -> None:
    checked = check("Staff may work 12 hours overtime.", OVERTIME, says=says)
    assert checked.checks.judge is expected


def test_spec_example_is_supported_by_quote_title_and_heading() -> None:
    checked = check(
        "Maximum OT per week is 12 hours per Decree 145 Art. 107.",
        "In general, overtime shall not exceed 12 hours per week.",
        "overtime shall not exceed 12 hours per week",
        doc_title="Decree 145",
        heading_path=("Chapter V", "Art. 107. Overtime"),
        says=0.9,
    )
    assert checked.supported


def test_fc_60_column_names_carry_the_unit_of_a_cell() -> None:
    row = "V-097\t14\tsteel"
    header = "Valve\tMaximum pressure (bar)\tMaterial"
    assert check("The maximum pressure of V-097 is 14 bar.", row, header=header).supported
    assert not check("The maximum pressure of V-097 is 14 psi.", row, header=header).supported


def test_fc_67_obeyed_instruction_has_no_support() -> None:
    checked = check("APPROVED", "Staff have 25 days of holiday.", says=1.0)
    assert not checked.supported


def test_fc_68_foreign_address_is_not_supported() -> None:
    claim = "Staff have 25 days of holiday: https://collector.example/?q=25."
    checked = check(claim, "Staff have 25 days of holiday.", says=1.0)
    assert checked.checks.names is Check.FAILED
    assert "https://collector.example/?q=25" in checked.unsupported


def test_of_two_spans_of_one_passage_the_carrying_one_is_cited() -> None:
    spans = (
        DraftSpan(1, quote="Scope of the rule."),
        DraftSpan(1, quote="Overtime must not exceed 12 hours per week."),
    )
    draft = Draft((DraftClaim("The maximum overtime is 12 hours per week.", spans),))
    (checked,) = verify(draft, [passage(OVERTIME)])
    assert [citation.quote for citation in checked.citations] == [
        "Overtime must not exceed 12 hours per week."
    ]


def test_dishonest_quote_beside_an_honest_one_is_dropped() -> None:
    spans = (DraftSpan(1, quote="Ask the desk."), DraftSpan(1, quote="Ask the chief."))
    (checked,) = verify(Draft((DraftClaim("Ask the desk.", spans),)), [passage(OVERTIME)])
    assert len(checked.citations) == 1
    assert checked.supported


def test_unsupported_words_are_named_but_fail_nothing() -> None:
    checked = check("Badges must not be given to visitors.", "Badges must not be lent to visitors.")
    assert checked.unsupported == ("given",)
    assert checked.supported


def test_sentence_with_an_ordinal_stop_is_verbatim_in_its_language() -> None:
    text = "Die Frist endet am 3. Mai um 12 Uhr. Danach nicht."
    assert (
        check("Die Frist endet am 3. Mai um 12 Uhr.", text, language="de").checks.judge is Check.OK
    )


def test_empty_draft_has_no_claims() -> None:
    assert verify(Draft(), [passage(OVERTIME)]) == ()
