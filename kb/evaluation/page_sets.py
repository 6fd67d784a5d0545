"""From a set to pages and to the questions that are put to them. Pure.

joined        one page holds all paragraphs of an article
paragraph     one page holds one paragraph
cross_topic   own      the article of the question
              other    an article on another topic
              near     its own article without the paragraph that answers
              absent   a page of links to all other topics, while the own article is not linked
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from html import escape

from kb.evaluation import datasets
from kb.evaluation.datasets import SEED, Dataset, Document, Question

MAX_SOURCE = 500_000  # code points that a page may have
LINKED_TOPICS = 22
# The two harder arms of cross_topic need pages or recall of their own, so they ask fewer questions.
NEAR_SHARE, ABSENT_SHARE = 10, 5


class Arm(StrEnum):
    """What a page is to its question."""

    OWN = "own"
    OTHER = "other"
    NEAR = "near_topic"
    ABSENT = "home_absent"


@dataclass(frozen=True, slots=True)
class WantedPage:
    """``is_hub`` pages are kept from the reader who asks all others, so that their links do not count."""

    slug: str
    title: str
    source: str  # HTML
    is_hub: bool = False


@dataclass(frozen=True, slots=True)
class Case:
    """One ask. ``golds`` is empty where the page does not answer."""

    slug: str
    question: str
    language: str
    golds: tuple[str, ...]
    arm: Arm = Arm.OWN


@dataclass(frozen=True, slots=True)
class Exam:
    """Pages and what is asked of them. ``left_out``: questions whose answer no page could hold."""

    name: str
    pages: tuple[WantedPage, ...]
    cases: tuple[Case, ...]
    left_out: int = 0


def joined(dataset: Dataset, per_language: int | None) -> Exam:
    """Each question to the page of its whole article."""
    return _asked_at_home(dataset, dataset.by_page(), per_language)


def by_paragraph(dataset: Dataset, per_language: int | None) -> Exam:
    """Each question to its paragraph alone."""
    alone = {document.doc_id: [document] for document in dataset.documents}
    return _asked_at_home(dataset, alone, per_language)


def cross_topic(dataset: Dataset, per_language: int | None) -> Exam:
    """Each question to its own page and to another topic's, and some to the two harder arms."""
    articles = dataset.by_page()
    topics: dict[str, list[str]] = defaultdict(list)  # language → page ids
    for page_id, documents in articles.items():
        topics[documents[0].language].append(page_id)
    home = {document.doc_id: document.page_id for document in dataset.documents}
    pages = {page_id: _page(dataset.name, page_id, those) for page_id, those in articles.items()}
    questions = [
        question
        for question in datasets.sample(dataset.questions, per_language)
        if question.is_answerable and len(topics[_language_of(articles, home, question)]) > 1
    ]
    cases: list[Case] = []
    extra: dict[str, WantedPage] = {}
    asked: dict[str, int] = defaultdict(int)
    for question in questions:
        page_id = home[question.doc_id]
        others = [one for one in topics[articles[page_id][0].language] if one != page_id]
        chosen = random.Random(f"{SEED}/{question.qid}").choice(others)
        cases.append(_case(pages[page_id], question))
        cases.append(_case(pages[chosen], question, Arm.OTHER))
        number = asked[question.language]
        asked[question.language] += 1
        if _is_among(number, per_language, NEAR_SHARE):
            rest = [one for one in articles[page_id] if one.doc_id != question.doc_id]
            if rest:
                key = f"{page_id} without {question.doc_id}"
                page = _page(f"{dataset.name}-{Arm.NEAR}", key, rest)
                extra[page.slug] = page
                cases.append(_case(page, question, Arm.NEAR))
        if _is_among(number, per_language, ABSENT_SHARE):
            page = _hub(dataset.name, page_id, [pages[one] for one in others])
            extra[page.slug] = page
            cases.append(_case(page, question, Arm.ABSENT))
    return Exam("cross_topic", (*pages.values(), *extra.values()), tuple(cases))


def holds_answer(quote: str, golds: Iterable[str]) -> bool:
    """The quote holds an answer, or is a part of one that is longer than any quote.

    >>> holds_answer("They won 12 games in 2012.", ["12"]), holds_answer("In 2012.", ["12"])
    (True, False)
    """
    cited = datasets.folded(quote)
    return bool(cited) and any(_contains(cited, gold) or cited in gold for gold in golds)


def _contains(text: str, gold: str) -> bool:
    """A number is not found inside a longer one."""
    at = text.find(gold)
    while at >= 0:
        end = at + len(gold)
        if not (_both_digits(text[at - 1 : at + 1]) or _both_digits(text[end - 1 : end + 1])):
            return True
        at = text.find(gold, at + 1)
    return False


def _both_digits(pair: str) -> bool:
    return len(pair) == 2 and pair[0].isdigit() and pair[1].isdigit()


def _asked_at_home(
    dataset: Dataset, groups: dict[str, list[Document]], per_language: int | None
) -> Exam:
    pages: dict[str, WantedPage] = {}
    cut: set[str] = set()  # pages that do not hold all of their text
    home: dict[str, str] = {}
    for key, documents in groups.items():
        pages[key] = _page(dataset.name, key, documents)
        home |= {document.doc_id: key for document in documents}
        if sum(len(block) for one in documents for block in _blocks(one)) > MAX_SOURCE:
            cut.add(key)
    cases, left_out = [], 0
    for question in datasets.sample(dataset.questions, per_language):
        page = pages[home[question.doc_id]]
        if home[question.doc_id] in cut and question.is_answerable:
            text = datasets.folded(page.source)
            if not any(escape(gold, quote=False) in text for gold in question.golds):
                left_out += 1
                continue
        cases.append(_case(page, question))
    asked = {case.slug for case in cases}
    used = tuple(page for page in pages.values() if page.slug in asked)
    return Exam(dataset.name, used, tuple(cases), left_out)


def _case(page: WantedPage, question: Question, arm: Arm = Arm.OWN) -> Case:
    golds = question.golds if arm is Arm.OWN else ()
    return Case(page.slug, question.text, question.language, golds, arm)


def _page(name: str, key: str, documents: Sequence[Document]) -> WantedPage:
    """Escaped HTML, so that nothing in the text is taken for markup. Cut at the longest page allowed."""
    blocks: list[str] = []
    size = 0
    for block in (block for document in documents for block in _blocks(document)):
        size += len(block)
        if size > MAX_SOURCE:
            break
        blocks.append(block)
    return WantedPage(_slug(name, key), documents[0].title, "".join(blocks))


def _blocks(document: Document) -> Iterable[str]:
    for paragraph in document.text.split("\n\n"):
        if paragraph.strip():
            lines = (escape(line, quote=False) for line in paragraph.strip().split("\n"))
            yield f"<p>{'<br>'.join(lines)}</p>"
    if document.table:
        yield _table(document.table)


def _table(rows: Sequence[Sequence[str]]) -> str:
    def line(cells: Sequence[str], tag: str) -> str:
        return (
            f"<tr>{''.join(f'<{tag}>{escape(cell, quote=False)}</{tag}>' for cell in cells)}</tr>"
        )

    head, *body = rows
    return (
        f"<table><thead>{line(head, 'th')}</thead>"
        f"<tbody>{''.join(line(cells, 'td') for cells in body)}</tbody></table>"
    )


def _hub(name: str, absent: str, others: Sequence[WantedPage]) -> WantedPage:
    links = "".join(
        f'<li><a href="/{page.slug}">{escape(page.title)}</a></li>'
        for page in others[:LINKED_TOPICS]
    )
    slug = _slug(f"{name}-{Arm.ABSENT}", absent)
    return WantedPage(slug, "Topics", f"<ul>{links}</ul>", is_hub=True)


def _is_among(number: int, per_language: int | None, share: int) -> bool:
    return per_language is None or number < max(1, per_language // share)


def _language_of(
    articles: dict[str, list[Document]], home: dict[str, str], question: Question
) -> str:
    return articles[home[question.doc_id]][0].language


def _slug(name: str, key: str) -> str:
    return f"{name.replace('_', '-')}/{sha256(key.encode()).hexdigest()[:16]}"
