"""The keyword arm: BM25 of one bank and level, under every filter, packed or not."""

from __future__ import annotations

import math
import random
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from uuid import UUID

import numpy as np
import pytest
from django.db import connection, connections

from memory import keyword_packing, keywords, postings, tags, tasks, tenancy
from memory.levels import FactType, Level
from memory.models import Bank, Node, Tenant, Term, TermBlock, TermStatistics
from memory.postings import BACKGROUND, POSTING, Ranking, Size, bm25
from memory.recall.scope import Scope
from memory.tags import TagMatch
from tests.nodes import add_node, add_nodes, make_bank, make_document, make_tenant

TEXTS = (
    "The depot in Lyon opens at six",
    "The depot in Porto closes at six and the gate at seven",
    "A gate without a guard",
    "Lyon Lyon Lyon",
    "Nothing of interest",
)


@pytest.fixture
def tenant(db: None) -> Iterator[Tenant]:
    tenant = make_tenant()
    with tenancy.scope(tenant.pk):
        yield tenant


@pytest.fixture
def bank(tenant: Tenant) -> Bank:
    return make_bank(tenant)


@pytest.fixture
def committed_bank(committed_db: None) -> Bank:
    tenant = make_tenant()
    with tenancy.scope(tenant.pk):
        return make_bank(tenant)


def find(
    bank: Bank, query: str, *, level: Level = Level.L1, limit: int = 50, **fields: object
) -> dict[UUID, float]:
    """Scores by node, best first."""
    minimum = fields.pop("minimum", None)
    scope = Scope(bank_id=bank.pk, level=level, **fields)  # type: ignore[arg-type]
    terms = keywords.query_terms(bank.pk, level, query)
    hits = keywords.search(scope, terms, limit=limit, minimum=minimum)  # type: ignore[arg-type]
    return {hit.node_id: hit.score for hit in hits}


def ranking(bank: Bank, query: str) -> Ranking:
    scope = Scope(bank_id=bank.pk, level=Level.L1)
    return keywords.rank(scope, keywords.query_terms(bank.pk, Level.L1, query))


def pack(bank: Bank, level: Level = Level.L1) -> None:
    assert keyword_packing.pack(bank.pk, level)
    assert not Term.objects.filter(bank=bank, level=level).exists()


def plain_bm25(texts: Sequence[str], query: str) -> list[float]:
    """As the textbook has it, with the nodes that are thought to be there besides."""
    counted = [keywords.count(text, "en") for text in texts]
    repeated = keywords.count(query, "en")
    asked = {term: repeated[term] for term in keywords.analysis.query_terms(query, "en")}
    average = sum(found.total() for found in counted) / len(texts)
    scores = []
    for found in counted:
        score = 0.0
        for term, times in asked.items():
            holders = sum(term in other for other in counted)
            nodes = len(texts) + BACKGROUND
            rarity = times * math.log(1 + (nodes - holders + 0.5) / (holders + 0.5))
            length = 1 - 0.75 + 0.75 * found.total() / average
            score += rarity * found[term] * 2.2 / (found[term] + 1.2 * length)
        scores.append(score)
    return scores


def test_scores_are_those_of_the_textbook_however_much_is_packed(bank: Bank) -> None:
    query = "When does the depot in Lyon open, and the gate?"
    nodes = add_nodes(bank, TEXTS[:2], encode=False)
    pack(bank)
    nodes += add_nodes(bank, TEXTS[2:], encode=False)
    half_packed = find(bank, query)
    expected = plain_bm25(TEXTS, query)
    wanted = {
        node.pk: pytest.approx(score) for node, score in zip(nodes, expected, strict=True) if score
    }
    assert half_packed == wanted
    assert list(half_packed.values()) == sorted(half_packed.values(), reverse=True)
    pack(bank)
    assert find(bank, query) == half_packed  # to the last bit


@pytest.mark.parametrize("seed", range(5))
def test_any_order_of_adding_packing_and_deleting_gives_the_same_scores(
    bank: Bank, seed: int
) -> None:
    drawn = random.Random(seed)
    words = "alpha bravo carrot delta echo foxtrot golf hotel".split()
    texts: dict[UUID, str] = {}
    for _ in range(12):
        match drawn.choice(("add", "add", "pack", "delete")):
            case "add":
                new = [" ".join(drawn.choices(words, k=drawn.randint(1, 9))) for _ in range(3)]
                made = add_nodes(bank, new, encode=False)
                texts |= dict(zip((node.pk for node in made), new, strict=True))
            case "pack":
                pack(bank)
            case "delete" if texts:
                gone = drawn.choice(list(texts))
                del texts[gone]
                Node.objects.filter(pk=gone)._raw_delete("default")  # type: ignore[attr-defined]
    keyword_packing.purge(bank.pk, Level.L1, share=0)
    scores = plain_bm25(list(texts.values()), "bravo golf golf delta") if texts else []
    wanted = {pk: pytest.approx(score) for pk, score in zip(texts, scores, strict=True) if score}
    assert find(bank, "bravo golf golf delta") == wanted


def test_references_change_no_score_of_a_fact(bank: Bank) -> None:
    add_nodes(bank, TEXTS, encode=False)
    before = find(bank, "the depot in Lyon")
    add_nodes(bank, ["The depot in Lyon and in Porto"] * 30, level=Level.R, encode=False)
    pack(bank, Level.R)
    assert find(bank, "the depot in Lyon") == before
    assert len(find(bank, "the depot in Lyon", level=Level.R)) == 30


def test_other_banks_change_no_score(tenant: Tenant, bank: Bank) -> None:
    add_nodes(bank, TEXTS, encode=False)
    before = find(bank, "depot")
    add_nodes(make_bank(tenant, "other"), ["depot"] * 9, encode=False)
    assert find(bank, "depot") == before


@pytest.mark.parametrize("is_packed", [False, True])
def test_fc_33_hidden_documents_change_no_score(bank: Bank, is_packed: bool) -> None:
    for number, text in enumerate(TEXTS):
        document = make_document(bank, f"open-{number}")
        add_node(bank, text, level=Level.R, document_id=document.pk, encode=False)
    readable = type(document).objects.filter(name__startswith="open")
    before = find(bank, "depot in Lyon", level=Level.R, documents=readable)
    secret = make_document(bank, "secret")
    add_nodes(bank, ["depot"] * 60, level=Level.R, document_id=secret.pk, encode=False)
    if is_packed:
        pack(bank, Level.R)
    assert find(bank, "depot in Lyon", level=Level.R, documents=readable, limit=3) == before
    assert len(before) == 3
    assert find(bank, "depot", level=Level.R, documents=readable.none()) == {}


@pytest.mark.parametrize("is_packed", [False, True])
def test_fc_41_tagged_memories_are_found_below_hundreds_of_better_ones(
    bank: Bank, is_packed: bool
) -> None:
    add_nodes(bank, ["coffee coffee coffee"] * 500, encode=False)
    tagged = add_nodes(
        bank, ["coffee, and many other words of little use"] * 30, tags=["work"], encode=False
    )
    if is_packed:
        pack(bank)
    work = tags.flat(["work"], TagMatch.ANY_STRICT)
    found = find(bank, "coffee", limit=10, tags=work)
    assert len(found) == 10
    assert set(found) < {node.pk for node in tagged}
    assert len(find(bank, "coffee", limit=100, tags=work)) == 30
    assert len(find(bank, "coffee", limit=1, tags=work)) == 1  # far below a few times the limit


def test_filters_leave_the_statistics_alone(bank: Bank) -> None:
    old, new = add_nodes(bank, ["lives in Lyon", "lives in Porto"], encode=False)
    add_node(bank, "I live in Oslo", fact_type=FactType.EXPERIENCE, encode=False)
    everything = find(bank, "lives")
    assert len(everything) == 3
    Node.objects.filter(pk=old.pk).update(superseded_at=new.created_at)
    experience = find(bank, "lives", types=(FactType.WORLD,))
    assert experience == {new.pk: everything[new.pk]}
    assert old.pk in find(bank, "lives", superseded=True)
    assert find(bank, "lives", types=()) == {}


@pytest.mark.parametrize(
    ("text", "language", "hit", "miss"),
    [
        ("我们的办公室在上海，周一开门。", "zh", "办公室", "图书馆"),
        ("会議室の予約は前日までに行ってください。", "ja", "会議室", "図書館"),
        ("회의실은 전날까지 예약해야 합니다.", "ko", "회의실", "도서관"),
        ("ห้องประชุมต้องจองล่วงหน้าหนึ่งวัน", "th", "ประชุม", "ห้องสมุด"),
    ],
)
def test_fc_42_words_inside_text_without_spaces(
    bank: Bank, text: str, language: str, hit: str, miss: str
) -> None:
    node = add_node(bank, text, language=language, encode=False)
    assert find(bank, hit)[node.pk] > 0
    assert find(bank, miss) == {}


def test_fc_43_identifier_with_a_hyphen_comes_first_and_signs_are_data(bank: Bank) -> None:
    wanted = add_node(bank, "POL-0054 covers travel.", encode=False)
    add_node(bank, "POL-0055 covers meals and says more on travel.", encode=False)
    for query in ("POL-0054", '"POL-0054"', "pol 0054", "what does POL-0054 say"):
        assert next(iter(find(bank, query))) == wanted.pk
    assert find(bank, ": ( ) & | ! * ' % %s %(x)s {condition}") == {}


@pytest.mark.parametrize("query", ["the", "it", "will", "?!", "---", ""])
def test_fc_44_stop_words_alone_find_nothing(bank: Bank, query: str) -> None:
    add_nodes(bank, [*TEXTS, "It will be the one."], encode=False)
    assert find(bank, query) == {}


def test_query_is_asked_in_every_language_that_the_level_holds(bank: Bank) -> None:
    english = add_node(bank, "The houses are closed.", language="en", encode=False)
    german = add_node(bank, "Die Häuser sind geschlossen.", language="de", encode=False)
    assert set(find(bank, "house")) == {english.pk}
    assert set(find(bank, "Hauses")) == {german.pk}
    assert keywords.query_terms(bank.pk, Level.L2, "house") == {}


def test_a_stray_node_of_another_language_changes_no_word_s_weight(bank: Bank) -> None:
    """Its language has other forms of the query's words: they are no words of their own."""
    filters, bands = add_nodes(
        bank, ["Filters that pass a band.", "Bands that pass filters."], encode=False
    )
    query = "an analysis of the band filters"
    before = find(bank, query)
    ceiling = ranking(bank, query).ceiling
    add_node(bank, "gate gate gate gate gate", language="", encode=False)
    add_node(bank, "gate gate gate gate gate", language="da", encode=False)
    assert find(bank, query) == pytest.approx(before, rel=0.05)
    assert ranking(bank, query).ceiling == pytest.approx(ceiling, rel=0.05)
    assert set(before) == {filters.pk, bands.pk}


def test_forms_of_one_word_count_together(bank: Bank) -> None:
    stemmed = add_node(bank, "Filters are filters.", language="en", encode=False)
    written = add_node(bank, "Filters are filters.", language="", encode=False)
    found = find(bank, "filters")
    assert found[stemmed.pk] == pytest.approx(found[written.pk])
    assert keywords.query_terms(bank.pk, Level.L1, "filters, filter") == {("filters", "filter"): 2}


def test_a_term_counts_as_often_as_the_query_has_it(bank: Bank) -> None:
    gate, yard = add_nodes(bank, ["The gate is shut.", "The yard is shut."], encode=False)
    once = find(bank, "gate yard")
    assert once[gate.pk] == pytest.approx(once[yard.pk])
    twice = find(bank, "gate yard, the gates")
    assert twice[gate.pk] == pytest.approx(2 * once[gate.pk])
    assert twice[yard.pk] == pytest.approx(once[yard.pk])


def test_minimum_is_inclusive_and_the_limit_is_kept(bank: Bank) -> None:
    add_nodes(bank, TEXTS, encode=False)
    scores = list(find(bank, "depot Lyon gate").values())
    assert list(find(bank, "depot Lyon gate", minimum=scores[1]).values()) == scores[:2]
    assert list(find(bank, "depot Lyon gate", minimum=0.0).values()) == scores
    assert list(find(bank, "depot Lyon gate", limit=1).values()) == scores[:1]
    assert find(bank, "depot Lyon gate", limit=0) == {}


def test_equal_scores_keep_the_order_in_which_nodes_came(bank: Bank) -> None:
    same = add_nodes(
        bank, ["the same depot"] * 20 + ["depot"] + ["the same depot"] * 20, encode=False
    )
    short = same.pop(20)
    assert list(find(bank, "depot")) == [short.pk, *(node.pk for node in same)]


@pytest.mark.parametrize("is_packed", [False, True])
def test_deleted_node_is_not_found(bank: Bank, is_packed: bool) -> None:
    gone, kept = add_nodes(bank, ["depot one", "depot two"], encode=False)
    if is_packed:
        pack(bank)
    Node.objects.filter(pk=gone.pk)._raw_delete("default")  # type: ignore[attr-defined]
    assert list(find(bank, "depot")) == [kept.pk]


def test_purge_clears_words_of_deleted_nodes(bank: Bank) -> None:
    gone, _, _ = add_nodes(bank, ["secret depot", "gate two", "gate three"], encode=False)
    pack(bank)
    Node.objects.filter(pk=gone.pk)._raw_delete("default")  # type: ignore[attr-defined]
    assert keyword_packing.purge(bank.pk, Level.L1, share=0.5) == 0
    assert keyword_packing.purge(bank.pk, Level.L1) == 1
    assert not TermBlock.objects.filter(term__in=("secret", "depot")).exists()
    statistics = TermStatistics.objects.get(bank=bank)
    assert (statistics.nodes, statistics.length) == (2, 4)


def test_every_day_all_that_has_gone_is_cleared(committed_bank: Bank) -> None:
    bank = committed_bank
    with tenancy.scope(bank.tenant_id):
        gone, *_ = add_nodes(bank, ["secret depot", *TEXTS], encode=False)
        pack(bank)
    with tenancy.scope(bank.tenant_id):
        Node.objects.filter(pk=gone.pk)._raw_delete("default")  # type: ignore[attr-defined]
    assert (tasks.purge_keywords(), tasks.purge_keywords()) == (1, 0)
    with tenancy.scope(bank.tenant_id):
        assert not TermBlock.objects.filter(term="secret").exists()
        assert len(find(bank, "depot")) == 2


@pytest.mark.parametrize("is_packed", [False, True])
def test_removed_terms_of_a_node_that_stays_find_it_no_more(bank: Bank, is_packed: bool) -> None:
    node = add_node(bank, "depot", encode=False)
    if is_packed:
        pack(bank)
    keywords.remove([node.pk])
    assert find(bank, "depot") == {}
    keywords.add(bank.pk, Level.L1, [(node, Counter(gate=1))])
    assert list(find(bank, "gate")) == [node.pk]
    assert find(bank, "depot") == {}


def test_another_tenant_finds_nothing(bank: Bank) -> None:
    add_nodes(bank, TEXTS, encode=False)
    pack(bank)
    add_nodes(bank, TEXTS, encode=False)
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('auth.tenant_id', %s, true)", [str(make_tenant().pk)])
        found = keywords.read(bank.pk, Level.L1, ["depot"])
        cursor.execute("SELECT set_config('auth.tenant_id', %s, true)", [str(bank.tenant_id)])
    assert (found.postings, found.size) == ({}, Size(0, 0))


def test_reading_postings_uses_indexes_under_row_security(bank: Bank) -> None:
    add_nodes(bank, ["depot gate"] * 300, encode=False)
    pack(bank)
    add_nodes(bank, ["depot gate"] * 300, encode=False)
    key = {"tenant": bank.tenant_id, "bank": bank.pk, "level": "L1", "terms": ["depot", "gate"]}
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("EXPLAIN " + keywords._READ, key)
        plan = "\n".join(line for (line,) in cursor.fetchall())
    assert "Seq Scan" not in plan
    assert plan.count("(term)::text = ANY") == 2, plan  # in the conditions of an index
    assert "Filter: ((term)" not in plan


# -- packing while others write -------------------------------------------------------------------


def elsewhere(tenant_id: UUID, work: object) -> list[object]:
    """What ``work`` returns on a connection of its own, while this one's transaction is open."""
    results: list[object] = []

    def run() -> None:
        try:
            with tenancy.scope(tenant_id):
                results.append(work())  # type: ignore[operator]
        finally:
            connections.close_all()

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(timeout=20)
    assert not thread.is_alive(), "it waits for a lock"
    return results


def test_rows_are_packed_after_the_commit_once_they_are_many(
    committed_bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keyword_packing, "PACKED_FROM", 4)
    bank = committed_bank
    with tenancy.scope(bank.tenant_id):
        add_nodes(bank, TEXTS[:3], encode=False)
    with tenancy.scope(bank.tenant_id):
        assert not TermBlock.objects.exists()
        add_nodes(bank, TEXTS[3:], encode=False)
    with tenancy.scope(bank.tenant_id):
        assert not Term.objects.exists()
        assert TermStatistics.objects.get().nodes == 5
        assert len(find(bank, "Lyon")) == 2


def test_packing_waits_for_nobody_and_loses_nothing(committed_bank: Bank) -> None:
    bank = committed_bank
    with tenancy.scope(bank.tenant_id):
        first, _ = add_nodes(bank, ["depot one", "depot two"], encode=False)
    with tenancy.scope(bank.tenant_id):
        # Somebody is about to delete a node and to add another.
        Node.objects.filter(pk=first.pk)._raw_delete("default")  # type: ignore[attr-defined]
        add_node(bank, "depot three", encode=False)
        assert elsewhere(bank.tenant_id, lambda: keyword_packing.pack(bank.pk, Level.L1)) == [True]
        assert len(find(bank, "depot")) == 2
    with tenancy.scope(bank.tenant_id):
        assert len(find(bank, "depot")) == 2
        pack(bank)
        assert len(find(bank, "depot")) == 2
        assert TermStatistics.objects.get().nodes == 2


def test_two_never_pack_one_level_at_once(committed_bank: Bank) -> None:
    bank = committed_bank
    with tenancy.scope(bank.tenant_id):
        add_nodes(bank, TEXTS, encode=False)
        pack(bank)
        assert elsewhere(bank.tenant_id, lambda: keyword_packing.pack(bank.pk, Level.L1)) == [False]
        assert elsewhere(bank.tenant_id, lambda: keyword_packing.pack(bank.pk, Level.R)) == [True]


# -- postings in memory ---------------------------------------------------------------------------


def test_far_apart_numbers_are_summed_as_near_ones_are() -> None:
    def rows(*numbers: int) -> np.ndarray:
        return np.array([(number, 1, 3) for number in numbers], POSTING)

    near = postings.bm25({"a": rows(1, 2), "b": rows(2, 9)}, Size(10, 30))
    far = postings.bm25({"a": rows(1, 2), "b": rows(2, 2_000_000_000)}, Size(10, 30))
    assert near.numbers.tolist() == [2, 1, 9]
    assert far.numbers.tolist() == [2, 1, 2_000_000_000]
    assert near.scores.tolist() == far.scores.tolist()


def test_huge_counts_are_cut_and_still_come_first(bank: Bank) -> None:
    long = add_node(bank, "depot", encode=False)
    Node.objects.filter(pk=long.pk).update(term_count=100_000)
    keywords.remove([long.pk])
    keywords.add(bank.pk, Level.L1, [(long, Counter(depot=100_000))])
    short = add_node(bank, "depot", encode=False)
    assert set(find(bank, "depot")) == {long.pk, short.pk}
    before = find(bank, "depot")
    pack(bank)
    assert find(bank, "depot") == before


def test_a_word_of_the_only_fact_is_rare_and_a_strange_word_counts_as_missed() -> None:
    postings = {"merger": np.array([(1, 1, 3)], POSTING)}
    asked = {("merger",): 1, ("lunch",): 1}
    ranking = bm25(postings, Size(nodes=1, length=3), asked=asked)
    assert 0.15 < float(ranking.scores[0]) / ranking.ceiling < 0.5  # without them 0.06
