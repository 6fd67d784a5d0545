"""The product's settings on the tests' own services, never on a demo's or the environment's."""

from __future__ import annotations

import os
from pathlib import Path

from config.services import roles
from config.services.home import CHECKOUT, Home, default_path

_FOREIGN = ("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "REDIS_CACHE_URL", "DB_POOL_SIZE")
_MODELS = ("LLM_MODEL", "LLM_API_BASE", "FOOTNOTE_WITHOUT_OWNER", "DEBUG", "ALLOWED_HOSTS")
for name in _FOREIGN + _MODELS:
    os.environ.pop(name, None)

HOME_OF_TESTS = os.environ.get("FOOTNOTE_TEST_HOME") or f"{default_path(CHECKOUT)}-test"
os.environ |= {
    "FOOTNOTE_HOME": HOME_OF_TESTS,
    "FOOTNOTE_LOOPBACK_HTTP": "1",
    "SECRET_KEY": "for-tests-alone-for-tests-alone-for-tests-alone-for-tests",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
}

# The settings read both passwords, so they are drawn before the server that will know them starts.
_home = Home(Path(HOME_OF_TESTS))
_home.prepare()
for secret in (roles.OWNER_PASSWORD, roles.APP_PASSWORD):
    _home.make_secret(secret)

from config.settings import *  # noqa: E402, F403
from config.settings import CACHES, FOOTNOTE, HOME, STORAGES  # noqa: E402

# Two databases of the server for each worker of pytest-xdist: its broker and its cache.
_worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
REDIS_URL = f"unix://{HOME.valkey_socket}?db={2 * _worker}"
CELERY_BROKER_URL = f"redis+socket://{HOME.valkey_socket}?virtual_host={2 * _worker}"
CACHES["default"]["LOCATION"] = f"unix://{HOME.valkey_socket}?db={2 * _worker + 1}"

STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
WHITENOISE_AUTOREFRESH = WHITENOISE_USE_FINDERS = True  # files as they are, nothing collected
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # fast, and only here

# Deterministic and light. A test that is about the real ones says so (see ``real_models``).
FOOTNOTE |= {
    "ENCODER": "memory.backends.encoders.fake.FakeEncoder",
    "RERANKER": "memory.backends.rerankers.fake.FakeReranker",
    "LLM_MODEL": "",
}
