from __future__ import annotations
import random
from datetime import timedelta
from unittest.mock import patch
from django.utils import timezone
from kb.models import *
from memory import tenancy, invitations
from tests.factories import make_page
from tests.e2e.conftest import Site
OUT="/tmp/fn-admin2-shots"
def test_shots(site: Site):
    org=site.org; r=random.Random(3); d=make_page(org,"Words.",title="Working from abroad")
    with tenancy.scope(org.tenant.pk):
        for i in range(60):
            at=timezone.now()-timedelta(days=r.randint(0,20))
            row=QaQuestion.objects.create(tenant=org.tenant,doc_id=d.pk,question_text="How?",created_at=at,answer_kind=r.choice(["confident","partial","decline_no_evidence"]),asked_by=org.reader.user_id)
            with patch("django.utils.timezone.now", lambda: at):
                QaTrace.objects.create(tenant=org.tenant,question_id=row.pk,timings_ms={"read":r.uniform(100,900)})
    inv,_=invitations.invite(org.admin, role="editor", email="nova@example.org")
    for name,w,scheme in (("a",1440,"light"),("b",390,"dark")):
        t=site.window(org.admin,color_scheme=scheme,viewport={"width":w,"height":900}).new_page()
        t.goto("/admin/",wait_until="networkidle"); t.get_by_role("button",name="Verify the history").click(); t.wait_for_load_state("networkidle")
        t.screenshot(path=f"{OUT}/z-{name}.png",full_page=True)
        t.goto(f"/admin/memory/invitation/{inv.pk}/change/"); t.get_by_role("button",name="Make a new link").click(); t.wait_for_load_state("networkidle")
        print("over", t.evaluate("document.documentElement.scrollWidth - innerWidth"))
        t.screenshot(path=f"{OUT}/z-{name}2.png",full_page=True)
