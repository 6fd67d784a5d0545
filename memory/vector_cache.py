"""The cache of sentence vectors in Valkey. It may forget, and a cache that is away costs only time."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence

from django.core.cache import cache
from django_redis.exceptions import ConnectionInterrupted
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

_DAY = 24 * 3600


class CachedVectors:
    """``memory.reading.sentence_vectors.VectorCache`` on Django's cache."""

    def get_many(self, keys: Sequence[str]) -> Mapping[str, bytes]:
        try:
            found: Mapping[str, bytes] = cache.get_many(keys)
        except (RedisError, ConnectionInterrupted):
            logger.warning("vector_cache_unreachable")
            return {}
        return found

    def set_many(self, values: Mapping[str, bytes]) -> None:
        try:
            cache.set_many(dict(values), timeout=_DAY)
        except (RedisError, ConnectionInterrupted):
            logger.warning("vector_cache_unreachable")
