import time
import pytest
from memory import tenancy, keywords
from memory.levels import Level
from memory.models import Bank, BankKind, Node
from memory.retain import engine, neighbours
from memory.retain.items import RetainItem
from memory.recall.scope import Scope
from memory.backends import registry
from tests.factories import make_org
@pytest.mark.django_db
def test_x():
    org = make_org()
    with tenancy.scope(org.tenant.pk):
        bank=Bank.objects.create(tenant=org.tenant, name="work", kind=BankKind.MEMORY)
        import random
        W=[f"word{i}" for i in range(3000)]
        r=random.Random(1)
        t=time.time()
        for d in range(10):
            engine.retain(bank.pk,[RetainItem(content="\n\n".join(f"The {' '.join(r.choices(W,k=9))} is on number {i}." for i in range(200)),document_name=str(d))])
        print("retain",time.time()-t)
        ids=list(Node.objects.filter(bank=bank,level=Level.L1).values_list("pk",flat=True)[:200])
        t=time.time(); neighbours._by_meaning(bank.pk,ids,registry.encoder().recipe); print("meaning",time.time()-t)
        t=time.time(); neighbours._by_words(bank.pk,ids,registry.encoder().recipe); print("words",time.time()-t)
