"""axe finds nothing serious or critical on any main screen, light and dark, wide and narrow (FC-76)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from kb import intake, sharing
from kb.models import Doc
from memory import tenancy
from memory.models import Role
from memory.people import invitations
from tests.asks import models, past_question, reply
from tests.e2e.barriers import WIDE, barriers
from tests.e2e.conftest import Site
from tests.factories import edit_page, make_member, make_page
from tests.finished_asks import make_question

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "owner"])

CAP = "Overtime shall not exceed 12 hours per week."
NIGHT = "Night work is paid at 130 %."
SOURCE = f"""# Overtime

{CAP} Details are on [[Pay]] and [[Holidays]].

## Night and weekends

{NIGHT}

> Ask first, work later.

| Day | Rate |
|---|---|
| Sunday | 150 % |
| Night | 130 % |

## Approval

1. Ask your lead.
2. Write it down: `hours --week`.

```sh
hours --week 47
```
"""
NOTHING = {"answer": "", "confidence_score": 0, "citations": []}


@pytest.fixture
def overtime(site: Site) -> Doc:
    make_page(site.org, "# Pay\n\nThe fee is 20 euros.", title="Pay", slug="hr/pay")
    return make_page(
        site.org, SOURCE, title="Overtime", slug="hr/overtime", category="policy", language="en"
    )


class Survey:
    """Walks screens and keeps what axe finds, so that one run names every barrier."""

    def __init__(self, tab: Page) -> None:
        self.tab = tab
        self.found: list[str] = []

    def visit(self, *urls: str) -> None:
        for url in urls:
            self.tab.goto(url)
            self.look(url)

    def look(self, name: str, *, prepare: Callable[[], object] = lambda: None) -> None:
        self.found += [f"{name}: {line}" for line in barriers(self.tab, prepare=prepare)]
        self.tab.set_viewport_size(WIDE)  # type: ignore[arg-type]

    def done(self) -> None:
        assert not self.found, "\n".join(self.found)


def survey(site: Site, member: object = None) -> Survey:
    return Survey(site.window(member).new_page())  # type: ignore[arg-type]


def home(site: Site, paths: Iterable[str]) -> list[str]:
    return [f"/{site.org.tenant.slug}/{path}" for path in paths]


def ask(tab: Page, question: str = "How much overtime is allowed?") -> None:
    tab.fill("#question", question)
    tab.press("#question", "Enter")
    expect(tab.locator("#answer .asked")).to_have_text(question)


def point_at(tab: Page, what: str, *, opens: str) -> None:
    """By keyboard, from elsewhere."""
    tab.focus("#question")
    tab.locator(what).first.focus()
    expect(tab.locator(opens)).to_be_visible()


def test_screens_of_a_visitor(site: Site, overtime: Doc) -> None:
    open_page = make_page(site.org, SOURCE, title="Open", slug="open", visibility="public")
    with tenancy.scope(site.org.tenant.pk):
        link = sharing.create_link(
            site.org.editor, overtime, expires_at=timezone.now() + timedelta(days=1)
        )
    _, token = invitations.invite(site.org.admin, role=Role.READER, username="mai")
    visitor = survey(site)
    visitor.visit("/sign-in", "/password-reset", "/password-reset/sent", f"/join/{token}")
    visitor.visit(site.path_of(open_page), "/s/no-such-link", "/no-such/p/page")
    visitor.visit(f"/s/{sharing.token_of(link)}")
    visitor.done()


def test_page_with_its_answer_card_and_gloss(site: Site, overtime: Doc) -> None:
    reader = survey(site, site.org.reader)
    reader.visit(site.path_of(overtime))
    with models(lambda passages: reply(passages, f"{CAP} {NIGHT}", CAP, NIGHT)):
        ask(reader.tab)
    reader.look("an answer")
    reader.look("an open card", prepare=lambda: point_at(reader.tab, ".ref", opens=".card"))
    reader.tab.reload()
    reader.look("an answer of the server")
    reader.look(
        "marked words with their claim",
        prepare=lambda: point_at(reader.tab, "article mark", opens=".gloss"),
    )
    with models(NOTHING):
        ask(reader.tab, "Is there a canteen?")
    reader.look("a decline")
    reader.done()


def look_for(tab: Page, words: str) -> None:
    tab.fill("#find", "")
    tab.locator("#find").press_sequentially(words)
    expect(tab.locator(".found").first).to_be_visible()
    tab.keyboard.press("ArrowDown")


def test_searching_and_asking_everything(site: Site, overtime: Doc) -> None:
    reader = survey(site, site.org.reader)
    reader.visit(*home(site, ["search", "search?q=overtime", "search?q=the", "ask"]))
    reader.look("an open search box", prepare=lambda: look_for(reader.tab, "overtime"))
    reader.tab.goto(home(site, ["ask"])[0])
    with models(lambda passages: reply(passages, CAP, CAP)):
        ask(reader.tab)
    reader.look("an answer from everything")
    reader.look("its open card", prepare=lambda: point_at(reader.tab, ".ref", opens=".card"))
    reader.done()


def test_screens_of_a_reader(site: Site, overtime: Doc) -> None:
    past_question(site.org.reader, overtime, "Is there a canteen?")
    reader = survey(site, site.org.reader)
    reader.visit(*home(site, ["", "?q=nothing-like-it", "questions"]))
    reader.visit("/v1/docs", "/switch", "/password-change")
    reader.tab.goto(f"/{site.org.tenant.slug}/")
    reader.tab.locator("details.menu summary").click()
    reader.look("the account menu")
    reader.done()


def test_screens_of_an_editor(site: Site, overtime: Doc) -> None:
    edit_page(site.org, overtime, source=SOURCE.replace("12 hours", "10 hours"))
    draft = make_page(site.org, "Words. [[Nowhere]]", title="Draft", slug="draft", status="draft")
    closed = make_page(
        site.org, "Words.", slug="closed", visibility="role_restricted", allowed_groups=["hr"]
    )
    gone = make_page(site.org, "Words.", title="Gone", slug="gone")
    with tenancy.scope(site.org.tenant.pk):
        intake.delete_page(site.org.editor, gone)
        sharing.create_link(
            site.org.editor, overtime, expires_at=timezone.now() + timedelta(days=1)
        )
    past_question(site.org.reader, overtime, "Is there a canteen?")
    editor = survey(site, site.org.editor)
    editor.visit(site.path_of(draft), site.path_of(closed), site.path_of(overtime))
    editor.visit(
        *home(
            site,
            [
                "",
                "new",
                "edit/hr/overtime",
                "share/hr/overtime",
                "history/hr/overtime",
                "compare/hr/overtime?from=1&to=2",
                "revisions/1/hr/overtime",
                "links",
                "unanswered",
                "bin",
                "import",
            ],
        )
    )
    editor.done()


def test_the_choice_between_two_versions(site: Site, overtime: Doc) -> None:
    editor = survey(site, site.org.editor)
    editor.tab.goto(f"/{site.org.tenant.slug}/edit/{overtime.slug}")
    editor.tab.fill("[name=source]", SOURCE.replace("12 hours", "11 hours"))
    edit_page(site.org, overtime, source=SOURCE.replace("12 hours", "10 hours"))
    editor.tab.get_by_role("button", name="Save").click()
    expect(editor.tab.get_by_role("heading", name="Somebody else saved first")).to_be_visible()
    editor.look("a conflict")
    editor.tab.goto(f"/{site.org.tenant.slug}/new")
    editor.tab.fill("[name=source]", "Words.")
    editor.tab.get_by_role("button", name="Preview").click()
    editor.look("the preview")
    editor.done()


def test_screens_where_nothing_is_yet(site: Site) -> None:
    editor = survey(site, site.org.editor)
    editor.visit(*home(site, ["", "questions", "links", "unanswered", "bin", "import"]))
    editor.done()


def test_screens_of_an_admin(site: Site, overtime: Doc) -> None:
    pay = make_page(site.org, "The fee is 20 euros.", title="Fees", slug="fees")
    question = make_question(site.org, pay)
    make_question(site.org, pay, "Is there a canteen?", quote="")
    make_member(site.org, Role.EDITOR, "hr")
    admin = survey(site, site.org.admin)
    admin.visit(
        reverse("admin:index"),
        reverse("admin:kb_qaquestion_changelist"),
        reverse("admin:kb_qaquestion_change", args=[question.pk]),
        reverse("admin:kb_doc_changelist"),
        reverse("admin:kb_doc_change", args=[pay.pk]),
        reverse("admin:memory_membership_changelist"),
        reverse("admin:memory_invitation_changelist"),
        reverse("admin:memory_invitation_add"),
        reverse("admin:memory_auditentry_changelist"),
    )
    admin.done()


def test_the_limit_is_said_without_a_barrier(site: Site, overtime: Doc, settings: object) -> None:
    settings.FOOTNOTE = settings.FOOTNOTE | {"ASKS_PER_DAY": 1}  # type: ignore[attr-defined]
    reader = survey(site, site.org.reader)
    reader.visit(site.path_of(overtime))
    with models(NOTHING):
        ask(reader.tab)
    reader.look("the last answer of the day")
    reader.visit(site.path_of(overtime))
    reader.done()
