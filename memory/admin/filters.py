"""Filters that read what people type into an address, and find nothing rather than break."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, time, timedelta
from decimal import Decimal, InvalidOperation
from functools import reduce
from operator import or_
from typing import Any, ClassVar
from uuid import UUID

from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy
from unfold.contrib.filters.admin import (
    CheckboxFilter,
    RangeDateFilter,
    RangeNumericFilter,
    TextFilter,
)

from memory.language.text import clean_text


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


class TypedFilter(TextFilter):
    """By what is typed, where anything is."""

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        typed = clean_text(self.value() or "").strip()
        return self.found(request, queryset, typed) if typed else queryset

    def found(self, request: HttpRequest, queryset: QuerySet, typed: str) -> QuerySet:
        """The rows that ``typed`` means; of a plain one those whose column holds it."""
        return queryset.filter(**{f"{self.parameter_name}__icontains": typed})


def as_uuid(typed: str) -> UUID | None:
    try:
        return UUID(typed)
    except ValueError:
        return None


class ValuesFilter(CheckboxFilter):
    """Any of a known vocabulary: values of the column ``parameter_name``, with their ``names``."""

    names: ClassVar[Mapping[str, str | Promise]] = {}

    def values(self) -> Mapping[str, str | Promise]:
        """For a vocabulary that is not known yet when its class is read."""
        return self.names

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(value, str(name)) for value, name in self.values().items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        chosen = self.chosen()
        return queryset.filter(**{f"{self.parameter_name}__in": chosen}) if chosen else queryset

    def chosen(self) -> list[str]:
        known = self.values()
        return [value for value in self.value() or () if value in known]


class StateFilter(ValuesFilter):
    """Any of the states that several columns tell together."""

    title = gettext_lazy("state")
    parameter_name = "state"

    def conditions(self, now: datetime) -> Mapping[str, Q]:
        """When a row is in each of the states."""
        return {}

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        conditions = self.conditions(timezone.now())
        return queryset.filter(reduce(or_, (conditions[state] for state in self.chosen()), Q()))
