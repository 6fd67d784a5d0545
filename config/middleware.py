"""Two things that concern every response: probes that nothing may stand before, and the CSP."""

from __future__ import annotations

from collections.abc import Callable

from csp.middleware import CSPMiddleware, PolicyParts
from csp.utils import default_config
from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

from config.health import PROBES

ADMIN = "/admin/"


class ProbeMiddleware:
    """Answers probes first: before TLS redirects and the check of the Host header.

    A load balancer asks by address, over plain http.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        probe = PROBES.get(request.path_info)
        return probe(request) if probe else self.get_response(request)


class ContentSecurityPolicyMiddleware(CSPMiddleware):
    """The strict policy everywhere, the admin's own one under ``/admin/``."""

    def get_policy_parts(
        self, request: HttpRequest, response: HttpResponseBase, report_only: bool = False
    ) -> PolicyParts:
        parts = super().get_policy_parts(request, response, report_only)
        if parts.config is None and not report_only and request.path_info.startswith(ADMIN):
            parts.config = default_config(settings.ADMIN_CONTENT_SECURITY_POLICY["DIRECTIVES"])
        return parts
