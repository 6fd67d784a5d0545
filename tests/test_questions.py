from __future__ import annotations

import pytest

from memory.reading.questions import AnswerType, analyse, answer_type, parts


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What's the maximum OT per week?", AnswerType.NUMBER),
        ("How many days may I carry over?", AnswerType.NUMBER),
        ("When was the office opened?", AnswerType.TIME),
        ("Who do I call?", AnswerType.PERSON),
        ("Where is the depot?", AnswerType.PLACE),
        ("Why are badges personal?", AnswerType.REASON),
        ("How do I reset my token?", AnswerType.MANNER),
        ("Wie viele Tage?", AnswerType.NUMBER),
        ("Wo ist das Lager?", AnswerType.PLACE),
        ("加班每周不得超过多少小时？", AnswerType.NUMBER),
        ("何年に開業しましたか", AnswerType.TIME),
        ("Ai phê duyệt?", AnswerType.PERSON),
        ("كم ساعة في الأسبوع؟", AnswerType.NUMBER),
        ("यह कहाँ है?", AnswerType.PLACE),
        ("Tell me about badges", AnswerType.OTHER),
    ],
)
def test_answer_type_by_question_words(question: str, kind: AnswerType) -> None:
    assert answer_type(question) is kind


def test_terms_leave_out_function_words_and_keep_offsets() -> None:
    question = analyse("What is the maximum pressure of V-097?", "en")
    assert "v-097" in {term.stem for term in question.terms}
    assert not {"what", "is", "the", "of"} & {term.folded for term in question.terms}
    assert all(
        question.text[term.start : term.end].casefold().startswith(term.folded[:1])
        for term in question.terms
    )


def test_asking_words_of_unspaced_script_leave_no_terms() -> None:
    stems = {term.stem for term in analyse("加班每周不得超过多少小时？", "zh").terms}
    assert "加班" in stems
    assert "小时" in stems
    assert not any("多" in stem for stem in stems)


def test_names_are_capitals_inside_the_question_and_acronyms() -> None:
    question = analyse("What does Anna owe under PTO in 2025?", "en")
    assert question.names == ("Anna", "PTO")
    assert question.numbers == ("2025",)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Wie viele Stunden darf Anna im Büro arbeiten?", ()),  # all nouns are capitalised
        ("Wie lautet POL-0054?", ("POL-0054",)),
        ("What Is The Maximum Overtime Per Week?", ()),
        ("who is Maria?", ("Maria",)),
        ("What are SLAs?", ("SLAs",)),
    ],
)
def test_capitals_that_tell_nothing_are_no_names(question: str, names: tuple[str, ...]) -> None:
    assert analyse(question).names == names


@pytest.mark.parametrize(
    ("question", "pieces"),
    [
        (
            "What is the fee and who approves it?",
            ("What is the fee", "who approves it?"),
        ),
        ("How much is it? When is it due?", ("How much is it?", "When is it due?")),
        ("Was kostet es und wer zahlt?", ("Was kostet es", "wer zahlt?")),
        ("Who approves terms and conditions?", ("Who approves terms and conditions?",)),
        ("费用多少？谁批准？", ("费用多少？", "谁批准？")),
    ],
)
def test_parts_of_a_double_question(question: str, pieces: tuple[str, ...]) -> None:
    assert parts(question) == pieces


@pytest.mark.parametrize(
    "question",
    ["How and when did it enter Europe?", "Wie und wann kam es nach Europa?", "Why? Why not?"],
)
def test_word_that_asks_beside_another_is_no_question_of_its_own(question: str) -> None:
    assert parts(question) == (question,)
