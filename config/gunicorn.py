"""The web server's configuration: ``gunicorn -c python:config.gunicorn config.wsgi``.

One process with threads keeps one copy of the encoder in memory; its arithmetic runs outside the
interpreter's lock. More processes are a setting.
"""

from __future__ import annotations

import os

from config import env

bind = f"{env.text('BIND', '127.0.0.1')}:{env.number('PORT', 8000, low=1, high=65535)}"
workers = env.number("WEB_PROCESSES", 1, low=1, high=256)
threads = env.number("WEB_THREADS", 8, low=1, high=256)
worker_class = "gthread"
worker_tmp_dir = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
timeout = 120  # of the whole process, not of a request
graceful_timeout = 10
keepalive = 5
proc_name = "footnote"
logconfig_dict = {  # laid over gunicorn's own, part by part, so names are gunicorn's
    "formatters": {"json": {"()": "config.logs.JsonFormatter"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "json"}},
    "loggers": {
        "gunicorn.error": {"level": "INFO", "handlers": ["console"], "propagate": False},
        # Addresses hold what people searched for, which belongs in no log.
        "gunicorn.access": {"level": "WARNING", "handlers": ["console"], "propagate": False},
    },
}
control_socket_disable = True  # it would lie in one place for all installations of a user
