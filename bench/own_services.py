"""Runs a module on a PostgreSQL and a Valkey of its own, never on those of a running demo.

    python -m bench.own_services NAME MODULE [ARGUMENT …]      (MODULE may be manage)

Both keep their state between runs, in the folder of the checkout's own state with ``-NAME`` behind it,
and end with the module.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from config.services import pair
from config.services.errors import ServiceError
from config.services.home import CHECKOUT, Home, default_path

_OF_OTHERS = ("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "REDIS_CACHE_URL", "LLM_MODEL")


def main(name: str, module: str, *arguments: str) -> int:
    for variable in _OF_OTHERS:
        os.environ.pop(variable, None)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # the services must end, too
    home = Home(Path(f"{default_path(CHECKOUT)}-{name}"))
    os.environ["FOOTNOTE_HOME"] = str(home.path)
    try:
        pair.ensure(home)
        return _python("manage.py", "migrate", "--verbosity=0") or _python("-m", module, *arguments)
    except ServiceError as error:
        print(error, file=sys.stderr)
        return 1
    finally:
        pair.stop(home, report=lambda line: None)


def _python(*arguments: str) -> int:
    return subprocess.run([sys.executable, *arguments], cwd=CHECKOUT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
