"""The questions that the recall playground asks. A form that is sent by GET: an address can be kept."""

from __future__ import annotations

import re
from typing import Any, Final

from django import forms
from django.db.models import QuerySet
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memory import tags
from memory.admin import badges
from memory.dates import parse_datetime
from memory.errors import InvalidQuery, InvalidTags, InvalidTime
from memory.hits import Arm, Budget, Window
from memory.language.text import clean_text
from memory.levels import FactType, Level
from memory.models import Bank
from memory.recall import planning
from memory.recall.request import Floor, RecallRequest
from memory.tags import TagFilter, TagMatch

_TEXT: Final = {"class": "fn-input", "autocomplete": "off"}
_MOST_LETTERS: Final = 4_000
_LEVELS: Final = [(level, badges.LEVEL_NAMES[level]) for level in Level]


class RecallForm(forms.Form):
    """``request`` is what recall takes, once the form is valid."""

    bank = forms.ModelChoiceField(Bank.objects.none(), label=gettext_lazy("Bank"))
    q = forms.CharField(label=gettext_lazy("Query"), max_length=_MOST_LETTERS)
    levels = forms.MultipleChoiceField(
        label=gettext_lazy("Levels"),
        required=False,
        choices=[(level.value, format_lazy("{} {}", level.value, name)) for level, name in _LEVELS],
        widget=forms.CheckboxSelectMultiple,
    )
    types = forms.MultipleChoiceField(
        label=gettext_lazy("Types"),
        required=False,
        choices=[(kind.value, badges.TYPE_NAMES[kind]) for kind in FactType],
        widget=forms.CheckboxSelectMultiple,
    )
    arms = forms.MultipleChoiceField(
        label=gettext_lazy("Ways of finding"),
        required=False,
        choices=[(arm.value, badges.ARM_NAMES[arm]) for arm in Arm],
        widget=forms.CheckboxSelectMultiple,
    )
    tags = forms.CharField(
        label=gettext_lazy("Tags"),
        required=False,
        help_text=gettext_lazy("Separated by commas"),
    )
    match = forms.ChoiceField(
        label=gettext_lazy("How tags match"),
        required=False,
        choices=[(match.value, match.value.replace("_", " ")) for match in TagMatch],
    )
    budget = forms.ChoiceField(
        label=gettext_lazy("Budget"),
        required=False,
        choices=[(one.value, f"{one.value} · {one.width}") for one in Budget],
        help_text=gettext_lazy("Candidates of each way and level"),
    )
    k = forms.IntegerField(label=gettext_lazy("Hits"), required=False, min_value=1, max_value=100)
    floor = forms.FloatField(
        label=gettext_lazy("Floor"),
        required=False,
        min_value=0,
        max_value=1,
        help_text=gettext_lazy("Empty: the reranker's own; 0: none"),
    )
    asked_at = forms.CharField(
        label=gettext_lazy("Asked at"),
        required=False,
        help_text=gettext_lazy("What “last month” is counted from; empty: now"),
    )
    start = forms.CharField(label=gettext_lazy("From"), required=False)
    end = forms.CharField(
        label=gettext_lazy("To"),
        required=False,
        help_text=gettext_lazy("In place of a time in the query"),
    )
    rerank = forms.BooleanField(label=gettext_lazy("Rerank"), required=False)
    superseded = forms.BooleanField(label=gettext_lazy("Superseded facts too"), required=False)

    def __init__(self, banks: QuerySet[Bank], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["bank"]
        field.queryset = banks
        for name in (
            "q",
            "tags",
            "k",
            "floor",
            "asked_at",
            "start",
            "end",
            "bank",
            "match",
            "budget",
        ):
            self.fields[name].widget.attrs |= _TEXT

    def clean_q(self) -> str:
        query = clean_text(self.cleaned_data["q"])
        try:
            planning.check(query)
        except InvalidQuery as error:
            raise forms.ValidationError(str(error)) from None
        return query

    def clean_tags(self) -> tuple[str, ...]:
        given = [one.strip() for one in re.split(r"[,\n]", self.cleaned_data["tags"])]
        try:
            return tags.checked(clean_text(one) for one in given if one)
        except InvalidTags as error:
            raise forms.ValidationError(str(error)) from None

    def clean_asked_at(self) -> Any:
        return self._time("asked_at")

    def clean_start(self) -> Any:
        return self._time("start")

    def clean_end(self) -> Any:
        return self._time("end")

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        start, end = given.get("start"), given.get("end")
        if (start is None) != (end is None) and not self.errors:
            self.add_error("end", _("A period has a beginning and an end."))
        if start is not None and end is not None and end < start:
            self.add_error("end", _("The period ends before it begins."))
        return given

    def _time(self, name: str) -> Any:
        given = self.cleaned_data[name].strip()
        if not given:
            return None
        try:
            return parse_datetime(given)
        except InvalidTime as error:
            raise forms.ValidationError(str(error)) from None

    def request(self) -> RecallRequest:
        given = self.cleaned_data
        floor = given["floor"]
        return RecallRequest(
            bank_id=given["bank"].pk,
            query=given["q"],
            levels=tuple(map(Level, given["levels"])) or (Level.L1, Level.L2),
            types=tuple(map(FactType, given["types"])) or None,
            tags=self._tags(),
            width=Budget(given["budget"] or Budget.LOW).width,
            k=given["k"] or 10,
            floor=Floor.OF_RERANKER if floor is None else floor,
            asked_at=given["asked_at"],
            window=Window(given["start"], given["end"]) if given["start"] else None,
            arms=frozenset(map(Arm, given["arms"])) or frozenset(Arm),
            rerank=given["rerank"],
            superseded=given["superseded"],
            trace=True,
        )

    def _tags(self) -> TagFilter | None:
        return tags.flat(self.cleaned_data["tags"], self.cleaned_data["match"] or TagMatch.ANY)
