"""The Celery application. Tasks live in ``kb.tasks`` and ``memory.tasks``."""

from __future__ import annotations

import contextlib
import os
from typing import Any

from celery import Celery, signals
from redis.exceptions import RedisError

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("footnote")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.set_default()  # the current app is kept per thread; those of the web server need one, too


@signals.setup_logging.connect
def leave_logging_alone(**_: Any) -> None:
    """Settings configure it. A receiver of this signal keeps Celery from doing so."""


@signals.worker_init.connect
def refuse_unsafe_role(**_: Any) -> None:
    """A worker starts only as a role that row security binds."""
    from memory import checks
    from memory.errors import UnsafeRole

    try:
        checks.refuse_unsafe_role()
    except UnsafeRole as refusal:
        # Celery logs an error in a signal's handler and goes on; this it cannot ignore.
        raise SystemExit(str(refusal)) from refusal


@signals.worker_ready.connect
@signals.heartbeat_sent.connect
def show_life(**_: Any) -> None:
    from config import heartbeat

    with contextlib.suppress(RedisError):  # the broker is away: then so is the sign
        heartbeat.beat()


@signals.worker_shutting_down.connect
def end_life(**_: Any) -> None:
    from config import heartbeat

    with contextlib.suppress(RedisError):
        heartbeat.end()
