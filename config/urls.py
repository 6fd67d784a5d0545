"""Addresses. Probes (``/health`` and its siblings) are answered before these, by middleware."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("v1/", include("kb.api.urls")),
    path("", include("kb.urls")),
]
