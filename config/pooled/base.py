"""Connections of a pool, looked at when they are taken out.

Django would leave this to the pool, which takes its broken connections out one after another and
waits between them, 1, 2, 4, 8 seconds: after a restart of the server the next requests wait for
longer than they may.
"""

from __future__ import annotations

from typing import Any

from django.db.backends.postgresql import base
from psycopg import Connection, OperationalError
from psycopg_pool import ConnectionPool


class DatabaseWrapper(base.DatabaseWrapper):
    """Expects ``CONN_HEALTH_CHECKS`` off, so that nothing is looked at twice."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Connection[Any]:
        """Raises ``OperationalError``, a ``PoolTimeout`` among them."""
        connection: Connection[Any] = super().get_new_connection(conn_params)
        if self.pool is None or _is_alive(connection):
            return connection
        # What broke this one has broken the others: all are replaced at once.
        self.pool.putconn(connection)
        self.pool.check()
        replaced: Connection[Any] = super().get_new_connection(conn_params)
        return replaced


def _is_alive(connection: Connection[Any]) -> bool:
    """Costs a round trip."""
    try:
        ConnectionPool.check_connection(connection)
    except OperationalError:
        return False
    return True
