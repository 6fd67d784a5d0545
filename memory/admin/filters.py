"""Filters that read what people type into an address, and find nothing rather than break."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, time, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.dateparse import parse_date
from unfold.contrib.filters.admin import (
    CheckboxFilter,
    RangeDateFilter,
    RangeNumericFilter,
)


class DaysFilter(RangeDateFilter):
    """From one day to another, both included, in the server's time zone."""

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        if first := self._midnight("from"):
            queryset = queryset.filter(**{f"{self.parameter_name}__gte": first})
        if after := self._midnight("to", days_later=1):
            queryset = queryset.filter(**{f"{self.parameter_name}__lt": after})
        return queryset

    def _midnight(self, end: str, *, days_later: int = 0) -> datetime | None:
        value = self.used_parameters.get(f"{self.parameter_name}_{end}")
        try:
            day = parse_date(value) if isinstance(value, str) else None
            if day is None:
                return None
            midnight = datetime.combine(day + timedelta(days=days_later), time.min)
            return timezone.make_aware(midnight)
        except (ValueError, OverflowError):  # no such day, or beyond the calendar
            return None


class ShareFilter(RangeNumericFilter):
    """From one number to another, both included, each between 0 and 1."""

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        for end, lookup in (("from", "gte"), ("to", "lte")):
            number = _share(self.used_parameters.get(f"{self.parameter_name}_{end}"))
            if number is not None:
                queryset = queryset.filter(**{f"{self.parameter_name}__{lookup}": number})
        return queryset


def _share(value: Any) -> Decimal | None:
    try:
        number = Decimal(str(value).replace(",", "."))
    except InvalidOperation:
        return None
    return round(number, 4) if number.is_finite() and 0 <= number <= 1 else None


class ValuesFilter(CheckboxFilter):
    """Any of a known vocabulary. A subclass names ``parameter_name``, a column, and ``values``."""

    def values(self) -> Sequence[tuple[str, str]]:
        raise NotImplementedError

    def lookups(self, request: HttpRequest, model_admin: Any) -> Sequence[tuple[str, str]]:
        return self.values()

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        known = {value for value, _ in self.values()}
        chosen = [value for value in self.value() or () if value in known]
        return queryset.filter(**{f"{self.parameter_name}__in": chosen}) if chosen else queryset
