"""Probes for load balancers, orchestrators and ``make run``. They need no sign-in.

/health         everything that an answer needs; 503 names what is missing
/health/live    this process answers
/health/ready   this process can serve: database and broker
/version
/metrics        Prometheus text, without tenant labels; off loopback with METRICS_TOKEN
"""

from __future__ import annotations

import hmac
import logging
import os
import resource
import threading
import time
from collections.abc import Callable, Sequence
from functools import wraps
from ipaddress import ip_address

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from redis.exceptions import RedisError

from config import heartbeat
from kb.demo.state import count_pending
from memory import recipes
from memory.api import features
from memory.checks import refuse_unsafe_role
from memory.errors import UnsafeRole

logger = logging.getLogger("footnote.health")
Probe = Callable[[HttpRequest], HttpResponse]
_STARTED = time.time()
_VECTORS_SECONDS = 60


def database() -> str | None:
    """None when all is well, else a sentence. The reason in detail goes to the log alone."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        refuse_unsafe_role()
    except UnsafeRole as refusal:
        return str(refusal)
    except DatabaseError as error:
        logger.warning("database_unreachable", extra={"error": str(error)})
        return "The database does not answer."
    return None


def broker() -> str | None:
    try:
        heartbeat.server().ping()
    except RedisError as error:
        logger.warning("broker_unreachable", extra={"error": str(error)})
        return "The broker does not answer."
    return None


def worker() -> str | None:
    try:
        return None if heartbeat.is_fresh() else "No worker answers."
    except RedisError:
        return "No worker can be asked: the broker does not answer."


def demo() -> str | None:
    """Where the demo was installed, its pages must be indexed."""
    try:
        pending = count_pending()
    except DatabaseError:
        return "The demo pages cannot be read."
    return f"{pending} demo pages are not indexed yet." if pending else None


def _read_only(probe: Probe) -> Probe:
    @wraps(probe)
    def guarded(request: HttpRequest) -> HttpResponse:
        if request.method not in ("GET", "HEAD"):
            return HttpResponseNotAllowed(["GET", "HEAD"])
        response = probe(request)
        response["Cache-Control"] = "no-store"
        return response

    return guarded


_vectors_seen: tuple[float, str | None] = (0.0, None)  # when, and what was found


def vectors() -> str | None:
    """Vectors that another encoder made wait to be rebuilt. Looked up once a minute: it asks every
    organisation. Counts alone; what the encoders are is for the log."""
    global _vectors_seen
    seen_at, warning = _vectors_seen
    if seen_at == 0.0 or time.monotonic() - seen_at > _VECTORS_SECONDS:
        try:
            passages = sum(change.passages for change in recipes.all_changes())
        except Exception:  # what is broken is named by its own part, or by the encoder's log
            return None
        warning = (
            f"{passages:,} passages have vectors of another encoder: run {recipes.COMMAND}."
            if passages
            else None
        )
        _vectors_seen = time.monotonic(), warning
    return warning


def _report(
    *parts: Callable[[], str | None], warn: Sequence[Callable[[], str | None]] = ()
) -> JsonResponse:
    """``warn``: parts that are told of and do not make it unavailable."""
    found = {part.__name__: part() for part in parts}
    missing = {name: problem for name, problem in found.items() if problem}
    warnings = {part.__name__: problem for part in warn if not missing and (problem := part())}
    body: dict[str, object] = {"status": "unavailable" if missing else "ok", "missing": missing}
    if warnings:
        body["warnings"] = warnings
    body |= {name: "missing" if problem else "ok" for name, problem in found.items()}
    response = JsonResponse(body, status=503 if missing else 200)
    response._has_been_logged = True  # type: ignore[attr-defined]  # Django logs any 503 as an error
    return response


@_read_only
def health(request: HttpRequest) -> HttpResponse:
    return _report(database, broker, worker, demo, warn=[vectors])


@_read_only
def live(request: HttpRequest) -> HttpResponse:
    return JsonResponse(
        {
            "status": "alive",
            "version": settings.VERSION,
            "uptime_seconds": round(time.time() - _STARTED, 3),
        }
    )


@_read_only
def ready(request: HttpRequest) -> HttpResponse:
    return _report(database, broker)


@_read_only
def version(request: HttpRequest) -> HttpResponse:
    return JsonResponse(
        {
            "name": "footnote",
            "version": settings.VERSION,
            "api_version": features.API_VERSION,
            "features": features.FEATURES,
        }
    )


@_read_only
def metrics(request: HttpRequest) -> HttpResponse:
    if not _may_read_metrics(request):
        return HttpResponse("Not found\n", status=404, content_type="text/plain")
    try:
        waiting, seen = heartbeat.queue_length(), heartbeat.is_fresh()
    except RedisError:
        waiting, seen = -1, False
    figures = {
        "footnote_database_up": int(database() is None),
        "footnote_broker_up": int(waiting >= 0),
        "footnote_worker_up": int(seen),
        "footnote_queue_length": max(waiting, 0),
        "process_resident_memory_bytes": _resident_bytes(),
        "process_cpu_seconds_total": round(time.process_time(), 3),
        "process_threads": threading.active_count(),
        "process_start_time_seconds": round(_STARTED, 3),
    }
    lines = [f'footnote_build_info{{version="{settings.VERSION}"}} 1']
    lines += [f"{name} {value}" for name, value in figures.items()]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; version=0.0.4")


def _may_read_metrics(request: HttpRequest) -> bool:
    """The token, or a direct caller on this machine. What a proxy passes on is never direct."""
    token = settings.METRICS_TOKEN
    offered = request.headers.get("Authorization", "").removeprefix("Bearer ").strip()
    if token:
        return hmac.compare_digest(offered.encode(), token.encode())
    if "X-Forwarded-For" in request.headers or "Forwarded" in request.headers:
        return False
    try:
        return ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False


def _resident_bytes() -> int:
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


PROBES: dict[str, Probe] = {
    "/health": health,
    "/health/live": live,
    "/health/ready": ready,
    "/version": version,
    "/metrics": metrics,
}
