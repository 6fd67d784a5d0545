"""Starts the embedded services again that have ended while Footnote runs."""

from __future__ import annotations

import time
from collections import defaultdict

from config.processes import is_too_often
from config.services import pair
from config.services.errors import ServiceError
from config.services.home import Home
from config.services.pair import say


class Guard:
    """``started``: what is to be stopped in the end. What is started here is added to it."""

    def __init__(self, home: Home, started: list[pair.Service]) -> None:
        self._home = home
        self._started = started
        self._guarded = [kind(home, None, say) for kind in pair.wanted()]
        self._attempts: dict[str, list[float]] = defaultdict(list)  # on the monotonic clock

    def look(self) -> list[str]:
        """The names of what had ended and runs again. One that does not start is tried anew the next
        time. Raises ``ServiceError`` for one that will not live."""
        ended = [service.name for service in self._guarded if service.process() is None]
        if not ended:
            return []
        for name in ended:
            say(f"{name} has ended. Its log is in {self._home.path}.")
            self._attempts[name].append(time.monotonic())
            if is_too_often(self._attempts[name]):
                raise ServiceError(f"{name} does not stay alive.")
        try:
            again = pair.ensure(self._home)
        except ServiceError as error:
            say(str(error))
            return []
        known = {service.name for service in self._started}
        self._started += [service for service in again if service.name not in known]
        return [service.name for service in again]
