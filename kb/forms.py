"""Forms. They shape what was typed; whether it may be saved is decided by ``kb.intake``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm
from django.core.files.uploadedfile import UploadedFile
from django.core.validators import ProhibitNullCharactersValidator
from django.utils.translation import gettext_lazy as _

from kb import selectors
from kb.importing.jobs import MAX_ARCHIVE
from kb.intake import MAX_SOURCE, MAX_TITLE, PageFields
from kb.models import Category, Doc, Revision, SourceFormat, Status, Visibility
from kb.properties import Properties
from kb.sharing import MAX_USES
from memory.models import Membership
from memory.people import members

MAX_NUMBER = 2**31 - 1  # what a column of numbers holds

LANGUAGES = [
    ("", _("Recognise it")),
    ("en", "English"),
    ("vi", "Tiếng Việt"),
    ("zh", "中文"),
    ("ar", "العربية"),
    ("de", "Deutsch"),
    ("es", "Español"),
    ("fr", "Français"),
    ("hi", "हिन्दी"),
    ("ja", "日本語"),
    ("ko", "한국어"),
    ("pt", "Português"),
    ("ru", "Русский"),
    ("th", "ไทย"),
    ("tr", "Türkçe"),
]


class SignInForm(AuthenticationForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].widget.attrs |= {"autocomplete": "username", "autofocus": True}


class PageTextField(forms.CharField):
    """Text that ``kb.intake`` normalises: a NUL is removed there, not refused here."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.validators = [
            validator
            for validator in self.validators
            if not isinstance(validator, ProhibitNullCharactersValidator)
        ]


class PageForm(forms.Form):
    """A new page, or a change to one. ``base_revision`` and ``base_properties`` (a ``Properties.token``)
    are what the editor started from.
    """

    SIDE = (
        *("slug", "status", "visibility", "allowed_groups"),
        *("category", "language", "owner", "source_format"),
    )

    title = PageTextField(
        max_length=MAX_TITLE,
        widget=forms.TextInput(attrs={"placeholder": _("Title"), "dir": "auto"}),
    )
    source = PageTextField(
        max_length=MAX_SOURCE,
        strip=False,
        widget=forms.Textarea(
            attrs={
                "class": "source",
                "dir": "auto",
                "spellcheck": "true",
                "placeholder": _("Text in Markdown"),
            }
        ),
    )
    source_format = forms.ChoiceField(
        label=_("Format"), choices=SourceFormat.choices, required=False
    )
    slug = forms.CharField(
        label=_("Address"),
        max_length=180,
        required=False,
        help_text=_("A path, as in hr/overtime. Empty: from the title."),
    )
    status = forms.ChoiceField(
        label=_("Status"),
        choices=Status.choices,
        help_text=_("Draft on a published page: readers keep the version before it."),
    )
    visibility = forms.ChoiceField(label=_("Who may read it"), choices=Visibility.choices)
    allowed_groups = forms.CharField(
        label=_("Groups"),
        required=False,
        help_text=_("Names of groups, with commas between them."),
    )
    category = forms.ChoiceField(
        label=_("Category"), choices=[("", _("None")), *Category.choices], required=False
    )
    language = forms.ChoiceField(label=_("Language"), choices=LANGUAGES, required=False)
    owner = forms.ChoiceField(
        label=_("Owner"),
        required=False,
        help_text=_("Always reads the page, and may hand it on."),
    )
    base_revision = forms.IntegerField(
        required=False, min_value=1, max_value=MAX_NUMBER, widget=forms.HiddenInput
    )
    base_properties = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(
        self,
        *args: Any,
        owners: Sequence[tuple[str, str]] = (),
        groups: Sequence[str] = (),
        **kwargs: Any,
    ) -> None:
        """``owners``: whom the page can be handed to, by whoever may do that; else the field is not
        there. ``groups``: those that members are in, so that nobody has to guess their names."""
        super().__init__(*args, **kwargs)
        if groups:
            field = self.fields["allowed_groups"]
            field.help_text = f"{field.help_text} ({', '.join(groups)})"
        if owners:
            self.fields["owner"].choices = owners  # type: ignore[attr-defined]
        else:
            del self.fields["owner"]
        chosen = self["language"].value()
        if chosen and chosen not in dict(LANGUAGES):
            self.fields["language"].choices = [*LANGUAGES, (chosen, chosen)]  # type: ignore[attr-defined]
        for name in self.errors if self.is_bound else ():
            if name in self.fields:
                self.fields[name].widget.attrs["aria-invalid"] = "true"

    @staticmethod
    def initial_of(doc: Doc, revision: Revision) -> dict[str, Any]:
        properties = Properties.of(doc)
        return asdict(properties) | {
            "title": revision.title,
            "source": revision.source,
            "source_format": revision.source_format,
            "allowed_groups": ", ".join(doc.allowed_groups),
            "base_revision": revision.number,
            "base_properties": properties.token(),
        }

    def side(self) -> Iterator[forms.BoundField]:
        """What stands beside the text."""
        return (self[name] for name in self.SIDE if name in self.fields)

    def base(self) -> Properties | None:
        """What the page was like when the editor started. Of a valid form."""
        return Properties.read(self.cleaned_data["base_properties"])

    def page_fields(self) -> PageFields:
        """Of a valid form. Empty choices keep what the page has."""
        given: Mapping[str, Any] = self.cleaned_data
        return PageFields(
            title=given["title"],
            source=given["source"],
            source_format=given["source_format"] or None,
            slug=given["slug"] or None,
            category=given["category"],
            language=given["language"] or None,
            owner=given.get("owner") or None,
            visibility=given["visibility"],
            allowed_groups=given["allowed_groups"].split(","),
            status=given["status"],
        )


def choices_for(member: Membership, doc: Doc | None) -> dict[str, Any]:
    """What a ``PageForm`` offers this member for this page (None: a new one). The page can be handed
    over by its owner and by admins.
    """
    may_hand_over = doc is not None and (member.is_admin or doc.owner_id == member.user_id)
    return {
        "owners": selectors.possible_owners(doc) if doc and may_hand_over else [],
        "groups": members.known_groups(member.tenant_id),
    }


class AutosaveForm(forms.Form):
    """What the editor keeps every few seconds. Anything may be half written."""

    title = forms.CharField(max_length=MAX_TITLE, required=False, strip=False)
    source = forms.CharField(max_length=MAX_SOURCE, required=False, strip=False)
    source_format = forms.ChoiceField(choices=SourceFormat.choices)
    base_revision = forms.IntegerField(required=False, min_value=1, max_value=MAX_NUMBER)


class ImportForm(forms.Form):
    """An archive of pages. What is in it is judged by ``kb.importing``."""

    archive = forms.FileField(
        label=_("Zip archive"),
        help_text=_("Markdown or HTML files with their images, in folders."),
        widget=forms.ClearableFileInput(attrs={"accept": ".zip,application/zip"}),
    )
    name = forms.CharField(
        label=_("Name"),
        required=False,
        max_length=100,
        help_text=_("The same name later updates the same pages. Empty: the file's name."),
    )
    publish = forms.BooleanField(
        label=_("Publish the pages at once"),
        required=False,
        help_text=_("Otherwise they are drafts, except where a file says what it is."),
    )

    def clean_archive(self) -> UploadedFile:
        archive: UploadedFile = self.cleaned_data["archive"]
        if (archive.size or 0) > MAX_ARCHIVE:
            raise forms.ValidationError(
                _("An archive has at most %(size)s MB."), params={"size": MAX_ARCHIVE // 2**20}
            )
        return archive


class ShareForm(forms.Form):
    """A new share link."""

    hours = forms.TypedChoiceField(
        label=_("Works for"),
        coerce=int,
        initial=24,
        choices=[
            (1, _("an hour")),
            (24, _("a day")),
            (7 * 24, _("a week")),
            (30 * 24, _("30 days")),
            (365 * 24, _("a year")),
        ],
    )
    max_uses = forms.IntegerField(
        label=_("Times it can be opened"),
        required=False,
        min_value=0,
        max_value=MAX_USES,
        help_text=_("Empty: as often as anybody likes."),
    )
