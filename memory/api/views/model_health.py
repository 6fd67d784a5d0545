"""Whether the language model behind a bank can be reached, over HTTP."""

from __future__ import annotations

from django.utils.decorators import method_decorator
from django_ratelimit.decorators import ratelimit
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.response import Response

from memory import tenancy
from memory.api.base import MemoryView
from memory.api.describing import IN_BANK, operation, reply
from memory.api.examples import banks as examples
from memory.api.rendering import banks as rendering
from memory.api.shapes.banks import ModelHealthSerializer
from memory.backends import registry
from memory.backends.extractors.hosted import HostedExtractor
from memory.reflecting.probing import Probe, Reach, probe
from memory.rest.limits import BURST_SECONDS, burst, caller
from memory.rest.permissions import member_of


class ModelHealthView(MemoryView):
    @operation(
        "memory_banks_model_health",
        "Try the language model",
        tag="Memory banks",
        replies={200: reply(ModelHealthSerializer, "By its work.", {"Tried": examples.HEALTH})},
        errors=(*IN_BANK, 429),
    )
    @method_decorator(ratelimit(key=caller, rate=burst, block=False))
    def post(self, request: Request, bank_id: str) -> Response:
        """One small call of the model, which may cost. No model takes part in consolidation."""
        if getattr(request, "limited", False):
            raise Throttled(wait=BURST_SECONDS)
        with tenancy.scope(member_of(request).tenant_id):
            bank = self.bank(bank_id)
        found, none = probe(), Probe(Reach.NOT_CONFIGURED)
        reads_facts = isinstance(registry.extractor(), HostedExtractor)
        probes = {
            "retain": found if reads_facts else none,
            "consolidation": none,
            "reflect": found,
        }
        return Response(rendering.model_health(bank, probes))
