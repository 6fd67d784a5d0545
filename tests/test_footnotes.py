"""One numbering for all sources of an answer."""

from __future__ import annotations

from uuid import UUID

from memory.types import Check, CheckedClaim, Citation, ClaimChecks
from memory.verification.footnotes import join_claims, number_footnotes

DOC = UUID(int=1)


def cite(chunk: int, start: int = 0) -> Citation:
    return Citation(DOC, 1, UUID(int=chunk), chunk * 100 + start, chunk * 100 + start + 5, "quote")


def claim(text: str, *citations: Citation) -> CheckedClaim:
    return CheckedClaim(text, citations, ClaimChecks(Check.OK))


def test_fc_13_four_markers_share_three_sources() -> None:
    answer = number_footnotes(
        [claim("A.", cite(9)), claim("B.", cite(4)), claim("C.", cite(4)), claim("D.", cite(5))]
    )
    assert answer.text == "A. [1] B. [2] C. [2] D. [3]"
    assert [noted.numbers for noted in answer.claims] == [(1,), (2,), (2,), (3,)]
    assert [(note.n, note.citation.chunk_id.int) for note in answer.footnotes] == [
        (1, 9),
        (2, 4),
        (3, 5),
    ]


def test_spec_example_reads_as_a_sentence_with_its_marker() -> None:
    answer = number_footnotes([claim("Overtime must not exceed 12 hours per week.", cite(1))])
    assert answer.text == "Overtime must not exceed 12 hours per week. [1]"


def test_two_places_of_one_chunk_are_two_footnotes() -> None:
    answer = number_footnotes([claim("A.", cite(4)), claim("B.", cite(4, 50), cite(4))])
    assert answer.text == "A. [1] B. [2] [1]"
    assert len(answer.footnotes) == 2


def test_same_place_through_two_chunks_is_one_footnote() -> None:
    twin = Citation(DOC, 1, UUID(int=77), 400, 405, "quote")
    answer = number_footnotes([claim("A.", cite(4), twin)])
    assert [note.citation.chunk_id.int for note in answer.footnotes] == [4]
    assert answer.claims[0].numbers == (1,)


def test_no_claims_make_no_text() -> None:
    answer = number_footnotes([])
    assert (answer.text, answer.footnotes) == ("", ())


def test_code_stands_by_itself() -> None:
    assert join_claims(["Run it. [1]", "```sh\nrun\n``` [1]", "Wait. [1]"]) == (
        "Run it. [1]\n```sh\nrun\n``` [1]\nWait. [1]"
    )
