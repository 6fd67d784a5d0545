"""Addresses of the pages that people see. A page's slug is a path, so what is done to it stands first."""

from __future__ import annotations

from django.urls import path, register_converter
from django.urls.converters import PathConverter

from kb.views import (
    account,
    asking,
    autosaving,
    editing,
    exporting,
    feedback,
    files,
    history,
    importing,
    joining,
    lists,
    pages,
    passwords,
    searching,
    sharing,
    upkeep,
)


class PageAddress(PathConverter):
    """A slug. With a character that no database keeps it is no address at all."""

    regex = r"[^\x00]+"


register_converter(PageAddress, "page")

urlpatterns = [
    path("", account.home, name="home"),
    path("sign-in", account.SignInView.as_view(), name="login"),
    path("sign-out", account.SignOutView.as_view(), name="logout"),
    path("switch", account.switch, name="switch"),
    path("join/<str:invitation>", joining.join, name="join"),
    path("password-reset", passwords.reset, name="password-reset"),
    path("password-reset/sent", passwords.reset_sent, name="password-reset-sent"),
    path(
        "password-reset/<uidb64>/<token>",
        passwords.NewPasswordView.as_view(),
        name="password-new",
    ),
    path("password-change", passwords.ChangePasswordView.as_view(), name="password-change"),
    path("s/<str:token>", sharing.shared_page, name="shared-page"),
    path(
        "s/<str:token>/files/<uuid:attachment_id>/<str:name>",
        files.shared_file,
        name="shared-file",
    ),
    path("<slug:tenant_slug>/", lists.page_list, name="pages"),
    path("<slug:tenant_slug>/search", searching.results, name="search"),
    path("<slug:tenant_slug>/search/suggestions", searching.suggestions, name="search-suggestions"),
    path("<slug:tenant_slug>/ask", asking.base, name="ask"),
    path("<slug:tenant_slug>/questions/ask", asking.ask_base, name="base-ask"),
    path("<slug:tenant_slug>/questions", asking.questions, name="questions"),
    path(
        "<slug:tenant_slug>/questions/export", exporting.export_questions, name="questions-export"
    ),
    path(
        "<slug:tenant_slug>/questions/<uuid:question_id>/feedback",
        feedback.vote,
        name="question-feedback",
    ),
    path("<slug:tenant_slug>/new", editing.create, name="page-new"),
    path("<slug:tenant_slug>/preview", editing.preview, name="page-preview"),
    path("<slug:tenant_slug>/autosave", autosaving.autosave, name="autosave-new"),
    path("<slug:tenant_slug>/files", files.upload, name="files"),
    path(
        "<slug:tenant_slug>/files/<uuid:attachment_id>/<str:name>",
        files.file,
        name="file",
    ),
    path("<slug:tenant_slug>/links", upkeep.links, name="links"),
    path("<slug:tenant_slug>/unanswered", upkeep.unanswered, name="unanswered"),
    path("<slug:tenant_slug>/bin", upkeep.bin_of_pages, name="bin"),
    path("<slug:tenant_slug>/import", importing.upload, name="import"),
    path("<slug:tenant_slug>/import/<uuid:job_id>", importing.job, name="import-job"),
    path(
        "<slug:tenant_slug>/import/<uuid:job_id>/progress",
        importing.progress,
        name="import-progress",
    ),
    path("<slug:tenant_slug>/p/<page:slug>", pages.page, name="page"),
    path("<slug:tenant_slug>/ask/<page:slug>", asking.ask_page, name="page-ask"),
    path("<slug:tenant_slug>/edit/<page:slug>", editing.edit, name="page-edit"),
    path("<slug:tenant_slug>/autosave/<page:slug>", autosaving.autosave, name="autosave"),
    path("<slug:tenant_slug>/delete/<page:slug>", editing.delete, name="page-delete"),
    path("<slug:tenant_slug>/share/<page:slug>", sharing.share, name="page-share"),
    path(
        "<slug:tenant_slug>/share-links/<uuid:link_id>/revoke",
        sharing.revoke,
        name="share-link-revoke",
    ),
    path("<slug:tenant_slug>/history/<page:slug>", history.revision_list, name="page-history"),
    path("<slug:tenant_slug>/compare/<page:slug>", history.compare, name="page-compare"),
    path(
        "<slug:tenant_slug>/restore/<int:number>/<page:slug>",
        history.restore,
        name="page-restore",
    ),
    path(
        "<slug:tenant_slug>/revisions/<int:number>/<page:slug>",
        history.revision,
        name="page-revision",
    ),
]
