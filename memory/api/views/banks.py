"""Banks over HTTP: making, changing and removing them, their figures and settings."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memory import bank_settings, banks
from memory.api import errors
from memory.api.base import MemoryView, body_of, query_of, stated
from memory.api.describing import operation, reply
from memory.api.examples import banks as examples
from memory.api.rendering import banks as rendering
from memory.api.shapes.banks import (
    BankConfigSerializer,
    BankConfigUpdateSerializer,
    BankListQuery,
    BankListSerializer,
    BankProfileSerializer,
    BankSerializer,
    BankStatsSerializer,
    DeletedSerializer,
    GrowthQuery,
    GrowthSerializer,
    StatsQuery,
)
from memory.browsing import banks as browsing
from memory.browsing import statistics
from memory.browsing.memories import TimeField
from memory.browsing.statistics import Period
from memory.errors import BankNotFound, InvalidBank
from memory.models import Access, Bank
from memory.rest.permissions import member_of

TAG = "Memory banks"
_PROFILE = reply(BankProfileSerializer, "The bank.", {"Bank": examples.PROFILE})
_CONFIG = reply(BankConfigSerializer, "The settings.", {"Settings": examples.CONFIG})
_OF_THE_ROW = {"name", "disposition", "mission", "background", "access"}


class BankListView(MemoryView):
    @operation(
        "memory_banks_list",
        "List banks",
        tag=TAG,
        query=BankListQuery,
        replies={
            200: reply(
                BankListSerializer, "The banks that you may open.", {"Banks": examples.BANKS}
            )
        },
        errors=(401, 403, 422, 503),
    )
    def get(self, request: Request) -> Response:
        """Those that everybody in the organisation shares, and your own private ones."""
        wanted = query_of(request, BankListQuery)
        page = browsing.listed(
            member_of(request),
            query=wanted.get("q", ""),
            limit=wanted["limit"],
            offset=wanted["offset"],
        )
        return Response(rendering.bank_list(page))


class BankView(MemoryView):
    @operation(
        "memory_banks_put",
        "Make or change a bank",
        tag=TAG,
        request=BankSerializer,
        request_example=examples.NEW_BANK,
        replies={200: _PROFILE},
    )
    def put(self, request: Request, bank_id: str) -> Response:
        """A new bank is yours. Changing one is for its owner and admins; whoever sees it may name it
        without changes, as clients do that want to be sure that it is there."""
        given = stated(body_of(request, BankSerializer))
        member = member_of(request)
        try:
            bank = banks.find(member, bank_id)
        except BankNotFound:
            bank = banks.open_or_create(member, bank_id, access=given.get("access", Access.TENANT))
            return self._changed(bank, given | {"access": bank.access})
        if not given:
            return Response(rendering.profile(bank))
        return self._changed(self.own_bank(bank_id), given)

    @operation(
        "memory_banks_change",
        "Change a bank",
        tag=TAG,
        request=BankSerializer,
        request_example=examples.NEW_BANK,
        replies={200: _PROFILE},
    )
    def patch(self, request: Request, bank_id: str) -> Response:
        """For its owner and admins."""
        return self._changed(self.own_bank(bank_id), stated(body_of(request, BankSerializer)))

    @operation(
        "memory_banks_delete",
        "Remove a bank",
        tag=TAG,
        replies={
            200: reply(
                DeletedSerializer,
                "It is gone, with everything in it.",
                {"Removed": examples.DELETED},
            )
        },
    )
    def delete(self, request: Request, bank_id: str) -> Response:
        """For its owner and admins. It cannot be taken back."""
        removed = banks.delete(self.own_bank(bank_id))
        return Response(rendering.deleted("The bank was removed.", removed))

    @staticmethod
    def _changed(bank: Bank, given: dict[str, Any]) -> Response:
        if given.get("access", bank.access) != bank.access:
            raise InvalidBank("Who may open a bank is said when it is made.")
        bank.title = given.get("name", bank.title)
        bank.background = given.get("background", bank.background)
        bank.save(update_fields=["title", "background", "updated_at"])
        settings = {name: value for name, value in given.items() if name not in _OF_THE_ROW}
        if "mission" in given:
            settings.setdefault("reflect_mission", given["mission"])
        for trait, value in given.get("disposition", {}).items():
            settings.setdefault(f"disposition_{trait}", value)
        bank_settings.change(bank, settings)
        return Response(rendering.profile(bank))


class BankStatsView(MemoryView):
    @operation(
        "memory_banks_stats",
        "Count what a bank holds",
        tag=TAG,
        query=StatsQuery,
        replies={200: reply(BankStatsSerializer, "The figures.", {"Figures": examples.STATS})},
    )
    def get(self, request: Request, bank_id: str) -> Response:
        """Nodes are facts and observations; passages and reference sections are not counted."""
        query_of(request, StatsQuery)
        bank = self.bank(bank_id)
        return Response(rendering.stats(bank, statistics.figures(bank)))


class BankGrowthView(MemoryView):
    @operation(
        "memory_banks_growth",
        "See how a bank grew",
        tag=TAG,
        query=GrowthQuery,
        replies={200: reply(GrowthSerializer, "Memories by time.", {"Growth": examples.GROWTH})},
    )
    def get(self, request: Request, bank_id: str) -> Response:
        """Buckets without memories are left out."""
        wanted = query_of(request, GrowthQuery)
        bank = self.bank(bank_id)
        period, time_field = Period(wanted["period"]), TimeField(wanted["time_field"])
        buckets = statistics.growth(bank, period, time_field)
        return Response(rendering.growth(bank, period, time_field, buckets))


class BankConfigView(MemoryView):
    @operation("memory_config_read", "Read a bank's settings", tag=TAG, replies={200: _CONFIG})
    def get(self, request: Request, bank_id: str) -> Response:
        return Response(rendering.config(self.bank(bank_id)))

    @operation(
        "memory_config_change",
        "Change a bank's settings",
        tag=TAG,
        request=BankConfigUpdateSerializer,
        request_example=examples.CONFIG_UPDATE,
        replies={200: _CONFIG},
    )
    def patch(self, request: Request, bank_id: str) -> Response:
        """For its owner and admins. An unknown setting is refused."""
        given = body_of(request, BankConfigUpdateSerializer)
        bank = self.own_bank(bank_id)
        bank_settings.change(bank, given["updates"])
        return Response(rendering.config(bank))

    @operation(
        "memory_config_reset", "Take a bank's settings back", tag=TAG, replies={200: _CONFIG}
    )
    def delete(self, request: Request, bank_id: str) -> Response:
        """For its owner and admins."""
        bank = self.own_bank(bank_id)
        bank_settings.reset(bank)
        return Response(rendering.config(bank))


class RetiredProfileView(MemoryView):
    """Gone from the Hindsight API as well."""

    sentence = "Profiles are retired. Use PUT or PATCH on the bank itself."

    @extend_schema(exclude=True)
    def get(self, request: Request, bank_id: str) -> Response:
        raise errors.Retired(self.sentence)

    @extend_schema(exclude=True)
    def put(self, request: Request, bank_id: str) -> Response:
        raise errors.Retired(self.sentence)


class RetiredBackgroundView(MemoryView):
    @extend_schema(exclude=True)
    def post(self, request: Request, bank_id: str) -> Response:
        raise errors.Retired("The background is retired. Use PATCH on the bank's mission.")
