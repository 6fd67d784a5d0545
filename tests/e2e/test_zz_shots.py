from __future__ import annotations
import pytest
from tests.e2e.conftest import Site
from tests.factories import edit_page, make_page
from tests.finished_asks import make_question
from tests.pictures import picture
from kb import attachments, intake
from memory import tenancy
from tests.e2e.test_editing import LONG
pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "owner"])
OUT="/tmp/fn-editing/"
def test_shots(site: Site) -> None:
    org=site.org
    with tenancy.scope(org.tenant.pk):
        im=attachments.store(org.editor, picture(size=(700,300),colour="teal"), name="Our Office.png")
    url=attachments.file_url(org.tenant.slug, im)
    doc=make_page(org, f"# Overtime\n\n![Our office]({url})\n\nSee [[Travel]] and [[Badges]]. At most 12 hours a week, says the decree.\n\n"+LONG, title="Overtime", slug="hr/overtime", category="policy")
    make_page(org,"See [[Overtime]] and [[Badges]] and [[Old stuff]].",title="Handbook",slug="handbook",category="how_to")
    make_page(org,"Một trang. [[Badges]]",title="Sổ tay",slug="vi/so-tay",language="vi",status="draft")
    old=make_page(org,"gone",title="Old stuff",slug="old-stuff")
    with tenancy.scope(org.tenant.pk): intake.delete_page(org.editor, old)
    make_question(org, doc, "Who approves overtime on public holidays?", quote="")
    make_question(org, doc, "Who approves overtime on public holidays?", quote="")
    edit_page(org, doc, source=f"# Overtime\n\n![Our office]({url})\n\nSee [[Travel]] and [[Badges]]. At most 10 hours each week, says the new decree.\n\nA new line.\n\n"+LONG)
    slug=org.tenant.slug
    make_question(org, doc, "What about Sundays?", quote="")
    shots={"list":"", "page":"p/hr/overtime","edit":"edit/hr/overtime","history":"history/hr/overtime","compare":"compare/hr/overtime?from=1&to=2","links":"links","unanswered":"unanswered","bin":"bin","revision":"revisions/1/hr/overtime"}
    for name,(w,h,scheme) in {"wide":(1440,900,"light"),"dark":(1280,800,"dark"),"narrow":(390,844,"light")}.items():
        win=site.window(org.editor, viewport={"width":w,"height":h}, color_scheme=scheme)
        tab=win.new_page()
        for n,path in shots.items():
            tab.goto(f"/{slug}/{path}")
            if n=="page": tab.locator(".contents summary").click()
            tab.wait_for_timeout(150)
            tab.screenshot(path=f"{OUT}{n}-{name}.png", full_page=(n not in("page",)))
            over=tab.evaluate("document.documentElement.scrollWidth>innerWidth")
            if over: print("OVERFLOW",n,name)
    tab=site.window(org.editor).new_page()
    tab.goto(f"/{slug}/edit/hr/overtime")
    edit_page(org, doc, source="Theirs "+LONG)
    tab.fill("[name=source]","Mine now. "+LONG)
    tab.wait_for_timeout(3500)
    tab.screenshot(path=f"{OUT}edit-kept.png")
    tab.get_by_role("button", name="Save").click()
    tab.wait_for_timeout(300)
    tab.screenshot(path=f"{OUT}conflict.png", full_page=True)
    tab.goto(f"/{slug}/edit/hr/overtime")
    tab.screenshot(path=f"{OUT}edit-offer.png")
