"""The limit of asks: 50 per user and sliding 24 hours.

The truth is the tickets in PostgreSQL, counted under an advisory lock per tenant and user. The
cache remembers when the next ask is free, so that a reader over the limit costs no query.
"""

from __future__ import annotations

import math
import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.utils import timezone
from django.utils.translation import gettext as _

from kb.errors import LimitReached, StillAnswering, TokenReused
from kb.models import AskTicket, Doc
from memory.audit import text_hash
from memory.models import Membership

WINDOW = timedelta(hours=24)


def limit() -> int:
    return int(settings.FOOTNOTE["ASKS_PER_DAY"])


@dataclass(frozen=True, slots=True)
class Admission:
    """A new ticket, or the one that the same idempotency key was given before."""

    ticket: AskTicket
    remaining: int
    is_repeat: bool = False


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a member may still ask in the sliding day, for showing it before it is used up.

    ``frees_at``: when the oldest ask leaves the day; with nothing left, when the next one is free.
    None where nothing was asked.
    """

    left: int
    total: int
    frees_at: datetime | None = None


def refuse_early(member: Membership) -> None:
    """Raise ``LimitReached`` from the cache alone. Never admits anybody, and not for a repeat."""
    retry_at = cache.get(_key(member))
    now = timezone.now()
    if retry_at is not None and retry_at > now:
        raise _refusal(retry_at, now)


def admit(
    member: Membership,
    doc: Doc | None,
    question: str,
    *,
    trace_id: str,
    client_token: str | None,
    counted: bool,
) -> Admission:
    """Count an ask, inside the transaction that writes ``kb.qa_asked``. ``doc`` None: of the whole.

    Raises ``LimitReached``; ``TokenReused`` where the token stands for another question,
    ``StillAnswering`` where its answer is not there yet.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))",
            [f"ask:{member.tenant_id}:{member.user_id}"],
        )
    now = timezone.now()
    digest = text_hash(question)
    if client_token is not None:
        known = AskTicket.objects.filter(user_id=member.user_id, client_token=client_token).first()
        if known is not None:
            return _repeat(known, doc, digest, remaining(member, now=now))
    used = _asked_at(member, now)
    if counted and len(used) >= limit():
        retry_at = used[limit() - 1] + WINDOW
        cache.set(_key(member), retry_at, timeout=math.ceil((retry_at - now).total_seconds()))
        raise _refusal(retry_at, now)
    ticket = AskTicket.objects.create(
        tenant_id=member.tenant_id,
        user_id=member.user_id,
        doc=doc,
        question_id=uuid.uuid4(),
        question_sha256=digest,
        trace_id=trace_id,
        asked_at=now,
        counted=counted,
        client_token=client_token,
    )
    return Admission(ticket, limit() - len(used) - counted)


def remaining(member: Membership, *, now: datetime | None = None) -> int:
    """How many asks a member has left in the sliding day."""
    return allowance(member, now=now).left


def allowance(member: Membership, *, now: datetime | None = None) -> Allowance:
    """One query. Needs a scope."""
    used, total = _asked_at(member, now or timezone.now()), limit()
    return Allowance(total - len(used), total, used[-1] + WINDOW if used else None)


def _asked_at(member: Membership, now: datetime) -> list[datetime]:
    """When the member's counted asks of the window were, newest first."""
    return list(
        AskTicket.objects.filter(user_id=member.user_id, counted=True, asked_at__gt=now - WINDOW)
        .order_by("-asked_at")
        .values_list("asked_at", flat=True)[: limit()]
    )


def _repeat(known: AskTicket, doc: Doc | None, digest: str, left: int) -> Admission:
    if known.question_sha256 != digest or known.doc_id != (doc.pk if doc else None):
        raise TokenReused(_("This Idempotency-Key was used for another question."))
    if not known.finished:
        raise StillAnswering(known.question_id)
    return Admission(known, left, is_repeat=True)


def _refusal(retry_at: datetime, now: datetime) -> LimitReached:
    return LimitReached(retry_at, max(1, math.ceil((retry_at - now).total_seconds())))


def _key(member: Membership) -> str:
    return f"{member.tenant_id}:ask:next:{member.user_id}:{limit()}"
