"""Facts by rules: what stands alone, whom it names, when it happened, what it says against others."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.errors import InvalidMemory
from memory.facts import layout, rules
from memory.facts.causes import relation
from memory.facts.names import capitalised_inside, mentions
from memory.facts.records import Excerpt, Fact
from memory.facts.statements import Statement, are_rivals, are_twins
from memory.language.tokens import count_tokens
from memory.levels import EdgeType
from memory.retain import content, passages, scopes, wanted
from memory.retain.items import RetainItem, ScopeRule
from memory.types import BlockKind

SAID = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)


def extract(
    said: Any, *, dated: bool = True, context: str = "", language: str = "en"
) -> list[Fact]:
    told = content.read(said)
    return rules.extract(
        Excerpt(
            document=told.text,
            start=0,
            end=len(told.text),
            turns=told.turns,
            blocks=tuple(layout.blocks(told.text, told.turns)),
            context=context,
            language=language,
            said_at=SAID,
            dates_are_given=dated,
        )
    )


# -- what is a fact -------------------------------------------------------------------------------


def test_sentence_is_a_fact_and_stands_alone() -> None:
    first, second = extract("The depot opens at 7. It closes at noon.", dated=False)
    assert (first.text, first.lead) == ("The depot opens at 7.", "")
    assert (second.text, second.lead) == ("It closes at noon.", "The depot opens at 7.")


@pytest.mark.parametrize(
    ("text", "needs"),
    [
        ("Das Lager öffnet um sieben. Es schließt um zwölf.", True),
        ("Le dépôt ouvre à sept heures. Il ferme à midi.", True),
        ("Склад открывается в семь. Он закрывается в полдень.", True),
        ("仓库七点开门。它中午关门。", True),
        ("The depot opens at 7. The shop closes at noon.", False),
    ],
)
def test_sentence_that_points_back_keeps_what_it_points_at(text: str, needs: bool) -> None:
    facts = extract(text, dated=False)
    assert bool(facts[1].lead) is needs


def test_turn_keeps_the_one_before_the_speaker_the_date_and_the_context() -> None:
    facts = extract(
        [
            {"role": "user", "content": "Where is the key?"},
            {"role": "assistant", "content": "I put it into the safe."},
        ],
        context="key handover",
    )
    assert facts[1].lead == "key handover\nuser: Where is the key?\nassistant, 8 May 2023"
    assert [fact.is_experience for fact in facts] == [False, True]


def test_time_of_arrival_is_no_date_to_be_found_by() -> None:
    (fact,) = extract([{"speaker": "Ana", "content": "All is well here."}], dated=False)
    assert fact.lead == "Ana"


def test_long_turn_is_cut_between_sentences_and_goes_on_from_itself() -> None:
    said = " ".join(f"This is sentence number {n} of what was said." for n in range(40))
    facts = extract([{"speaker": "Ana", "content": said}])
    assert all(len(fact.text) <= rules.PACKED for fact in facts)
    assert " ".join(fact.text for fact in facts) == said
    assert facts[1].lead.startswith("… ")


def test_long_turn_before_is_cut_short_in_the_lead() -> None:
    facts = extract(
        [{"speaker": "A", "content": "word " * 130}, {"speaker": "B", "content": "Yes."}]
    )
    assert len(facts[-1].lead) < rules.LEAD + 40


def test_headings_are_context_and_no_facts() -> None:
    text = "# Depot\nIt opens at seven.\n```\n# no heading\n```"
    kinds = [block.kind for block in layout.blocks(text)]
    assert kinds == [BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.CODE]
    assert [fact.text for fact in extract(text)] == ["It opens at seven.", "# no heading"]


def test_single_word_is_still_a_fact() -> None:
    assert [fact.text for fact in extract("Paris")] == ["Paris"]


@given(st.text("aB1. \n\t#:-中か가é?!", max_size=200))
def test_facts_are_slices_of_the_document_in_order(text: str) -> None:
    try:
        told = content.read(text)
    except InvalidMemory:
        return
    facts = rules.extract(
        Excerpt(document=told.text, start=0, end=len(told.text), turns=told.turns, said_at=SAID)
    )
    assert all(told.text[fact.start : fact.end] == fact.text for fact in facts)
    assert [fact.start for fact in facts] == sorted(fact.start for fact in facts)
    assert all(fact.text.strip() for fact in facts)


@given(st.lists(st.text("ab \n.", min_size=1, max_size=40), min_size=1, max_size=5))
def test_turns_are_slices_of_the_document(said: list[str]) -> None:
    blocks = [{"speaker": f"S{n}", "content": text} for n, text in enumerate(said)]
    try:
        told = content.read(blocks)
    except InvalidMemory:
        return
    kept = [text.strip() for text in said if text.strip()]
    assert [told.text[turn.start : turn.end] for turn in told.turns] == kept


def test_occurred_is_counted_from_when_it_was_said() -> None:
    (fact,) = extract("I went to a support group yesterday.")
    assert fact.occurred is not None
    assert [time.date().isoformat() for time in fact.occurred] == ["2023-05-07", "2023-05-07"]


# -- content --------------------------------------------------------------------------------------


def test_plain_transcript_is_read_as_turns() -> None:
    told = content.read("Ana: Hi Ben.\nBen: Hi.\nAna: The key is\nin the safe.\nBen: Thanks.")
    assert [turn.speaker for turn in told.turns] == ["Ana", "Ben", "Ana", "Ben"]
    third = told.turns[2]
    assert told.text[third.start : third.end] == "The key is\nin the safe."


@pytest.mark.parametrize(
    "said",
    [
        '[{"role": "user", "content": "The key?"}, {"role": "assistant", "content": "In the safe."}]',
        '{"messages": [{"role": "user", "content": [{"type": "text", "text": "The key?"}]},'
        ' {"role": "assistant", "content": null, "tool_calls": []},'
        ' {"role": "assistant", "content": "In the safe."}]}',
        '{"role": "user", "content": "The key?"}\n{"role": "assistant", "content": "In the safe."}',
    ],
)
def test_chat_in_json_is_read_as_turns(said: str) -> None:
    told = content.read(said)
    assert told.text == "user: The key?\nassistant: In the safe."
    assert [(turn.speaker, turn.is_agent) for turn in told.turns] == [
        ("user", False),
        ("assistant", True),
    ]


@pytest.mark.parametrize(
    "said",
    [
        '[{"name": "Valve", "text": "14 bar"}]',
        '[{"role": "user", "content": {"image": 1}}]',
        '{"role": "user"}',
        "[1, 2]",
        "[Ana] is in Rome.",
        "[" * 10_000,
    ],
)
def test_json_that_is_no_chat_stays_a_text(said: str) -> None:
    assert content.read(said) == content.Told(said)


@pytest.mark.parametrize(
    "text",
    [
        "Name: Ana\nAge: 7\nCity: Rome\nPhone: 1",
        "Note: the depot opens at 7.\nIt closes at noon.\nNobody is there at night.",
        "https://example.org: a site\nhttp: no speaker",
    ],
)
def test_lists_and_prose_are_no_transcript(text: str) -> None:
    assert content.read(text).turns == ()


@pytest.mark.parametrize(
    "said", [["text"], [{"text": 7}], [{"content": "a", "timestamp": "soon"}], 7, {"text": "a"}]
)
def test_content_that_is_not_understood_is_refused_with_a_sentence(said: Any) -> None:
    with pytest.raises(InvalidMemory, match=r"\.$"):
        content.read(said)


def test_limits_count_code_points() -> None:
    assert content.read("😀" * content.MAX_LENGTH)
    with pytest.raises(InvalidMemory):
        content.read("😀" * content.MAX_LENGTH + "a")


@pytest.mark.parametrize(
    "fields",
    [
        {"tags": ("t" * 201,)},
        {"tags": (" ",)},
        {"tags": tuple(map(str, range(101)))},
        {"metadata": {"k": 7}},
        {"metadata": {"k": "v" * 10_001}},
        {"document_name": " "},
        {"timestamp": "yesterday"},
        {"observation_scopes": "everything"},
        {"context": "c" * 2_001},
    ],
)
def test_fields_beyond_their_limits_are_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(InvalidMemory, match=r"\.$"):
        wanted.read([RetainItem(content="The depot opens.", **fields)], now=SAID)


def test_passages_are_bounded_and_hold_every_word() -> None:
    said = "\n\n".join(f"Paragraph {n} says a little more than nothing." for n in range(300))
    (document,) = wanted.read([RetainItem(content=said)], now=SAID)
    cuts = passages.cut(document.parts[0], count_tokens)
    assert all(piece.end - piece.start <= 3_000 for piece in cuts)
    assert "\n\n".join(said[piece.start : piece.end] for piece in cuts) == said


@pytest.mark.parametrize(
    ("rule", "tags", "expected"),
    [
        (ScopeRule.COMBINED, ("b", "a"), {("a", "b")}),
        (ScopeRule.COMBINED, (), {()}),
        (ScopeRule.PER_TAG, ("a", "b"), {("a",), ("b",)}),
        (ScopeRule.PER_TAG, (), {()}),
        (ScopeRule.SHARED, ("a",), {()}),
        (ScopeRule.ALL_COMBINATIONS, ("a", "b"), {("a",), ("b",), ("a", "b")}),
        ((("x",), ("b", "a")), ("t",), {("x",), ("a", "b")}),
    ],
)
def test_scopes_of_a_rule(rule: Any, tags: tuple[str, ...], expected: set[Any]) -> None:
    assert scopes.expand(rule, tags) == expected
    assert scopes.expand(scopes.from_json(scopes.to_json(rule)), tags) == expected


def test_combinations_of_many_tags_stay_few() -> None:
    assert len(scopes.expand(ScopeRule.ALL_COMBINATIONS, tuple("abcdefgh"))) == 9


# -- names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "language", "names"),
    [
        ("Hey Caroline! I'm swamped with the kids.", "en", {"Caroline"}),
        ("We met Mary-Ann O'Neil in San Francisco.", "en", {"Mary-Ann O'Neil", "San Francisco"}),
        (
            "Alice Johnson's team joined the Bank of England.",
            "en",
            {"Alice Johnson", "Bank of England"},
        ),
        (
            "See POL-0054 and MAX_TOKENS by 2024-07-13.",
            "en",
            {"POL-0054", "MAX_TOKENS", "2024-07-13"},
        ),
        ("Mail ana@example.org or @ben.", "en", {"ana@example.org", "@ben"}),
        ("The 24th was a 12-hour day of 10km at 7pm.", "en", set()),
        ("Later ANA PEREZ called us on Monday.", "en", {"ANA PEREZ"}),
        (
            "Die Leitung in Berlin hat Anna Schmidt, die Hilfe kommt.",
            "de",
            {"Berlin", "Anna Schmidt"},
        ),
        ("Мы поехали в Москву с Иваном Петровым.", "ru", {"Москву", "Иваном Петровым"}),
        (
            "王先生在北京市的清华大学工作，喜欢《红楼梦》。",
            "zh",
            {"王", "北京市", "清华大学", "红楼梦"},
        ),
        ("田中さんはグーグルで働いています。", "ja", {"田中", "グーグル"}),
        ("김철수 씨는 서울대학교에 다닌다.", "ko", {"김철수", "서울대학교"}),
        ("قال السيد أحمد إن الاجتماع غدا", "ar", {"أحمد"}),
    ],
)
def test_names_are_found_in_every_script(text: str, language: str, names: set[str]) -> None:
    known = capitalised_inside(text, language)
    assert {mention.name for mention in mentions(text, language, known=known)} == names


@pytest.mark.parametrize(
    ("text", "language", "names"),
    [
        ("Ask Oskar for access.", "en", ["Oskar"]),
        ("Call Anna tomorrow.", "en", ["Anna"]),
        ("Email John Smith.", "en", ["John Smith"]),
        ("Contact Dana or ping Ben.", "en", ["Dana", "Ben"]),
        ("See Petra. Meet Priyanka.", "en", ["Petra", "Priyanka"]),
        ("Escort Anna out. We escort all guests.", "en", ["Anna"]),
        ("Frag Oskar nach dem Schlüssel.", "de", ["Oskar"]),
        ("Ruf Anna Schmidt an.", "de", ["Anna Schmidt"]),
        ("Schreib Rechnungen.", "de", []),
        ("Demandez Pierre Dupont.", "fr", ["Pierre Dupont"]),
        ("Pregunta a Juan. Llama Eva Ruiz.", "es", ["Juan", "Eva Ruiz"]),
        ("New York is big. It has a new port.", "en", ["New York"]),
        ("Rose Miller left us a rose.", "en", ["Rose Miller"]),
        ("Alice Johnson called.", "en", ["Alice Johnson"]),
    ],
)
def test_what_to_do_is_no_part_of_the_name_behind_it(
    text: str, language: str, names: list[str]
) -> None:
    known = capitalised_inside(text, language)
    assert [mention.name for mention in mentions(text, language, known=known)] == names


def test_first_word_is_a_name_where_it_is_one_elsewhere() -> None:
    facts = extract("They met Oscar there. Oscar barked.")
    assert [mention.name for mention in facts[1].mentions] == ["Oscar"]


@given(st.text(max_size=200))
def test_names_of_any_text_are_in_it(text: str) -> None:
    for mention in mentions(text, "en"):
        assert mention.name.strip() == mention.name != ""
        assert mention.name in text


# -- causes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sentence", "kind", "acts"),
    [
        ("Therefore the cellar was flooded.", EdgeType.CAUSED_BY, True),
        ("That's why we left.", EdgeType.CAUSED_BY, True),
        ("Because of that we left.", EdgeType.CAUSED_BY, True),
        ("Because it rained.", EdgeType.CAUSES, True),
        ("Deshalb blieb der Keller nass.", EdgeType.CAUSED_BY, True),
        ("Поэтому мы ушли.", EdgeType.CAUSED_BY, True),
        ("因此我们离开了。", EdgeType.CAUSED_BY, True),
        ("This allows a second shift.", EdgeType.ENABLES, False),
        ("This prevents leaks.", EdgeType.PREVENTS, False),
    ],
)
def test_cue_at_the_start_connects_with_the_sentence_before(
    sentence: str, kind: EdgeType, acts: bool
) -> None:
    assert relation(sentence) == (kind, acts)


@pytest.mark.parametrize("sentence", ["We left because it rained.", "Thusly named.", "Carry on."])
def test_sentence_without_a_cue_at_its_start_connects_with_none(sentence: str) -> None:
    assert relation(sentence) is None


def test_cause_names_both_facts_of_the_excerpt() -> None:
    facts = extract("The pump failed today. This prevents any watering.")
    (cause,) = facts[1].causes
    assert (cause.child, cause.type, cause.parent) == (0, EdgeType.PREVENTS, 1)


# -- twins and rivals -----------------------------------------------------------------------------


def both(test: Any, one: str, other: str) -> bool:
    a, b = Statement(one, "en"), Statement(other, "en")
    assert test(a, b) == test(b, a)
    return bool(test(a, b))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The depot opens at 7.", "The depot now opens at 8."),
        ("The fee is 7 euros.", "The fee is 9 euros."),
        ("The manager is Anna.", "The manager is now Ben Smith."),
        ("Ana lives in Rome.", "Ana lives in Paris."),
        ("Ana is a vegetarian.", "Ana is no longer a vegetarian."),
        ("Coffee break is at 10", "Coffee break is at 11"),
        ("Das Depot öffnet um 7 Uhr.", "Das Depot öffnet jetzt um 8 Uhr."),
    ],
)
def test_two_values_of_one_slot_are_rivals(one: str, other: str) -> None:
    assert both(are_rivals, one, other)
    assert not both(are_twins, one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana likes tea.", "Ana likes coffee."),
        ("I ran 5 km.", "I ran 6 km."),
        ("Room 12 is free.", "Room 13 is free."),
        ("The depot opens at 7.", "The depot opens at 7:00."),
        ("The depot used to open at 7.", "The depot opens at 8."),
        ("The meeting is on 5 May.", "The meeting is on 6 May."),
        ("The tank holds 20 litres.", "The tank holds 20 gallons."),
        ("It opens at 7.", "It opens at 8."),
        ("We met in Rome.", "We met in Paris."),
        ("Does the depot open at 7?", "Does the depot open at 8?"),
    ],
)
def test_what_can_hold_together_is_no_rival(one: str, other: str) -> None:
    assert not both(are_rivals, one, other)


def test_what_two_people_say_of_themselves_are_no_rivals() -> None:
    one = Statement("My city is Rome.", "en", speaker="Ana")
    assert not are_rivals(one, Statement("My city is Paris.", "en", speaker="Ben"))
    assert are_rivals(one, Statement("My city is Paris.", "en", speaker="Ana"))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("The valve opens at 8 bar pressure.", "The valve opens at a pressure of 8 bar.", True),
        ("The valve opens at 8 bar pressure.", "The valve opens at a pressure of 9 bar.", False),
        ("Staff must wear a badge here.", "Staff must not wear a badge here.", False),
        ("Ana moved to Rome for her new job.", "Ana moved to Paris for her new job.", False),
        ("How are you doing today, Ana?", "How are you doing today, Ana?", False),
        ("Good morning.", "Good morning.", False),
    ],
)
def test_twins_say_the_same_in_nearly_the_same_words(one: str, other: str, same: bool) -> None:
    assert both(are_twins, one, other) is same


def test_events_of_two_days_are_no_twins() -> None:
    text = "Ana went to the old mill yesterday."
    days = [
        (datetime(2024, 1, day, tzinfo=UTC), datetime(2024, 1, day, tzinfo=UTC)) for day in (1, 2)
    ]
    one, other = (Statement(text, "en", occurred=day) for day in days)
    assert are_twins(one, one)
    assert not are_twins(one, other)
