"""Addresses. Probes (``/health`` and its siblings) are answered before these, by middleware."""

from __future__ import annotations

from django.urls import include, path

from kb.api.missing import MissingView
from memory.admin_site import site

urlpatterns = [
    path("admin/", site.urls),
    path("v1/", include("kb.api.urls")),
    path("v1/<path:rest>", MissingView.as_view(), name="api-missing"),
    path("", include("kb.urls")),
]
