"""Names that a sentence begins with, where every word has a capital."""

from __future__ import annotations

import pytest

from memory.facts.names import names_at_start


@pytest.mark.parametrize(
    ("text", "language", "name"),
    [
        ("Alice fixed the proxy in March.", "en", "Alice"),
        ("Alice, who is tall, left.", "en", "Alice"),
        ("Zorba's boat is red.", "en", "Zorba"),
        ("Oscar barked.", "en", "Oscar"),
        ("Xerxes maintains the proxy.", "en", "Xerxes"),
        ("Atlas needs a budget.", "en", "Atlas"),
        ("The pump failed. Zorba repaired it.", "en", "Zorba"),
        ("Anna hat den Proxy repariert.", "de", "Anna"),
        ("Lyon est belle.", "fr", "Lyon"),
        ("Анна починила прокси.", "ru", "Анна"),
    ],
)
def test_word_that_acts_or_owns_is_a_name(text: str, language: str, name: str) -> None:
    assert names_at_start(text, language) == {name}


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Backups finished late.", "en"),
        ("Water leaked into the cellar.", "en"),
        ("Running helped.", "en"),
        ("Deployments failed.", "en"),
        ("Management decided to stay.", "en"),
        ("Backend tests failed.", "en"),
        ("Proxy crashed. The proxy is old.", "en"),
        ("Fixed the proxy.", "en"),
        ("Please called.", "en"),
        ("Everyone was there.", "en"),
        ("However was it done?", "en"),
        ("Maschinen laufen.", "de"),
        ("Machen ist besser.", "de"),
        ("Вода стоит.", "ru"),
    ],
)
def test_common_word_is_no_name(text: str, language: str) -> None:
    assert names_at_start(text, language) == frozenset()


def test_word_without_a_capital_elsewhere_in_the_document_is_no_name() -> None:
    assert names_at_start("Gizmo worked.", "en", document="Gizmo worked. A gizmo broke.") == set()


def test_entity_of_the_bank_is_a_name_whatever_follows() -> None:
    assert names_at_start("Gizmo, see below.", "en") == set()
    assert names_at_start("Gizmo, see below.", "en", known=frozenset({"gizmo"})) == {"Gizmo"}
