"""The programs of a running Footnote: web, worker and beat, and what each is told."""

from __future__ import annotations

import os
import sys

from config import env
from config.processes import Program
from config.services.home import Home


def web_worker_beat(home: Home, port: int) -> list[Program]:
    python = sys.executable
    celery = [python, "-m", "celery", "-A", "config.celery"]
    cores = len(os.sched_getaffinity(0))
    hands = env.number("WORKER_PROCESSES", max(1, min(4, cores // 2)), low=1, high=256)
    common = common_environment(home) | {"FOOTNOTE_WITHOUT_OWNER": "1"}
    return [
        Program(
            "web",
            [python, "-m", "gunicorn", "-c", "python:config.gunicorn", "config.wsgi"],
            home.log("web"),
            common | {"PORT": str(port), "DB_POOL_SIZE": env.text("DB_POOL_SIZE", "10")},
            grace_seconds=15,
        ),
        Program(
            "worker",
            [*celery, "worker", f"--concurrency={hands}", "--without-gossip", "--without-mingle"],
            home.log("worker"),
            common,
            grace_seconds=15,
        ),
        Program(
            "beat",
            [*celery, "beat", f"--schedule={home.path / 'beat.schedule'}", "--pidfile="],
            home.log("beat"),
            common,
        ),
    ]


def common_environment(home: Home) -> dict[str, str]:
    return {
        "FOOTNOTE_HOME": str(home.path),
        "FOOTNOTE_LOOPBACK_HTTP": env.text("FOOTNOTE_LOOPBACK_HTTP", "1"),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "PYTHONUNBUFFERED": "1",
    }
