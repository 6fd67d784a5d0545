"""A model's reply becomes a draft, or is unreadable; it is never guessed at."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

import pytest

from memory.errors import FailureKind, UnreadableReply
from memory.types import Draft, DraftSpan, Passage
from memory.verification.replies import parse_reply
from memory.verification.verify import verify

D1, D2 = UUID(int=1), UUID(int=2)
CAP = "The cap is 12 hours per week."
CITATION = {"doc_id": "D1", "chunk_id": "C1", "char_start": 0, "char_end": 29}


def passage(number: int, text: str, doc_id: UUID = D1) -> Passage:
    return Passage(
        number=number,
        doc_id=doc_id,
        doc_title="Rules",
        revision=1,
        chunk_id=UUID(int=1000 + number),
        text=text,
        char_start=0,
        language="en",
    )


PASSAGES = [passage(1, f"{CAP} Ask the desk."), passage(2, "Rest is 11 hours.", D2)]


def reply(**fields: Any) -> str:
    return json.dumps({"answer": CAP, "confidence_score": 0.9, "citations": [CITATION]} | fields)


def parse(raw: str, **options: Any) -> Draft:
    return parse_reply(raw, PASSAGES, **options)


def texts(draft: Draft) -> list[str]:
    return [claim.text for claim in draft.claims]


def test_reply_becomes_claims_with_spans() -> None:
    draft = parse(reply())
    assert texts(draft) == [CAP]
    assert draft.claims[0].spans == (DraftSpan(1, 0, 29),)
    assert draft.confidence == 0.9


@pytest.mark.parametrize(
    "around",
    [
        "```json\n{}\n```\nSee [docs] for more.",
        "{}\n\nReferences: [1]",
        "Here you are: {} Note {{1}}.",
        "{}",
        "\ufeff  {}",
        "{}\n{}",
        '<think>Is it {{"answer": "10 hours"}}?</think>{}',
    ],
)
def test_fc_15_prose_around_the_object_is_left_out(around: str) -> None:
    raw = around.replace("{{", "\x00").replace("}}", "\x01").replace("{}", reply())
    assert parse(raw.replace("\x00", "{").replace("\x01", "}")) == parse(reply())


def test_fc_15_two_different_objects_are_unreadable() -> None:
    with pytest.raises(UnreadableReply) as caught:
        parse(reply() + "\n" + reply(answer="The cap is 10 hours per week."))
    assert caught.value.kind is FailureKind.UNREADABLE


def test_fc_16_fence_inside_a_string_is_part_of_the_string() -> None:
    answer = "Start the job with the block below.\n```sh\nrun job\n```\nThen wait."
    draft = parse("```json\n" + reply(answer=answer) + "\n```")
    assert texts(draft) == [
        "Start the job with the block below.",
        "```sh\nrun job\n```",
        "Then wait.",
    ]


@pytest.mark.parametrize(
    "citations",
    [
        [CITATION],
        json.dumps([CITATION]),
        {"0": CITATION},
        CITATION,
        [CITATION | {"char_start": "0", "char_end": "29"}],
        [CITATION | {"char_start": 0.0, "char_end": 29.0}],
        [CITATION, dict(CITATION)],
        [CITATION | {"quote": None}],
        [CITATION | {"doc_id": str(D1), "chunk_id": str(UUID(int=1001))}],
        [CITATION | {"doc_id": "d1", "chunk_id": " c1 "}],
        [CITATION | {"doc_id": None, "chunk_id": 1}],
    ],
)
def test_fc_17_same_list_in_another_form_is_decoded(citations: Any) -> None:
    assert parse(reply(citations=citations)) == parse(reply())


@pytest.mark.parametrize(
    "citations", [None, "D1:C1:0-29", "[", 7, [7], ["C1"], [[CITATION]], True, [CITATION] * 201]
)
def test_fc_17_what_is_no_list_is_unreadable(citations: Any) -> None:
    with pytest.raises(UnreadableReply):
        parse(reply(citations=citations))


@pytest.mark.parametrize(
    "citation",
    [
        CITATION | {"chunk_id": "C99"},
        CITATION | {"doc_id": "D2"},
        CITATION | {"doc_id": "D9"},
        CITATION | {"chunk_id": ""},
        CITATION | {"chunk_id": True},
        {"char_start": 0, "char_end": 29},
    ],
)
def test_citation_of_what_was_not_offered_is_no_source(citation: dict[str, Any]) -> None:
    draft = parse(reply(citations=[citation]))
    assert texts(draft) == [CAP]
    assert draft.claims[0].spans == ()


@pytest.mark.parametrize(
    ("start", "end"), [(-5, 3), ("x", 3), (None, None), (True, 3), (1.5, 3), ("9" * 30, 3)]
)
def test_unusable_offsets_read_as_not_stated(start: Any, end: Any) -> None:
    citation = CITATION | {"char_start": start, "char_end": end, "quote": CAP}
    (span,) = parse(reply(citations=[citation])).claims[0].spans
    assert span.char_start == -1
    assert span.quote == CAP


def test_bad_range_without_quote_is_kept_so_that_verifying_rejects_it() -> None:
    draft = parse(reply(citations=[CITATION | {"char_end": 5000}]))
    assert draft.claims[0].spans == (DraftSpan(1, 0, 5000),)


def test_fc_18_odd_markers_resolve_and_unknown_ones_leave_a_claim_uncited() -> None:
    offered = [
        *(passage(number, "Intro.") for number in (1, 2, 3)),
        passage(4, "The cap is 12 hours. Rest is 11 hours."),
        passage(5, "Nothing."),
        passage(6, "Rest is 11 hours."),
    ]
    raw = reply(
        answer="The cap is 12 hours [[4]]. Rest is 11 hours [4, 6]. Leave is 14 days [99].",
        citations=[
            {"chunk_id": "C4", "quote": "The cap is 12 hours."},
            {"chunk_id": "C4", "quote": "Rest is 11 hours."},
            {"chunk_id": "C6", "quote": "Rest is 11 hours."},
        ],
    )
    draft = parse_reply(raw, offered)
    assert texts(draft) == ["The cap is 12 hours.", "Rest is 11 hours.", "Leave is 14 days."]
    assert [{span.passage for span in claim.spans} for claim in draft.claims] == [
        {4},
        {4, 6},
        set(),
    ]
    checked = verify(draft, offered)
    assert [claim.supported for claim in checked] == [True, True, False]
    assert [citation.quote for citation in checked[0].citations] == ["The cap is 12 hours."]


def test_sentence_without_marker_takes_the_span_that_carries_it() -> None:
    both = [CITATION, {"chunk_id": "C2", "quote": "Rest is 11 hours."}]
    draft = parse(reply(answer=f"{CAP} Rest is 11 hours.", citations=both))
    assert [[span.passage for span in claim.spans] for claim in draft.claims] == [[1], [2]]


def test_fc_26_sentence_that_no_span_carries_is_uncited() -> None:
    draft = parse(reply(answer=f"{CAP} Badges are returned daily."))
    assert draft.claims[1].spans == ()


def test_line_that_opens_a_list_goes_with_its_first_item() -> None:
    draft = parse(
        reply(answer="These hold:\n- The cap is 12 hours per week. [1]\n- Ask the desk [1]")
    )
    assert texts(draft) == ["These hold:\nThe cap is 12 hours per week.", "Ask the desk"]


@pytest.mark.parametrize(
    "stated", [None, "high", 1.7, -0.1, "0.95", True, [], float("nan"), float("inf"), 10**400]
)
def test_fc_26_confidence_that_is_no_number_in_range_is_unreadable(stated: Any) -> None:
    with pytest.raises(UnreadableReply):
        parse(reply(confidence_score=stated))


def test_fc_26_missing_confidence_is_unreadable() -> None:
    with pytest.raises(UnreadableReply):
        parse(json.dumps({"answer": CAP, "citations": [CITATION]}))


@pytest.mark.parametrize("stated", [0.7, 0.6999, 0, 1])
def test_fc_26_confidence_in_range_is_kept_as_stated(stated: float) -> None:
    assert parse(reply(confidence_score=stated)).confidence == stated


@pytest.mark.parametrize(
    "raw",
    [
        "",
        "I cannot help with that.",
        "[]",
        "{}",
        '{"note": 1}',
        '{"answer": ["a"], "confidence_score": 1, "citations": []}',
        '{"answer": "a", "answer": "b", "confidence_score": 1, "citations": []}',
        reply()[:-20],
        reply().replace('"', "'"),
        "{" * 100_000,
        '{"answer": ' + "[" * 100_000,
        "x" * 200_001,
    ],
)
def test_reply_that_is_not_one_answer_is_unreadable(raw: str) -> None:
    with pytest.raises(UnreadableReply):
        parse(raw)


def test_key_stated_twice_alike_is_read_once() -> None:
    raw = reply().replace('{"answer"', '{"confidence_score": 0.9, "answer"', 1)
    assert parse(raw) == parse(reply())


@pytest.mark.parametrize(
    "raw",
    [
        '{"answer": "", "confidence_score": 0, "citations": []}',
        '{"answer": null}',
        '{"decline": true}',
        '{"answer": "Nothing.", "decline": true, "confidence_score": 0.1, "citations": []}',
        '{"answer": "Insufficient evidence.", "citations": [], "confidence_score": "low"}',
    ],
)
def test_models_own_decline_is_a_draft_without_claims(raw: str) -> None:
    assert parse(raw).claims == ()


def test_missing_keeps_words_of_the_question_only() -> None:
    raw = reply(missing=["the Sunday rate", "<b>cap</b>", "https://collector.example", 7, ""])
    assert parse(raw, question="What is the cap and the Sunday rate?").missing == (
        "the Sunday rate",
        "cap",
    )


def test_fc_68_links_and_images_never_reach_a_claim() -> None:
    answer = f"![x](https://c.example/?q=1) {CAP} [1] [More](https://c.example)."
    draft = parse(reply(answer=answer))
    assert not any("c.example" in text for text in texts(draft))
