from __future__ import annotations

import json
import logging
import sys

from config.logs import JsonFormatter


def formatted(**extra: object) -> dict[str, object]:
    record = logging.makeLogRecord(
        {"name": "kb.asking", "levelno": 40, "levelname": "ERROR", "msg": "ask_fault", **extra}
    )
    return dict(json.loads(JsonFormatter().format(record)))


def test_line_is_json_with_the_event_and_its_ids() -> None:
    line = formatted(trace_id="ab" * 16, claims=3)
    assert line.pop("at")
    assert line == {
        "level": "error",
        "logger": "kb.asking",
        "event": "ask_fault",
        "trace_id": "ab" * 16,
        "claims": 3,
    }


def test_request_objects_are_left_out_and_odd_values_do_not_break_the_line() -> None:
    line = formatted(request=object(), doc_id=object())
    assert "request" not in line
    assert "object" in str(line["doc_id"])


def test_exception_is_kept_in_one_line() -> None:
    try:
        raise ValueError("bad\nvalue")
    except ValueError:
        record = logging.makeLogRecord({"exc_info": sys.exc_info()})
    text = JsonFormatter().format(record)
    assert "\n" not in text
    assert "ValueError: bad" in json.loads(text)["exception"]
