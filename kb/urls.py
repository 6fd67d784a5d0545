"""Addresses of the pages that people see. A page's slug is a path, so what is done to it stands first."""

from __future__ import annotations

from django.urls import path

from kb.views import account, asking, editing, history, pages

urlpatterns = [
    path("", account.home, name="home"),
    path("sign-in", account.SignInView.as_view(), name="login"),
    path("sign-out", account.SignOutView.as_view(), name="logout"),
    path("switch", account.switch, name="switch"),
    path("<slug:tenant_slug>/", pages.page_list, name="pages"),
    path("<slug:tenant_slug>/questions", asking.questions, name="questions"),
    path("<slug:tenant_slug>/new", editing.create, name="page-new"),
    path("<slug:tenant_slug>/preview", editing.preview, name="page-preview"),
    path("<slug:tenant_slug>/p/<path:slug>", pages.page, name="page"),
    path("<slug:tenant_slug>/ask/<path:slug>", asking.ask_page, name="page-ask"),
    path("<slug:tenant_slug>/edit/<path:slug>", editing.edit, name="page-edit"),
    path("<slug:tenant_slug>/history/<path:slug>", history.revision_list, name="page-history"),
    path(
        "<slug:tenant_slug>/revisions/<int:number>/<path:slug>",
        history.revision,
        name="page-revision",
    ),
]
