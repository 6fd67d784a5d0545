from __future__ import annotations
import random, uuid
from datetime import timedelta
from unittest.mock import patch
from django.utils import timezone
from kb.models import *
from kb import feedback, index
from memory import tenancy, invitations, members, passwords
from memory.models import *
from tests.factories import make_page, make_member
from tests.finished_asks import QUOTE, make_question
from tests.e2e.conftest import Site
OUT="/tmp/fn-admin2-shots"
def add(org, doc, days_ago, took, kind, reason, who):
    at = timezone.now() - timedelta(days=days_ago)
    row = QaQuestion.objects.create(tenant=org.tenant, doc_id=doc.pk, question_text="How long may I work from abroad, and who has to agree to it?", created_at=at, answer_kind=kind, asked_by=who.user_id)
    with patch("django.utils.timezone.now", lambda: at):
        QaTrace.objects.create(tenant=org.tenant, question_id=row.pk, reason=reason, timings_ms={"read": took})
    return row
def test_shots(site: Site):
    import os; os.makedirs(OUT, exist_ok=True)
    r=random.Random(3)
    org=site.org
    site.watch.errors.clear()
    def shots(name, url, member=org.admin, act=None):
        for scheme in ("light","dark"):
            for label,width in (("wide",1440),("narrow",390)):
                w=site.window(member, color_scheme=scheme, viewport={"width":width,"height":900})
                t=w.new_page(); t.goto(url, wait_until="networkidle")
                if act: act(t)
                t.screenshot(path=f"{OUT}/{name}-{label}-{scheme}.png", full_page=True)
                over=t.evaluate("document.documentElement.scrollWidth - innerWidth")
                if over>0: print("OVERFLOW", name, label, over)
                w.close(); site.contexts.remove(w)
    shots("empty","/admin/")
    docs=[make_page(org, QUOTE+" "+str(n), title=t) for n,t in enumerate(["Working from abroad","Overtime and time off in lieu","Expenses","A page with a rather long title that has to wrap somewhere before it ends","Onboarding","Parental leave"])]
    for d in docs[:4]: index.embed_page(org.tenant.pk, d.pk)
    people=[org.reader, org.editor, org.admin, make_member(org)]
    rows=[]
    with tenancy.scope(org.tenant.pk):
        Doc.objects.filter(pk=docs[5].pk).update(index_state="failed", index_error="ReadTimeout")
        for d in range(29,-1,-1):
            if d in (24,23,17,10): continue
            for _ in range(r.randint(1, 14)):
                kind=r.choices(["confident","partial","decline_no_evidence","decline_low_confidence"],[6,2,2,1])[0]
                reason={"decline_no_evidence":"not_covered","decline_low_confidence":r.choice(["unverified","fault","low_confidence"])}.get(kind,"")
                rows.append(add(org, r.choices(docs,[8,5,3,2,1,1])[0], d, r.uniform(180, 1400), kind, reason, r.choice(people)))
        for q in rows[::5]:
            feedback.give(org.admin, q.pk, r.choice(["up","up","down"]))
        for p,n in zip(people,(50,23,4,1)):
            for _ in range(n):
                AskTicket.objects.create(tenant=org.tenant,user=p.user,doc=docs[0],question_id=uuid.uuid4(),question_sha256="0"*64,trace_id=uuid.uuid4().hex,asked_at=timezone.now(),finished=True)
    q=make_question(org, docs[0])
    with tenancy.scope(org.tenant.pk):
        feedback.give(org.reader, q.pk, "down", "It does not say whom I should ask.")
    shots("full","/admin/")
    shots("questions","/admin/kb/qaquestion/")
    shots("question",f"/admin/kb/qaquestion/{q.pk}/change/")
    inv,tok=invitations.invite(org.admin, role="editor", groups=["hr"], email="nova@example.org", username="nova")
    invitations.invite(org.admin, role="reader", username="mai")
    shots("invitations","/admin/memory/invitation/")
    shots("invite","/admin/memory/invitation/add/")
    shots("invitation",f"/admin/memory/invitation/{inv.pk}/change/")
    shots("renewed",f"/admin/memory/invitation/{inv.pk}/change/", act=lambda t:(t.get_by_role("button",name="Make a new link").click(), t.wait_for_load_state("networkidle")))
    inv2,tok=invitations.invite(org.admin, role="editor", groups=["hr"], email="nova2@example.org", username="nova")
    shots("member",f"/admin/memory/membership/{org.reader.pk}/change/", act=lambda t:(t.get_by_role("button",name="Make a link").click(), t.wait_for_load_state("networkidle")))
    shots("join","/join/"+tok, member=None)
    shots("join-known","/join/"+tok, member=org.reader)
    shots("reset","/password-reset", member=None)
    shots("reset-sent","/password-reset/sent", member=None)
    who,t=passwords.address_of(org.editor.user)
    shots("new",f"/password-reset/{who}/{t}", member=None)
    shots("change","/password-change", member=org.reader)
    shots("signin","/sign-in", member=None)
    with tenancy.scope(org.tenant.pk):
        invitations.revoke(org.admin, Invitation.objects.filter(pk=inv2.pk))
    shots("ended","/join/"+tok, member=None)
    w=site.window(org.admin); t=w.new_page(); t.goto("/admin/"); 
    t.get_by_role("button",name="Verify the history").click(); t.wait_for_load_state("networkidle")
    t.screenshot(path=f"{OUT}/verified.png", full_page=True)
    print(site.watch.errors)
