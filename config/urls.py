"""Addresses. Probes (``/health`` and its siblings) are answered before these, by middleware."""

from __future__ import annotations

from django.urls import include, path

from kb.api.missing import MissingView
from memory.admin_site import site

handler400 = "config.errors.bad_request"
handler500 = "config.errors.server_error"

urlpatterns = [
    path("admin/", site.urls),
    path("v1/default/", include("memory.urls")),
    path("v1/", include("kb.api.urls")),
    path("v1/<anything:rest>", MissingView.as_view(), name="api-missing"),
    path("", include("kb.urls")),
]
