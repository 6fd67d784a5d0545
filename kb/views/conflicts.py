"""Two who changed one page at once: what each of them did, and how to keep both. Nothing was saved."""

from __future__ import annotations

from dataclasses import dataclass

from django.forms import BoundField
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from kb import selectors
from kb.diffing import changed_lines
from kb.forms import PageForm, choices_for
from kb.merging import merge
from kb.models import Doc, Revision
from kb.properties import Properties
from kb.views.access import member_of
from memory.language.text import normalise_source
from memory.middleware import TenantRequest
from memory.models import Membership


@dataclass(frozen=True, slots=True)
class _Text:
    """``title`` is as saving would make it; ``merged`` holds both changes, None where they meet."""

    mine: str
    title: str
    merged: str | None
    is_stale: bool


@dataclass(frozen=True, slots=True)
class ChangedProperty:
    """A property that somebody changed meanwhile. ``field`` holds what saving would make of it."""

    field: BoundField
    was: str
    theirs: str


@dataclass(frozen=True, slots=True)
class _Beside:
    """What became of the properties. ``form`` has one's own choices and, where one made none, theirs."""

    form: PageForm
    changed: list[ChangedProperty]
    is_contested: bool  # both changed one, each to something else


def show(request: TenantRequest, doc: Doc, form: PageForm) -> HttpResponse:
    """``form`` is valid, and what it holds could not be saved."""
    member = member_of(request)
    doc = selectors.get_doc(member, doc.pk)
    current = selectors.shown_revision(member, doc)
    text = _text(doc, current, form)
    beside = _beside(member, doc, current, form)
    shown = {"title", "source", *(change.field.name for change in beside.changed)}
    context = {
        "doc": doc,
        "current": current,
        "text": text,
        "changed": beside.changed,
        "kept": [field for field in beside.form if field.name not in shown],
        "fits_together": text.is_stale and text.merged is not None and not beside.is_contested,
        "changes": changed_lines(current.source, text.mine),
    }
    return render(request, "kb/page_conflict.html", context, status=409)


def _text(doc: Doc, current: Revision, form: PageForm) -> _Text:
    number = form.cleaned_data["base_revision"]
    mine, title = form.cleaned_data["source"], form.cleaned_data["title"]
    base = selectors.revisions(doc).filter(number=number).first()
    if base is not None and title == base.title:
        title = current.title  # only they gave it another one
    return _Text(
        mine=mine,
        title=title,
        merged=merge(base.source, normalise_source(mine), current.source) if base else None,
        is_stale=number != current.number,
    )


def _beside(member: Membership, doc: Doc, current: Revision, form: PageForm) -> _Beside:
    now = Properties.of(doc)
    began = form.base() or now
    wanted = began.merged(form.page_fields().properties(), now)
    again = PageForm(
        initial=form.cleaned_data
        | wanted
        | {
            "allowed_groups": ", ".join(wanted["allowed_groups"]),
            "base_revision": current.number,
            "base_properties": now.token(),
        },
        **choices_for(member, doc),
    )
    names = began.changed_to(now)
    return _Beside(
        form=again,
        changed=[
            ChangedProperty(field, _said(field, began), _said(field, now))
            for field in again.side()
            if field.name in names
        ],
        is_contested=bool(began.lost_by(wanted, now)),
    )


def _said(field: BoundField, properties: Properties) -> str:
    """A property's value, for people."""
    value = getattr(properties, field.name)
    if isinstance(value, tuple):
        return ", ".join(value) or _("None")
    choices = dict(getattr(field.field, "choices", ()))
    return str(choices.get(value, value)) or _("None")
