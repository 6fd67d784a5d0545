"""A sign of life that workers leave on the broker, so that asking for one costs a single read."""

from __future__ import annotations

from functools import cache

import redis
from django.conf import settings

KEY = "footnote:worker:alive"
LIFETIME_SECONDS = 15  # several of the worker's own two-second beats
QUEUE = "footnote:celery"  # the key prefix of the broker's settings and Celery's default queue


@cache
def server() -> redis.Redis:
    """A pool of connections to the broker. Short timeouts: a probe must not hang."""
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=3, socket_connect_timeout=3)


def beat() -> None:
    server().set(KEY, 1, ex=LIFETIME_SECONDS)


def end() -> None:
    server().delete(KEY)


def is_fresh() -> bool:
    return bool(server().exists(KEY))


def queue_length() -> int:
    """Messages that no worker has taken yet."""
    return int(server().llen(QUEUE))
