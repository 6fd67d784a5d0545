"""Addresses. Probes (``/health`` and its siblings) are answered before these, by middleware."""

from __future__ import annotations

from importlib.util import find_spec

from django.contrib import admin
from django.urls import include, path

urlpatterns = [path("admin/", admin.site.urls)]
urlpatterns += [
    path(prefix, include(module))
    for prefix, module in (("v1/", "kb.api.urls"), ("", "kb.urls"))
    if find_spec(module)
]
