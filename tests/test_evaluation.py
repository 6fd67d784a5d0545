"""Evaluation on a handful of made questions, with a generator that quotes what it is told to."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from django.core.management import CommandError, call_command

from kb.evaluation import datasets, figures, page_sets, report
from kb.evaluation.asked import Asked, by_language
from kb.evaluation.datasets import DataMissing
from kb.evaluation.page_sets import Arm, Case, holds_answer
from kb.evaluation.pages import TENANT_SLUG
from kb.models import AskTicket, Doc, QaQuestion, QaTrace, Revision
from memory import tenancy
from memory.backends import registry
from memory.backends.generators.fake import FakeGenerator
from memory.backends.judges.fake import FakeJudge
from memory.models import AuditEntry, BankKind, Tenant, Vector
from memory.types import Draft, DraftClaim, DraftSpan, Passage

MOON = "The first landing on the Moon was in 1969. Two men walked there."
ROCKET = "The rocket stood 110 metres tall. It burned <kerosene> & oxygen."
BREAD = "Bread is baked at 220 degrees. It rises for an hour."
BROT = "Brot wird bei 220 Grad gebacken. Es ruht eine Stunde."
MOND = "Die erste Landung auf dem Mond war 1969. Zwei Männer gingen dort."


def document(doc_id: str, page: str, text: str, lang: str = "en") -> dict[str, Any]:
    return {"doc_id": doc_id, "page_id": page, "title": page, "text": text, "lang": lang}


def question(qid: str, doc_id: str, text: str, *answers: str, lang: str = "en") -> dict[str, Any]:
    golds = [{"text": answer, "char_start": 0, "char_end": len(answer)} for answer in answers]
    return {
        "qid": qid,
        "doc_id": doc_id,
        "question": text,
        "answers": golds,
        "answerable": bool(golds),
        "lang": lang,
    }


def write_set(
    folder: Path, name: str, documents: list[dict[str, Any]], questions: list[dict[str, Any]]
) -> None:
    (folder / name).mkdir(parents=True)
    lines = "\n".join(map(json.dumps, documents))
    (folder / name / "docs.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    (folder / name / "questions.jsonl").write_text("\n".join(map(json.dumps, questions)))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    write_set(
        tmp_path,
        "squad2",
        [document("m", "Apollo_program", MOON), document("r", "Apollo_program", ROCKET)],
        [
            question("1", "m", "When was the first landing?", "1969"),
            question("2", "r", "How tall was the rocket?", "110 metres"),
            question("3", "r", "What did the rocket burn?", "kerosene"),
            question("4", "m", "Who paid for the landing?"),
        ],
    )
    write_set(
        tmp_path,
        "xquad",
        [
            document("en/m", "en/Moon", MOON),
            document("en/r", "en/Moon", ROCKET),
            document("en/b", "en/Bread", BREAD),
            document("de/m", "de/Moon", MOND, "de"),
            document("de/b", "de/Bread", BROT, "de"),
        ],
        [
            question("5", "en/m", "When was the first landing?", "1969"),
            question("6", "en/b", "How hot is bread baked?", "220 degrees"),
            question("7", "de/m", "Wann war die erste Landung?", "1969", lang="de"),
        ],
    )
    return tmp_path


@contextmanager
def answering(quotes: dict[str, str], judge: float = 0.9) -> Iterator[list[str]]:
    """Answers a question by quoting its words wherever a passage holds them, else declines."""
    asked: list[str] = []

    def draft(question: str, passages: Sequence[Passage], reading: Any) -> Draft:
        asked.append(question)
        words = quotes.get(question, "\0")
        for passage in passages:
            if words in passage.text:
                span = DraftSpan(passage.number, quote=words)
                return Draft((DraftClaim(words, (span,)),), confidence=0.9)
        return Draft()

    with (
        patch.object(registry, "generator", lambda: FakeGenerator(draft)),
        patch.object(registry, "judges", lambda: (FakeJudge(answers=judge),)),
    ):
        yield asked


def evaluate(*arguments: str, data: Path | None = None) -> dict[str, Any]:
    out, err = io.StringIO(), io.StringIO()
    named = [f"--data={data}"] if data else []
    call_command("evaluate", *arguments, *named, "--json", stdout=out, stderr=err)
    return json.loads(out.getvalue())


RIGHT, ELSEWHERE = "The first landing on the Moon was in 1969.", "Two men walked there."


@pytest.mark.django_db
def test_figures_of_a_set_are_exact(data: Path) -> None:
    quotes = {
        "When was the first landing?": RIGHT,
        "How tall was the rocket?": ELSEWHERE,  # answered wrongly
        "Who paid for the landing?": RIGHT,  # answered where nothing answers
    }
    with answering(quotes):
        found = evaluate("squad2", data=data)["squad2"]

    assert found["n"] == 4
    assert found["span_hit@1"] == found["span_hit@2"] == round(1 / 3, 4)
    assert found["answered"] == round(2 / 3, 4)
    assert found["right_when_answered"] == 0.5
    assert found["false_answer_rate"] == 1.0
    assert found["decline_recall"] == 0.0
    assert found["balanced_accuracy"] == round(1 / 3, 4)
    assert found["ece"] == pytest.approx(0.9 - 1 / 3, abs=1e-4)
    assert found["citation_integrity"] == 1.0
    assert found["faults"] == found["degraded"] == 0
    low, high = found["span_hit@1_ci95"]
    assert 0 <= low <= 1 / 3 <= high <= 1
    assert found["latency_ms"]["p50"] <= found["latency_ms"]["p95"]


@pytest.mark.django_db
def test_squad2_is_asked_on_the_paragraph_too(data: Path) -> None:
    # The joined page holds these words; the paragraph of the question does not.
    with answering({"How tall was the rocket?": ELSEWHERE}):
        found = evaluate("squad2", data=data)["squad2"]

    assert found["answered"] == round(1 / 3, 4)
    assert found["paragraph"]["answered"] == 0.0
    assert found["paragraph"]["decline_recall"] == 1.0


@pytest.mark.django_db
def test_text_that_looks_like_markup_stays_text(data: Path) -> None:
    with answering({"What did the rocket burn?": "It burned <kerosene> & oxygen."}):
        found = evaluate("squad2", data=data)["squad2"]

    assert found["span_hit@1"] == round(1 / 3, 4)
    assert found["citation_integrity"] == 1.0


@pytest.mark.django_db
def test_languages_stand_under_their_code(data: Path) -> None:
    with answering({"When was the first landing?": RIGHT}):
        found = evaluate("xquad", data=data)["xquad"]

    assert found["span_hit@1"] == round(1 / 3, 4)
    assert (found["en"]["n"], found["en"]["span_hit@1"]) == (2, 0.5)
    assert (found["de"]["n"], found["de"]["span_hit@1"]) == (1, 0.0)
    assert found["other_languages"]["n"] == 1
    # Nothing here is unanswerable, so nothing is said about declining.
    assert "decline_recall" not in found


@pytest.mark.django_db
def test_cross_topic_asks_own_other_near_and_absent(data: Path) -> None:
    baked = "Bread is baked at 220 degrees."
    quotes = {"When was the first landing?": RIGHT, "How hot is bread baked?": baked}
    with answering(quotes):
        found = evaluate("cross_topic", "--full", data=data)["cross_topic"]

    # Three questions, each to its own page and to another one.
    assert found["n"] == 6
    assert found["answered"] == found["span_hit@1"] == round(2 / 3, 4)
    assert found["decline_recall"] == 1.0
    # Only one article has a second paragraph to stand without the one that answers.
    assert found["near_topic"]["n"] == 1
    assert found["near_topic"]["decline_recall"] == 1.0
    assert found["home_absent"]["n"] == 3
    assert found["home_absent"]["decline_recall"] == 1.0


@pytest.mark.django_db
def test_home_absent_reads_the_linked_pages_and_only_its_reader_sees_the_links(data: Path) -> None:
    # Bread is linked from the page that stands in for the Moon's, so its words can be cited there;
    # on the Moon's own page they cannot.
    asked = "At how many degrees is bread baked on the Moon?"
    write_set(
        data / "more",
        "xquad",
        [document("m", "Moon", MOON), document("b", "Bread", BREAD)],
        [question("1", "m", asked, "1969")],
    )
    with answering({asked: "Bread is baked at 220 degrees."}):
        found = evaluate("cross_topic", "--full", data=data / "more")["cross_topic"]

    assert found["home_absent"]["false_answer_rate"] == 1.0
    assert found["answered"] == 0.0


@pytest.mark.django_db
def test_second_run_reuses_pages_and_vectors(data: Path) -> None:
    with answering({}):
        first = evaluate("xquad", "cross_topic", data=data)
        tenant = Tenant.objects.get(slug=TENANT_SLUG)
        with tenancy.scope(tenant.pk):
            before = sorted(Revision.objects.values_list("pk", flat=True))
        with patch.object(registry.encoder(), "encode_passages", side_effect=AssertionError):
            pages = _saved_pages(data)
        second = evaluate("xquad", "cross_topic", data=data)

    with tenancy.scope(tenant.pk):
        assert sorted(Revision.objects.values_list("pk", flat=True)) == before
        assert Vector.objects.filter(bank__kind=BankKind.PAGES).count() == len(before)
    assert pages == len(before)
    assert first["xquad"]["n"] == second["xquad"]["n"] == 3


def _saved_pages(data: Path) -> int:
    from kb.evaluation.pages import prepare_cast, prepare_pages

    exam = page_sets.cross_topic(datasets.load(data, "xquad"), 300)
    return len(prepare_pages(prepare_cast(), exam.pages, report=lambda line: None))


@pytest.mark.django_db
def test_changed_text_becomes_a_new_revision_of_the_same_page(data: Path) -> None:
    with answering({}):
        evaluate("xquad", data=data)
        documents = [
            document("en/m", "en/Moon", "The landing was in July."),
            document("en/b", "en/Bread", BREAD),
        ]
        lines = "\n".join(map(json.dumps, documents)).encode()
        (data / "xquad" / "docs.jsonl.gz").write_bytes(gzip.compress(lines))
        kept = [question("5", "en/m", "When was the first landing?", "July")]
        (data / "xquad" / "questions.jsonl").write_text(json.dumps(kept[0]))
        with answering({"When was the first landing?": "The landing was in July."}):
            found = evaluate("xquad", data=data)["xquad"]

    assert found["span_hit@1"] == 1.0
    with tenancy.scope(Tenant.objects.get(slug=TENANT_SLUG).pk):
        moon = Doc.objects.get(title="en/Moon", published_revision__number=2)
        assert moon.index_state == "ready"


@pytest.mark.django_db
def test_nothing_is_counted_and_nothing_enters_the_history(data: Path) -> None:
    with answering({"When was the first landing?": RIGHT}) as asked:
        evaluate("squad2", "cross_topic", data=data)

    assert len(asked) > 10
    with tenancy.scope(Tenant.objects.get(slug=TENANT_SLUG).pk):
        for model in (AskTicket, QaQuestion, QaTrace):
            assert not model.objects.exists(), model
        # Saving the pages is in the chain; asking them is not.
        assert not AuditEntry.objects.filter(kind__startswith="kb.qa").exists()


@pytest.mark.django_db
def test_no_message_is_sent_for_pages_that_were_encoded_here(data: Path) -> None:
    with (
        answering({}),
        patch("kb.tasks.embed_page.delay", side_effect=AssertionError("a message was sent")),
    ):
        assert evaluate("xquad", data=data)["xquad"]["n"] == 3


@pytest.mark.django_db
def test_fault_is_counted_as_such(data: Path) -> None:
    broken = FakeGenerator(RuntimeError("broken"))
    with patch.object(registry, "generator", lambda: broken):
        found = evaluate("squad2", data=data)["squad2"]

    assert found["faults"] == found["n"] == 4


# -- the command ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["squad2", "--data=/nowhere"], "There is no folder /nowhere"),
        (["squad2"], "Say where the data is: --data DIR, or the variable FOOTNOTE_DATA."),
    ],
)
def test_without_data_the_exit_code_is_2_and_a_sentence_says_so(
    arguments: list[str], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FOOTNOTE_DATA", raising=False)
    with pytest.raises(CommandError, match=sentence) as failure:
        call_command("evaluate", *arguments)
    assert failure.value.returncode == 2


def test_data_is_found_by_the_variable(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOOTNOTE_DATA", str(data))
    with pytest.raises(CommandError, match="Unknown: nonsense") as failure:
        call_command("evaluate", "squad2", "nonsense")
    assert failure.value.returncode == 2
    assert "squad2, xquad, cross_topic" in str(failure.value)


def test_earlier_run_that_cannot_be_read_is_refused(data: Path, tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text("[1]")
    with pytest.raises(CommandError, match=r"is not the --json output") as failure:
        call_command("evaluate", "squad2", f"--data={data}", f"--against={tmp_path / 'run.json'}")
    assert failure.value.returncode == 2


@pytest.mark.django_db
def test_against_an_earlier_run_says_what_changed(data: Path, tmp_path: Path) -> None:
    with answering({}):
        earlier = evaluate("squad2", data=data)
    (tmp_path / "run.json").write_text(json.dumps(earlier))
    out = io.StringIO()
    with answering({"When was the first landing?": RIGHT}):
        call_command(
            "evaluate",
            "squad2",
            f"--data={data}",
            f"--against={tmp_path / 'run.json'}",
            stdout=out,
            stderr=io.StringIO(),
        )

    assert "squad2.span_hit@1  0 → 0.3333  (+0.3333)" in out.getvalue()
    assert "squad2.paragraph" in out.getvalue().splitlines()[2]


# -- pure parts -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("quote", "gold", "expected"),
    [
        ("The fee is 12 euros.", "12 euros", True),
        ("The fee\tis  12\neuros.", "12 euros", True),
        ("In 2012 it rose.", "12", False),
        ("In 2012 it rose by 12.", "12", True),
        ("A sentence.", "A sentence. And a second one.", True),
        ("", "12", False),
        ("Nothing of it.", "12", False),
    ],
)
def test_quote_holds_answer(quote: str, gold: str, expected: bool) -> None:
    assert holds_answer(quote, [datasets.folded(gold)]) is expected


def test_sample_is_the_same_every_time_and_per_language() -> None:
    made = [
        datasets.Question(f"{lang}{n}", "d", "?", lang, ("a",))
        for lang in ("en", "de")
        for n in range(50)
    ]
    first = datasets.sample(made, 5)
    assert first == datasets.sample(list(made), 5)
    assert [one.language for one in first] == ["de"] * 5 + ["en"] * 5
    assert datasets.sample(made, None) == made


def test_table_becomes_rows_and_its_bars_leave_the_answers(tmp_path: Path) -> None:
    row = {
        **document("t", "t", "Sales follow.\n\n| a | b |"),
        "table": [["Year", "Sales"], ["2019", "<5>"]],
        "table_char_start": 15,
    }
    write_set(tmp_path, "tatqa", [row], [question("1", "t", "Sales in 2019?", "2019 | <5>")])
    exam = page_sets.joined(datasets.load(tmp_path, "tatqa"), None)

    assert exam.pages[0].source == (
        "<p>Sales follow.</p><table><thead><tr><th>Year</th><th>Sales</th></tr></thead>"
        "<tbody><tr><td>2019</td><td>&lt;5&gt;</td></tr></tbody></table>"
    )
    assert exam.cases[0].golds == ("2019 <5>",)


def test_page_is_cut_at_the_longest_allowed_and_its_lost_questions_are_counted(
    tmp_path: Path,
) -> None:
    text = "\n\n".join(["The start."] + ["x" * 50_000] * 10 + ["The end is 99."])
    asked = [question("1", "d", "Start?", "start"), question("2", "d", "End?", "99")]
    write_set(tmp_path, "chunkeval", [document("d", "d", text)], asked)
    exam = page_sets.joined(datasets.load(tmp_path, "chunkeval"), None)

    assert len(exam.pages[0].source) <= page_sets.MAX_SOURCE
    assert [case.question for case in exam.cases] == ["Start?"]
    assert exam.left_out == 1


def test_set_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataMissing, match="There is no set squad2"):
        datasets.load(tmp_path, "squad2")


def made(
    answered: bool,
    *,
    golds: tuple[str, ...] = ("a",),
    hit: bool = False,
    confidence: float | None = None,
    language: str = "en",
    arm: Arm = Arm.OWN,
    **more: Any,
) -> Asked:
    values = {
        "citations": int(answered),
        "intact": int(answered),
        "milliseconds": 10.0,
        "is_first_of_page": False,
        "is_fault": False,
        "is_degraded": False,
    }
    return Asked(
        case=Case("slug", "?", language, golds, arm),
        is_answered=answered,
        hit_first=hit,
        hit_any=hit,
        confidence=confidence,
        **(values | more),
    )


def test_confidence_is_measured_against_right_answers() -> None:
    asked = [
        made(True, hit=True, confidence=0.9),
        made(True, hit=False, confidence=0.8),
        made(False, golds=(), confidence=None),
    ]
    found = figures.of_set(asked)
    assert found["auroc"] == 1.0
    assert found["ece"] == pytest.approx((0.1 + 0.8) / 2, abs=1e-4)


def test_latency_leaves_out_the_first_ask_of_a_page() -> None:
    asked = [made(True, milliseconds=900.0, is_first_of_page=True)] + [made(True)] * 3
    found = figures.of_set(asked)["latency_ms"]
    assert found == {"p50": 10.0, "p95": 10.0, "first_p50": 900.0, "first_p95": 900.0}


def test_citation_that_is_not_in_the_stored_text_shows() -> None:
    asked = [made(True, hit=True), made(True, hit=True, intact=0)]
    assert figures.of_set(asked)["citation_integrity"] == 0.5


def test_figures_are_valid_json_without_nan() -> None:
    found = figures.of_set([made(True, hit=True), made(True, golds=())])
    json.dumps(found, allow_nan=False)


def test_one_language_is_not_repeated() -> None:
    assert by_language([made(True), made(False)]) == {}


def test_table_has_a_row_for_each_set_language_and_arm() -> None:
    asked = [
        made(True, hit=True),
        made(True, language="de"),
        made(False, golds=(), arm=Arm.NEAR),
    ]
    lines = report.table({"xquad": figures.of_set(asked)}).splitlines()
    assert [line.split()[0] for line in lines[1:]] == [
        "xquad",
        "xquad.near_topic",
        "xquad.de",
        "xquad.en",
        "xquad.en.near_topic",
        "xquad.other_languages",
    ]
    assert lines[1].split()[1:3] == ["2", "0.500"]


def test_differences_name_both_numbers() -> None:
    earlier = {"xquad": {"n": 2, "en": {"answered": 0.5}, "old": 1}}
    now = {"xquad": {"n": 2, "en": {"answered": 0.75}}}
    assert report.differences(now, earlier).splitlines() == [
        "xquad.en.answered  0.5 → 0.75  (+0.25)",
        "1 figures are in one of the two runs only.",
    ]
    assert report.differences(now, now) == "No figure differs."
