"""What the overview counts, for the tenant of the running scope. Each function is one or two queries."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.db import connection
from django.db.models import Count, Q, QuerySet
from django.db.models.functions import TruncDate
from django.utils import timezone

from kb import limits
from kb.models import (
    AskedQuestion,
    AskTicket,
    BaseQuestion,
    Doc,
    Feedback,
    IndexState,
    QaQuestion,
    QaTrace,
    Status,
    Vote,
)
from memory.backends import registry
from memory.models import Level, Node, User, Vector
from memory.types import AnswerKind

logger = logging.getLogger(__name__)

DAYS = 30
_SMOOTHED = 7  # days behind each point of a trend
_DECLINES = [kind.value for kind in AnswerKind if kind.is_decline]

# Each reply's steps are added up once; the row without a day is the whole period.
_SPEED = """
    SELECT day, count(*), percentile_cont(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY took)
    FROM (
        SELECT (created_at AT TIME ZONE %(zone)s)::date AS day,
               (SELECT sum(value::float8) FROM jsonb_each_text(timings_ms)) AS took
        FROM kb_qatrace
        WHERE created_at >= %(since)s AND timings_ms <> '{}'
    ) AS timed
    GROUP BY ROLLUP (day)
"""


@dataclass(frozen=True, slots=True)
class Day:
    """Questions of a day in the server's time zone, by outcome."""

    date: date
    kinds: Mapping[str, int]

    @property
    def asked(self) -> int:
        return sum(self.kinds.values())

    @property
    def answered(self) -> int:
        return sum(count for kind, count in self.kinds.items() if kind not in _DECLINES)


@dataclass(frozen=True, slots=True)
class Speed:
    """Milliseconds in which half, and 95 of 100, of the replies were made."""

    replies: int
    p50: float
    p95: float


@dataclass(frozen=True, slots=True)
class LimitUse:
    """How much of the sliding day's asks somebody used, as ``kb.limits`` counts."""

    user: User
    used: int
    limit: int


@dataclass(frozen=True, slots=True)
class IndexHealth:
    """Pages by state (archived and binned ones have no index), and passages without a vector.

    ``missing`` is None where the encoder cannot be loaded: then nobody knows.
    """

    ready: int
    pending: int
    failed: int
    passages: int
    missing: int | None

    @property
    def pages(self) -> int:
        return self.ready + self.pending + self.failed


@dataclass(frozen=True, slots=True)
class PageCount:
    """``page`` is None for one that is gone."""

    page: Doc | None
    asked: int
    declined: int


def first_day() -> datetime:
    """When the period of the overview began: a midnight."""
    day = timezone.localdate() - timedelta(days=DAYS - 1)
    return timezone.make_aware(datetime.combine(day, time.min))


def days() -> list[Day]:
    """Every day of the period, oldest first, also those on which nobody asked."""
    rows = (
        AskedQuestion.objects.filter(created_at__gte=first_day())
        .values_list(TruncDate("created_at"), "answer_kind")
        .annotate(Count("pk"))
        .order_by()
    )
    counted: dict[date, dict[str, int]] = defaultdict(dict)
    for day, kind, count in rows:
        counted[day][kind] = count
    start = first_day().date()
    dates = [start + timedelta(days=number) for number in range(DAYS)]
    return [Day(day, counted[day]) for day in dates]


def answer_shares(of: Sequence[Day]) -> list[float | None]:
    """For each day the share answered in the week up to it, 0 to 1; None where nobody asked."""
    shares: list[float | None] = []
    for end in range(1, len(of) + 1):
        week = of[max(0, end - _SMOOTHED) : end]
        asked = sum(day.asked for day in week)
        shares.append(sum(day.answered for day in week) / asked if asked else None)
    return shares


def decline_reasons() -> list[tuple[str, int]]:
    """Reasons with how often, most frequent first."""
    declined = QaTrace.objects.filter(created_at__gte=first_day()).exclude(reason="")
    rows = declined.values_list("reason").annotate(count=Count("pk"))
    return list(rows.order_by("-count", "reason"))


def speed() -> tuple[Speed | None, list[Speed | None]]:
    """Over the whole period, and for each of its days. None where no reply was timed."""
    since = first_day()
    with connection.cursor() as cursor:
        cursor.execute(_SPEED, {"zone": timezone.get_current_timezone_name(), "since": since})
        measured = {day: Speed(replies, *took) for day, replies, took in cursor if replies}
    dates = [since.date() + timedelta(days=number) for number in range(DAYS)]
    return measured.get(None), [measured.get(day) for day in dates]


def latest_questions(most: int) -> list[QaQuestion | BaseQuestion]:
    """Newest first. Of each table its own latest, which an index has in this order."""
    latest: list[QaQuestion | BaseQuestion] = [
        *QaQuestion.objects.order_by("-created_at", "question_id")[:most],
        *BaseQuestion.objects.order_by("-created_at", "question_id")[:most],
    ]
    return sorted(latest, key=lambda question: question.created_at, reverse=True)[:most]


def limit_use(most: int) -> list[LimitUse]:
    """Who used most of their asks in the last 24 hours."""
    since = timezone.now() - limits.WINDOW
    rows = (
        AskTicket.objects.filter(counted=True, asked_at__gt=since)
        .values_list("user_id")
        .annotate(used=Count("pk"))
        .order_by("-used", "user_id")[:most]
    )
    used = dict(rows)
    users = User.objects.in_bulk(used)
    return [LimitUse(users[user_id], count, limits.limit()) for user_id, count in used.items()]


def votes() -> dict[str, int]:
    """Up and down."""
    counted = counting_votes(since=first_day()).order_by()
    found = dict(counted.values_list("vote").annotate(Count("pk")))
    return {vote: found.get(vote, 0) for vote in Vote.values}


def counting_votes(*, since: datetime | None = None) -> QuerySet[Feedback]:
    """Of each reader the last vote on each reply."""
    given = Feedback.objects.filter(created_at__gte=since) if since else Feedback.objects.all()
    last = given.order_by("question_id", "user_id", "-created_at").distinct(
        "question_id", "user_id"
    )
    return Feedback.objects.filter(pk__in=last.values("pk"))


def index_health() -> IndexHealth:
    pages = Doc.objects.filter(deleted_at=None).exclude(status=Status.ARCHIVED)
    states = pages.aggregate(
        **{state: Count("pk", filter=Q(index_state=state)) for state in IndexState.values}
    )
    passages = Node.objects.filter(level=Level.R).count()
    return IndexHealth(**states, passages=passages, missing=_missing_vectors(passages))


def most_asked(most: int) -> list[PageCount]:
    return _page_counts(order="-asked", most=most)


def most_declined(most: int) -> list[PageCount]:
    """Pages that most often had no answer: the ones to write next."""
    return [one for one in _page_counts(order="-declined", most=most) if one.declined]


def _missing_vectors(passages: int) -> int | None:
    # A passage has one vector of a recipe, and it goes with the passage: so two counts suffice.
    try:
        recipe = registry.encoder().recipe.name if passages else ""
    except Exception:
        logger.exception("encoder_not_loaded")
        return None
    return passages - Vector.objects.filter(level=Level.R, recipe=recipe).count()


def _page_counts(*, order: str, most: int) -> list[PageCount]:
    rows = (
        QaQuestion.objects.filter(created_at__gte=first_day())
        .values("doc_id")
        .annotate(asked=Count("pk"), declined=Count("pk", filter=Q(answer_kind__in=_DECLINES)))
        .order_by(order, "doc_id")[:most]
    )
    counted = list(rows)
    pages = Doc.objects.only("title", "slug").in_bulk([row["doc_id"] for row in counted])
    return [PageCount(pages.get(row["doc_id"]), row["asked"], row["declined"]) for row in counted]
