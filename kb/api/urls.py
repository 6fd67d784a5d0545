from __future__ import annotations

from django.urls import path
from drf_spectacular.views import SpectacularAPIView

from kb.api.docs import DocListView, DocView
from kb.api.qa import AskView, HistoryView
from memory.middleware import opens_own_scopes

urlpatterns = [
    path("kb/docs", DocListView.as_view(), name="api-docs"),
    path("kb/docs/<uuid:doc_id>", DocView.as_view(), name="api-doc"),
    path("kb/docs/<uuid:doc_id>/ask", opens_own_scopes(AskView.as_view()), name="api-ask"),
    path("kb/qa/history", HistoryView.as_view(), name="api-history"),
    path("schema", SpectacularAPIView.as_view(), name="api-schema"),
]
