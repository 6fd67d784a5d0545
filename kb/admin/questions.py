"""The history: every question of the organisation, how it ended, and what that rests on. Read-only."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.urls import URLPattern, path
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.decorators import display

from kb.admin import badges, dossier, statistics, verifying
from kb.admin.naming import NamedQuestions
from kb.models import BaseQuestion, Doc, QaQuestion
from memory.admin.base import TenantModelAdmin, actor, moment, tenant
from memory.admin.filters import (
    DaysFilter,
    ShareFilter,
    TypedFilter,
    ValuesFilter,
    as_uuid,
)
from memory.admin_site import site
from memory.language.text import clean_text
from memory.models import User

_EXCERPT = 110


class KindFilter(ValuesFilter):
    title = gettext_lazy("outcome")
    parameter_name = "answer_kind"
    names = badges.KIND_NAMES


class PageFilter(TypedFilter):
    """A page's id, or a part of its title or address."""

    title = gettext_lazy("page")
    parameter_name = "page"

    def found(self, request: HttpRequest, queryset: QuerySet, typed: str) -> QuerySet:
        if doc_id := as_uuid(typed):
            return queryset.filter(doc_id=doc_id)
        named = Doc.objects.filter(Q(title__icontains=typed) | Q(slug__icontains=typed))
        return queryset.filter(doc_id__in=named.values("pk"))


class VoteFilter(ValuesFilter):
    """The last vote of any reader."""

    title = gettext_lazy("feedback")
    parameter_name = "vote"
    names = badges.VOTE_NAMES

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        chosen = self.chosen()
        if not chosen:
            return queryset
        return queryset.filter(
            question_id__in=statistics.counting_votes()
            .filter(vote__in=chosen)
            .values("question_id")
        )


class PersonFilter(TypedFilter):
    """A part of a member's name or address."""

    title = gettext_lazy("user")
    parameter_name = "user"

    def found(self, request: HttpRequest, queryset: QuerySet, typed: str) -> QuerySet:
        named = User.objects.filter(memberships__tenant=tenant(request))
        for word in typed.split():
            named = named.filter(
                Q(username__icontains=word)
                | Q(first_name__icontains=word)
                | Q(last_name__icontains=word)
                | Q(email__icontains=word)
            )
        return queryset.filter(asked_by__in=named.values("pk"))


class _QuestionAdmin(TenantModelAdmin):
    """What both histories share: of questions to a page, and to the whole knowledge base."""

    page_heading = gettext_lazy("Question")
    change_form_template = "admin/question.html"
    list_display_links = ("excerpt",)
    search_fields = ("question_text",)
    search_help_text = gettext_lazy("Words of the question, its id or its trace id")
    ordering = ("-created_at", "question_id")
    list_fullwidth = True
    fields = ("question_id",)
    readonly_fields = ("question_id",)

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[NamedQuestions]:
        return NamedQuestions

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet, search_term: str
    ) -> tuple[QuerySet, bool]:
        term = clean_text(search_term).strip()
        if found := as_uuid(term):  # a trace id has the same 32 digits
            return queryset.filter(Q(question_id=found) | Q(trace_id=found.hex)), False
        for word in term.split():
            queryset = queryset.filter(question_text__icontains=word)
        return queryset, False

    def facts(self, request: HttpRequest, obj: Any) -> dict[str, Any]:
        return {"dossier": dossier.compile_dossier(actor(request), obj)}

    @display(description=gettext_lazy("Asked"), ordering="created_at")
    def asked(self, question: QaQuestion | BaseQuestion) -> str:
        return moment(question.created_at)

    @display(description=gettext_lazy("Question"))
    def excerpt(self, question: QaQuestion | BaseQuestion) -> SafeString:
        text = Truncator(question.question_text).chars(_EXCERPT)
        return format_html('<span class="fn-excerpt" dir="auto">{}</span>', text)

    @display(description=gettext_lazy("Asked by"))
    def asker(self, question: Any) -> str:
        return str(question.person) if question.person else _("an erased user")

    @display(description=gettext_lazy("Outcome"), label=badges.KIND_COLOURS, ordering="answer_kind")
    def kind(self, question: QaQuestion | BaseQuestion) -> tuple[str, str]:
        return question.answer_kind, str(badges.KIND_NAMES[question.answer_kind])

    @display(description=gettext_lazy("Confidence"), ordering="confidence_score")
    def confidence(self, question: QaQuestion | BaseQuestion) -> str | None:
        score = question.confidence_score
        return None if score is None else f"{score:.2f}"


@admin.register(QaQuestion, site=site)
class QaQuestionAdmin(_QuestionAdmin):
    list_display = ("asked", "excerpt", "page_title", "asker", "kind", "confidence")
    list_filter = (
        KindFilter,
        PageFilter,
        PersonFilter,
        VoteFilter,
        ("created_at", DaysFilter),
        ("confidence_score", ShareFilter),
    )
    list_before_template = "admin/questions_lead.html"

    def get_urls(self) -> list[URLPattern]:
        verify = self.admin_site.admin_view(verifying.verify)
        return [path("verify/", verify, name="kb_history_verify"), *super().get_urls()]

    @display(description=gettext_lazy("Page"))
    def page_title(self, question: Any) -> str:
        if question.page is None:
            return _("a page that is gone")
        return Truncator(question.page.title).chars(60)


@admin.register(BaseQuestion, site=site)
class BaseQuestionAdmin(_QuestionAdmin):
    list_display = ("asked", "excerpt", "asker", "kind", "confidence")
    list_filter = (
        KindFilter,
        PersonFilter,
        VoteFilter,
        ("created_at", DaysFilter),
        ("confidence_score", ShareFilter),
    )
