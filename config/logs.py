"""One JSON object a line, on stderr. Events carry ids and counts: no text, vectors or secrets."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime

# What every record has; the rest of a record's attributes came in through ``extra``.
_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
_UNWANTED = frozenset({"request", "server_time", "status_code"})  # Django's own extras


class JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
        }
        for name, value in vars(record).items():
            if name not in _STANDARD and name not in _UNWANTED and not name.startswith("_"):
                line[name] = value
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str, ensure_ascii=False)
