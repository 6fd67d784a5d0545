from __future__ import annotations

from django.urls import path

from kb.api.docs import DocListView, DocView
from kb.api.qa import AskView, BaseAskView, ExportView, FeedbackView, HistoryView
from kb.api.reference import SchemaView, reference_page
from kb.api.search import SearchView
from kb.api.sharing import DocShareLinksView, ShareLinkView
from memory.middleware import opens_own_scopes

urlpatterns = [
    path("kb/docs", DocListView.as_view(), name="api-docs"),
    path("kb/docs/<uuid:doc_id>", DocView.as_view(), name="api-doc"),
    path("kb/docs/<uuid:doc_id>/ask", opens_own_scopes(AskView.as_view()), name="api-ask"),
    path("kb/docs/<uuid:doc_id>/share-links", DocShareLinksView.as_view(), name="api-share-links"),
    path("kb/share-links/<uuid:link_id>", ShareLinkView.as_view(), name="api-share-link"),
    path("kb/ask", opens_own_scopes(BaseAskView.as_view()), name="api-base-ask"),
    path("kb/search", opens_own_scopes(SearchView.as_view()), name="api-search"),
    path("kb/qa/history", HistoryView.as_view(), name="api-history"),
    path("kb/qa/export", opens_own_scopes(ExportView.as_view()), name="api-export"),
    path("kb/qa/<uuid:question_id>/feedback", FeedbackView.as_view(), name="api-feedback"),
    path("schema", SchemaView.as_view(), name="api-schema"),
    path("docs", reference_page, name="api-reference"),
]
