"""The button that verifies the history, and what came of it."""

from __future__ import annotations

import logging
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST
from kombu.exceptions import OperationalError as BrokerUnreachable

from kb import tasks, verification
from kb.verification import Verification, VerificationState
from memory.admin.base import tenant

logger = logging.getLogger(__name__)


@require_POST
def verify(request: HttpRequest) -> HttpResponse:
    """Verify a short history at once, and have a worker verify a long one."""
    tenant_id = tenant(request).pk
    if verification.is_short():
        _tell(request, verification.run(tenant_id))
        return redirect("admin:index")
    verification.announce(tenant_id)
    try:
        tasks.verify_history.delay(str(tenant_id))
    except BrokerUnreachable:
        logger.warning("broker_unreachable", extra={"tenant_id": str(tenant_id)})
        verification.withdraw(tenant_id)
        messages.error(request, _("No worker can be reached. Please try again in a moment."))
    else:
        messages.info(request, _("The history is being verified. The result will stand here."))
    return redirect("admin:index")


def _tell(request: HttpRequest, made: Verification) -> None:
    figures: dict[str, Any] = {"entries": made.entries, "citations": made.citations}
    if made.state is VerificationState.HOLDS:
        said = _("The history holds. Entries: %(entries)s. Citations: %(citations)s.")
        messages.success(request, said % figures)
    else:
        said = _("The history is broken at %(place)s.")
        messages.error(request, said % {"place": made.broken})
