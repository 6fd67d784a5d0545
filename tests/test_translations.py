"""Every word that people read goes through Django's translations, and every language has it.

Messages are found as ``makemessages`` finds them, but without gettext's tools, which a machine that
runs the tests need not have.
"""

from __future__ import annotations

import ast
import gettext
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from string import Formatter

import pytest
from django.conf import settings
from django.test import Client
from django.utils import translation
from django.utils.translation.template import templatize

from kb import decline_messages
from memory.declines import ENGLISH

ROOT = Path(settings.BASE_DIR)
TEMPLATES = sorted((ROOT / "templates").rglob("*.*"))
MODULES = sorted(path for app in ("config", "kb", "memory") for path in (ROOT / app).rglob("*.py"))
LANGUAGES = [code for code, _ in settings.LANGUAGES if code != "en"]

# Names, which are the same in every language.
NAMES = {"Footnote", "UTC", "CSV", "XLSX", "JSON", "API", "SHA", "HTTP", "px", "ms", "sev", "curl"}
SPOKEN = {"alt", "aria-label", "placeholder", "title", "aria-description"}
ONE = {"gettext", "gettext_lazy", "gettext_noop", "_", "_lazy"}
MANY = {"ngettext", "ngettext_lazy"}


class Words(HTMLParser):
    """The text and the spoken attributes of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.skipped = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if name in SPOKEN and value]
        if tag in ("script", "style", "code", "pre"):
            self.skipped = tag

    def handle_endtag(self, tag: str) -> None:
        if tag == self.skipped:
            self.skipped = ""

    def handle_data(self, data: str) -> None:
        if not self.skipped:
            self.found.append(data)


def bare_words(source: str) -> list[str]:
    """What a template says without asking for its translation."""
    source = re.sub(r"{%\s*comment\b.*?{%\s*endcomment\s*%}", "", source, flags=re.DOTALL)
    source = re.sub(r"{#.*?#}", "", source)
    source = re.sub(
        r"{%\s*blocktrans(?:late)?\b.*?{%\s*endblocktrans(?:late)?\s*%}",
        "",
        source,
        flags=re.DOTALL,
    )
    source = re.sub(r"{{.*?}}|{%.*?%}", "", source, flags=re.DOTALL)
    words = Words()
    words.feed(source)
    words.close()
    said = re.findall(r"[^\W\d_]{2,}", " ".join(words.found))
    return [word for word in said if word not in NAMES]


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_template_says_nothing_untranslated(path: Path) -> None:
    assert bare_words(path.read_text()) == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('<p>Hello</p>', ["Hello"]),
        ('<p title="Hello">{{ name }}</p>', ["Hello"]),
        ('<p>{% trans "Hello" %} Footnote{# Hello #}</p>', []),
        ('<p>{% blocktrans %}Hello{% endblocktrans %}</p><script>let hello</script>', []),
    ],
)  # fmt: skip
def test_bare_words_are_noticed(source: str, found: list[str]) -> None:
    assert bare_words(source) == found


def messages_of_module(source: str) -> Iterator[tuple[str, ...]]:
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        wanted = 1 if name in ONE else 2 if name in MANY else 0
        texts = [one.value for one in node.args[:wanted] if isinstance(one, ast.Constant)]
        if wanted and len(texts) == wanted:
            yield tuple(texts)


def messages_of_template(source: str) -> Iterator[tuple[str, ...]]:
    text = r"u?('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"
    code = templatize(source)
    for match in re.finditer(rf"(?<!n)gettext\({text}\)|\b_\({text}\)", code):
        yield (ast.literal_eval(match[1] or match[2]),)
    for match in re.finditer(rf"ngettext\({text},\s*{text}", code):
        yield ast.literal_eval(match[1]), ast.literal_eval(match[2])


def messages() -> set[tuple[str, ...]]:
    found = {one for path in MODULES for one in messages_of_module(path.read_text())}
    return found | {one for path in TEMPLATES for one in messages_of_template(path.read_text())}


def catalogue(code: str) -> gettext.GNUTranslations:
    with (ROOT / "locale" / code / "LC_MESSAGES" / "django.mo").open("rb") as file:
        return gettext.GNUTranslations(file)


def fields(text: str) -> set[str]:
    """What is filled in: ``{n}`` and ``%(n)s``."""
    named = set(re.findall(r"%\((\w+)\)", text))
    try:
        return named | {name for _, name, _, _ in Formatter().parse(text) if name}
    except ValueError:
        return named


def test_messages_are_found_in_modules_and_templates() -> None:
    found = messages()
    assert ("Ask this page",) in found
    assert ("A page needs a title.",) in found
    assert any(len(one) == 2 for one in found)
    assert len(found) > 400


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_message_is_translated(code: str) -> None:
    known = catalogue(code)
    assert [one for one in sorted(messages()) if not _has(known, one)] == []


def _has(known: gettext.GNUTranslations, message: tuple[str, ...]) -> bool:
    if len(message) == 1:  # a message with a plural answers for its singular as well
        return known.gettext(message[0]) != message[0] or message[0] in known._catalog  # type: ignore[attr-defined]
    return (message[0], 0) in known._catalog  # type: ignore[attr-defined]


@pytest.mark.parametrize("code", LANGUAGES)
def test_translations_fill_in_what_the_message_does(code: str) -> None:
    for key, said in catalogue(code)._catalog.items():  # type: ignore[attr-defined]
        message = key[0] if isinstance(key, tuple) else key
        if message:
            assert fields(said) <= fields(message), message
            assert isinstance(key, tuple) or fields(said) == fields(message), message


@pytest.mark.parametrize("code", LANGUAGES)
def test_compiled_catalogue_is_that_of_its_source(code: str) -> None:
    folder = ROOT / "locale" / code / "LC_MESSAGES"
    source = folder.joinpath("django.po").read_text()
    assert "#, fuzzy" not in source
    blocks = re.split(r"\n\n", source)
    texts = {_joined(block) for block in blocks if "msgid" in block and "msgid_plural" not in block}
    compiled = catalogue(code)._catalog  # type: ignore[attr-defined]
    assert {(key, said) for key, said in compiled.items() if isinstance(key, str) and key} == {
        (key, said) for key, said in texts if key
    }


def _joined(block: str) -> tuple[str, str]:
    """The message and its translation, from the lines of one entry of a catalogue."""
    parts: dict[str, str] = {}
    keyword = ""
    for line in block.splitlines():
        if match := re.fullmatch(r'(?:(\w+) )?(".*")', line):
            keyword = match[1] or keyword
            parts[keyword] = parts.get(keyword, "") + ast.literal_eval(match[2])
    return parts.get("msgid", ""), parts.get("msgstr", "")


def test_declines_are_listed_for_translators() -> None:
    assert list(decline_messages.MESSAGES) == list(ENGLISH.values())


@pytest.mark.django_db
def test_browser_that_prefers_german_reads_german() -> None:
    with translation.override("en"):  # the middleware's choice stays with the thread
        page = Client().get("/sign-in", headers={"Accept-Language": "de-AT,de;q=0.9,en;q=0.5"})
    assert '<html lang="de"' in str(page.content, "utf-8")
    assert "Passwort" in str(page.content, "utf-8")
    assert page["Content-Language"] == "de"


def test_decline_speaks_the_readers_language() -> None:
    from memory.declines import Read, decline_text
    from memory.types import Reason

    with translation.override("de"):
        said = decline_text(Reason.NOT_COVERED, Read(title="Urlaub"), translate=translation.gettext)
    assert "Urlaub" in said
    assert not any(word in said for word in ("evidence", "Read:", "Try"))
