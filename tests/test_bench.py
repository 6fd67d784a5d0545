"""The scripts that train the reader and the judge, on data of a few lines."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from bench import data
from bench.train import Settings, fit, folds, listwise, logistic, stored
from memory.reading.net import load, probability


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    documents = [
        ("a/0", "a", "Valves", "The valve opens at 14 bar. It was built in 1999."),
        ("a/1", "a", "Valves", "Maria checks the valve."),
        ("b/0", "b", "Cranes", "The crane lifts 20 tonnes. The crane is red."),
        ("c/0", "c", "Belts", "The belt is long. The valve of the belt is small."),
    ]
    questions = [
        ("1", "a/1", "Who checks the valve?", "Maria", 0),
        ("2", "a/0", "At what pressure does the valve open?", "14 bar", 19),
        ("3", "b/0", "How much does the crane lift?", "20 tonnes", 16),
        ("4", "c/0", "How is the belt?", "long", 12),
    ]
    (tmp_path / "set").mkdir()
    with (tmp_path / "set" / "docs.jsonl").open("w") as file:
        for doc_id, page_id, title, text in documents:
            row = {"doc_id": doc_id, "page_id": page_id, "title": title, "text": text, "lang": "en"}
            file.write(json.dumps(row) + "\n")
    with (tmp_path / "set" / "questions.jsonl").open("w") as file:
        for qid, doc_id, question, text, start in questions:
            answer = {"text": text, "char_start": start, "char_end": start + len(text)}
            row = {"qid": qid, "doc_id": doc_id, "question": question, "answers": [answer]}
            file.write(json.dumps(row | {"answerable": True, "lang": "en"}) + "\n")
    return tmp_path


ANSWERS = [["Maria"], ["14 bar"], ["20 tonnes"], ["long"]]


def gold_texts(asked: data.Asked) -> list[str]:
    texts = {passage.number: passage.text for passage in asked.page.passages}
    return [texts[gold.passage][gold.start : gold.end] for gold in asked.golds]


def test_paragraphs_of_an_article_are_joined_and_answers_stay_in_place(folder: Path) -> None:
    asked = data.load(folder, "set")
    assert [gold_texts(one) for one in asked] == ANSWERS
    assert asked[0].page is asked[1].page
    assert data.load(folder, "set", joined=False)[0].page.page_id == "a/1"


def test_headings_shift_the_answers_with_their_text(folder: Path) -> None:
    headed = data.headed(data.load(folder, "set"), seed=1)
    assert [gold_texts(one) for one in headed] == ANSWERS
    assert all("\n" in one.page.passages[0].text for one in headed)


def test_page_without_its_answer_lacks_the_sentence_alone(folder: Path) -> None:
    removed = data.without_answer(data.load(folder, "set"))
    text = removed[1].page.passages[0].text
    assert "14 bar" not in text
    assert "It was built in 1999." in text
    assert all(not one.golds for one in removed)


def test_other_pages_belong_to_other_articles(folder: Path) -> None:
    asked = data.load(folder, "set")
    for made in (data.elsewhere(asked, seed=1), data.nearby(asked)):
        assert len(made) == 4
        for one, original in zip(made, asked, strict=True):
            assert one.page.group != original.page.group
            assert not one.golds


def test_nearest_page_shares_the_words_of_the_question(folder: Path) -> None:
    near = data.nearby(data.load(folder, "set"))
    assert near[0].page.title == "Belts"


def test_missing_data_ends_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FOOTNOTE_DATA", raising=False)
    with pytest.raises(SystemExit, match="--data DIR"):
        data.folder(None)


def test_net_learns_what_a_line_cannot_and_survives_its_file(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    rows = random.uniform(-1, 1, (400, 2)).astype(np.float32)
    truth = (rows[:, 0] * rows[:, 1] > 0).astype(float).tolist()
    net = fit(
        list(rows[:, None]),
        logistic(truth, [1.0] * 400),
        names=("a", "b"),
        settings=Settings(hidden=(8,), epochs=60, rate=0.03, decay=0, batch=50),
    )
    said = net(rows, ("a", "b")) > 0
    assert (said == np.array(truth, bool)).mean() > 0.9
    path = tmp_path / "net.json"
    path.write_text(json.dumps({"nets": {"lexical": stored(net)}}))
    again = load(path, features=("a", "b"))["lexical"]
    assert np.allclose(net(rows, ("a", "b")), again(rows, ("a", "b")), atol=1e-2)
    assert np.allclose(net(rows[:, ::-1], ("b", "a")), net(rows, ("a", "b")))


def test_listwise_training_puts_the_right_row_first() -> None:
    random = np.random.default_rng(0)
    pages = [random.normal(0, 1, (5, 3)).astype(np.float32) for _ in range(200)]
    gold = [page[:, 1] == page[:, 1].max() for page in pages]
    net = fit(pages, listwise(gold, [1.0] * 200), names=("a", "b", "c"), settings=Settings())
    hits = [
        bool(right[net.of_columns(page).argmax()]) for page, right in zip(pages, gold, strict=True)
    ]
    assert np.mean(hits) > 0.95


def test_folds_keep_groups_together() -> None:
    assert len(set(folds(["x"] * 5, 4))) == 1
    assert len(set(folds([str(n) for n in range(50)], 4))) == 4


def test_probability_of_no_evidence_is_half_and_never_leaves_its_range() -> None:
    assert probability(0.0) == 0.5
    assert 0.0 <= probability(-1e9) < probability(1e9) <= 1.0
