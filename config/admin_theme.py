"""How the administration looks and what its sidebar lists: the settings of django-unfold.

Colours are those of ``static/css/tokens.css``: warm paper and ink, and the red of footnotes.
"""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse, reverse_lazy
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


def _item(title: str | Promise, icon: str, name: str) -> dict[str, Any]:
    return {"title": title, "icon": icon, "link": reverse_lazy(f"admin:{name}")}


def _is_at_banks(request: HttpRequest) -> bool:
    """The playground lies below the banks' address and has an entry of its own."""
    path = request.path_info
    beside = path.startswith(reverse("admin:memory_bank_recall"))
    return path.startswith(reverse("admin:memory_bank_changelist")) and not beside


def _icon(request: HttpRequest) -> str:
    return static("img/mark.svg")


UNFOLD: dict[str, Any] = {
    "SITE_TITLE": "Footnote",
    "SITE_HEADER": "Footnote",
    "SITE_SUBHEADER": "memory.admin_site.organisation",
    "SITE_URL": reverse_lazy("home"),
    "SITE_ICON": _icon,
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": _icon}],
    "SHOW_HISTORY": False,
    "SHOW_VIEW_ON_SITE": False,
    "STYLES": [lambda request: static("css/admin.css")],
    "DASHBOARD_CALLBACK": "kb.admin.overview.add_overview",
    "ACCOUNT": {
        "navigation": [
            {
                "title": _("Switch organisation"),
                "link": lambda request: f"{reverse('switch')}?to=admin",
            },
            {"title": _("Change password"), "link": reverse_lazy("password-change")},
        ],
    },
    "SIDEBAR": {
        "navigation": [
            {"items": [_item(_("Overview"), "space_dashboard", "index")]},
            {
                "title": _("Knowledge"),
                "items": [
                    _item(_("Questions"), "format_quote", "kb_qaquestion_changelist"),
                    _item(_("Questions to all"), "manage_search", "kb_basequestion_changelist"),
                    _item(_("Pages"), "description", "kb_doc_changelist"),
                ],
            },
            {
                "title": _("Memory"),
                "items": [
                    _item(_("Banks"), "database", "memory_bank_changelist")
                    | {"active": _is_at_banks},
                    _item(_("Memories"), "neurology", "memory_node_changelist"),
                    _item(_("Entities"), "sell", "memory_entity_changelist"),
                    _item(_("Documents"), "article", "memory_document_changelist"),
                    _item(_("Operations"), "autorenew", "memory_operation_changelist"),
                    _item(_("Recall playground"), "science", "memory_bank_recall"),
                ],
            },
            {
                "title": _("People"),
                "items": [
                    _item(_("Members"), "groups", "memory_membership_changelist"),
                    _item(_("Invitations"), "mail", "memory_invitation_changelist"),
                    _item(_("Accounts"), "person", "memory_user_changelist"),
                    _item(_("API keys"), "key", "memory_apikey_changelist"),
                    _item(_("Organisation"), "apartment", "memory_tenant_changelist"),
                ],
            },
            {
                "title": _("Records"),
                "items": [
                    _item(_("Audit chain"), "link", "memory_auditentry_changelist"),
                    _item(_("Events"), "warning", "memory_event_changelist"),
                ],
            },
        ],
    },
    "BORDER_RADIUS": "8px",
    "COLORS": {
        "base": {
            "50": "oklch(98% .006 85)",
            "100": "oklch(96% .008 85)",
            "200": "oklch(91.5% .012 85)",
            "300": "oklch(86% .014 84)",
            "400": "oklch(70% .016 80)",
            "500": "oklch(54% .016 78)",
            "600": "oklch(44% .014 76)",
            "700": "oklch(36% .012 74)",
            "800": "oklch(27% .009 300)",
            "900": "oklch(21% .008 300)",
            "950": "oklch(15% .007 300)",
        },
        "primary": {
            "50": "oklch(97% .014 38)",
            "100": "oklch(94% .03 38)",
            "200": "oklch(89% .055 37)",
            "300": "oklch(82% .09 36)",
            "400": "oklch(77% .125 35)",
            "500": "oklch(70% .15 34)",
            "600": "oklch(48% .15 33)",
            "700": "oklch(43% .137 33)",
            "800": "oklch(38% .115 33)",
            "900": "oklch(33% .09 33)",
            "950": "oklch(24% .065 33)",
        },
    },
}
