"""Every setting of Footnote, from the environment. docs/running.md explains the variables.

Without any variable this is a production configuration on the embedded services. Importing it
starts nothing and writes nothing.
"""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

from csp.constants import NONE, SELF, UNSAFE_EVAL, UNSAFE_INLINE
from django.core.exceptions import ImproperlyConfigured

from config import admin_theme, databases, env
from config.services import home as homes
from config.services import roles

BASE_DIR = Path(__file__).resolve().parent.parent
HOME = homes.from_environment()
VERSION = "0.1.0"

DEBUG = env.flag("DEBUG")
LOOPBACK_HTTP = env.flag("FOOTNOTE_LOOPBACK_HTTP")  # plain http, on this machine alone
LOOPBACK_HOSTS = ("localhost", "127.0.0.1", "[::1]")

# --- Identity of this installation ------------------------------------------------------------

SECRET_KEY = env.text("SECRET_KEY") or HOME.secret("secret_key") or ""
if not SECRET_KEY and DEBUG:
    SECRET_KEY = "only-for-debugging"
if not SECRET_KEY:
    raise ImproperlyConfigured(
        "SECRET_KEY is not set and FOOTNOTE_HOME holds none. Set it to 50 random characters, or "
        "start through make run or manage.py, which draw one."
    )

ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", LOOPBACK_HOSTS if DEBUG or LOOPBACK_HTTP else ())
CSRF_TRUSTED_ORIGINS = env.words("CSRF_TRUSTED_ORIGINS")
if LOOPBACK_HTTP and not set(ALLOWED_HOSTS) <= set(LOOPBACK_HOSTS):
    raise ImproperlyConfigured(
        "FOOTNOTE_LOOPBACK_HTTP sends cookies over plain http, so ALLOWED_HOSTS may only name "
        f"{', '.join(LOOPBACK_HOSTS)}. For other hosts put a TLS proxy in front and unset it."
    )

# --- Parts ------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "unfold.apps.BasicAppConfig",  # its default one replaces the admin site by its own
    "unfold.contrib.filters",
    # Finding every page of the administration takes longer than a command on the terminal.
    "django.contrib.admin.apps.SimpleAdminConfig"
    if env.flag("FOOTNOTE_WITHOUT_ADMIN")
    else "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "django_ratelimit",
    "csp",
    "memory",
    "kb",
    "config",
]

MIDDLEWARE = [
    "config.middleware.ProbeMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.middleware.ContentSecurityPolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "memory.api.paths.AddressAsSentMiddleware",
    "memory.middleware.TenancyMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# --- Data -------------------------------------------------------------------------------------

DB_APP_ROLE = roles.app_role()
DATABASES = databases.databases(HOME)
REDIS_URL = databases.redis_url(HOME)
CACHES = {
    "default": {
        "BACKEND": "django_redis.cache.RedisCache",
        "LOCATION": databases.cache_url(REDIS_URL),
        "KEY_PREFIX": "footnote",
        # A cache that is away costs time, never an answer: the truth of every limit is PostgreSQL's.
        "OPTIONS": {
            "SOCKET_CONNECT_TIMEOUT": 3,
            "SOCKET_TIMEOUT": 3,
            "IGNORE_EXCEPTIONS": True,
        },
    }
}
SESSION_ENGINE = "django.contrib.sessions.backends.cached_db"

# --- Background work --------------------------------------------------------------------------

# Soft limit < hard limit < visibility timeout: a task that still runs is never handed out again.
# System check footnote.E001 watches the order.
CELERY_BROKER_URL = databases.broker_url(REDIS_URL)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 900, "global_keyprefix": "footnote:"}
CELERY_TASK_SOFT_TIME_LIMIT = 240
CELERY_TASK_TIME_LIMIT = 300
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True  # a task's status lives on the row that it works on
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_WORKER_MAX_MEMORY_PER_CHILD = 1_500_000  # KB
CELERY_TIMEZONE = "UTC"
# A worker takes from the queues in turn, so that an import is not kept waiting by a pile of saves.
CELERY_TASK_QUEUES: dict[str, dict[str, str]] = {"celery": {}, "imports": {}, "memory": {}}
CELERY_TASK_ROUTES = {
    "kb.tasks.run_import": {"queue": "imports"},
    "memory.tasks.run_operation": {"queue": "memory"},
}
# What no worker took in time (seconds, the last column) expires: the next one does the same.
CELERY_BEAT_SCHEDULE = {
    task: {"task": task, "schedule": every, "options": {"expires": expires}}
    for task, every, expires in (
        ("kb.tasks.reconcile", timedelta(minutes=1), 60),
        ("kb.tasks.close_orphans", timedelta(minutes=1), 60),
        ("kb.tasks.forget_unused_images", timedelta(days=1), 3600),
        ("memory.tasks.reconcile_operations", timedelta(minutes=1), 60),
        ("memory.tasks.purge_keywords", timedelta(days=1), 3600),
    )
}

# --- People -----------------------------------------------------------------------------------

AUTH_USER_MODEL = "memory.User"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
PASSWORD_RESET_TIMEOUT = 24 * 3600
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"

# --- Mail -------------------------------------------------------------------------------------

# Without EMAIL_HOST no mail is sent: admins hand over the links of invitations and new passwords.
EMAIL_HOST = env.text("EMAIL_HOST")
EMAIL_PORT = env.number("EMAIL_PORT", 587)
EMAIL_HOST_USER = env.text("EMAIL_HOST_USER")
EMAIL_HOST_PASSWORD = env.text("EMAIL_HOST_PASSWORD")
EMAIL_USE_SSL = EMAIL_PORT == 465
EMAIL_USE_TLS = env.flag("EMAIL_USE_TLS", default=not EMAIL_USE_SSL)
EMAIL_TIMEOUT = 10  # seconds
DEFAULT_FROM_EMAIL = env.text("DEFAULT_FROM_EMAIL", "Footnote <footnote@localhost>")

# --- The browser ------------------------------------------------------------------------------

SECURE_COOKIES = not (DEBUG or LOOPBACK_HTTP)
SESSION_COOKIE_SECURE = SECURE_COOKIES
CSRF_COOKIE_SECURE = SECURE_COOKIES
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
SECURE_SSL_REDIRECT = SECURE_COOKIES
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if SECURE_COOKIES else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_COOKIES
SECURE_HSTS_PRELOAD = SECURE_COOKIES
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
if env.flag("BEHIND_TLS_PROXY"):
    # The proxy must set this header on every request, or a client could claim to use TLS.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

_NOTHING_BUT_OWN_FILES: dict[str, list[str]] = {
    "default-src": [NONE],
    "script-src": [SELF],
    "style-src": [SELF],
    "img-src": [SELF, "data:"],
    "font-src": [SELF],
    "connect-src": [SELF],
    "form-action": [SELF],
    "frame-ancestors": [NONE],
    "base-uri": [NONE],
}
CONTENT_SECURITY_POLICY = {"DIRECTIVES": _NOTHING_BUT_OWN_FILES}
# The admin's theme evaluates strings and writes scripts and styles into its pages.
ADMIN_CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": _NOTHING_BUT_OWN_FILES
    | {
        "script-src": [SELF, UNSAFE_INLINE, UNSAFE_EVAL],
        "style-src": [SELF, UNSAFE_INLINE],
    }
}

STATIC_URL = "/static/"
STATIC_ROOT = HOME.static
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.storage.StaticStorage"},
}
WHITENOISE_USE_FINDERS = DEBUG

UNFOLD = admin_theme.UNFOLD

# --- Language and time ------------------------------------------------------------------------

USE_TZ = True
TIME_ZONE = "UTC"
USE_I18N = True
LANGUAGE_CODE = "en"
LANGUAGES = [  # those that the interface is translated to, not those of pages
    ("en", "English"),
    ("de", "Deutsch"),
]
LOCALE_PATHS = [BASE_DIR / "locale"]

# --- API --------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "memory.rest.authentication.ApiKeyAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["memory.rest.parsing.BoundedJSONParser"],
    "EXCEPTION_HANDLER": "kb.api.errors.handle",
    "URL_FORMAT_OVERRIDE": None,  # ?format= is the export's own parameter
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Footnote",
    "DESCRIPTION": "Ask a page; every claim of the answer points to its exact words.",
    "VERSION": VERSION,
    "SERVE_INCLUDE_SCHEMA": False,
    "PATH_CONVERTER_OVERRIDES": {"id": str, "long_id": str},
    # Fields of one name and several vocabularies.
    "ENUM_NAME_OVERRIDES": {
        "StatusEnum": "kb.models.Status",
        "ReasonEnum": "kb.api.serializers.REASONS",
        "OperationStatusEnum": "memory.api.shapes.operations.STATUSES",
        "NoAnswerEnum": "memory.api.shapes.reflect.REASONS",
        "FactTypeEnum": "memory.api.shapes.recall.TYPES",
        "LevelEnum": "memory.api.shapes.recall.LEVELS",
        "MemoryStateEnum": "memory.api.shapes.memories.STATES",
    },
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 8 * 2**20  # a page of 500,000 characters, four bytes each, as JSON
FILE_UPLOAD_HANDLERS = [
    "config.uploads.BoundedUpload",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]

# --- Models and limits ------------------------------------------------------------------------

LLM_MODEL = env.text("LLM_MODEL")
_EXTRACTOR = "hosted.HostedExtractor" if LLM_MODEL else "rules.RulesExtractor"
_GENERATOR = "hosted.HostedGenerator" if LLM_MODEL else "extractive.ExtractiveGenerator"

FOOTNOTE: dict[str, Any] = {
    # Seams, by dotted path. A comma-separated list of judges is asked in turn.
    "ENCODER": env.text("FOOTNOTE_ENCODER", "memory.backends.encoders.e5.E5"),
    "RERANKER": env.text(
        "FOOTNOTE_RERANKER", "memory.backends.rerankers.embedded.EmbeddedReranker"
    ),
    # Of a cross-encoder: its folder, or a service's model in litellm's notation, and the relevance below
    # which nothing is worth showing. Without a floor of its own it has none.
    "RERANKER_MODEL": env.text("RERANKER_MODEL"),
    "RERANKER_API_BASE": env.text("RERANKER_API_BASE"),
    "RERANKER_FLOOR": env.real("RERANKER_FLOOR", 0.0) or None,
    "GENERATOR": env.text("FOOTNOTE_GENERATOR", f"memory.backends.generators.{_GENERATOR}"),
    "EXTRACTOR": env.text("FOOTNOTE_EXTRACTOR", f"memory.backends.extractors.{_EXTRACTOR}"),
    "JUDGES": env.words("FOOTNOTE_JUDGES", ("memory.backends.judges.embedded.EmbeddedJudge",)),
    "CONVERTER": env.text("FOOTNOTE_CONVERTER", "kb.importing.conversion.PageConverter"),
    "LLM_MODEL": LLM_MODEL,
    "LLM_API_BASE": env.text("LLM_API_BASE"),
    "LLM_TIMEOUT": env.real("LLM_TIMEOUT", 60.0),  # seconds, for each of at most two tries
    "ASKS_PER_DAY": env.number("ASKS_PER_DAY", 50),
    "ASK_BURST": env.text("ASK_BURST", "120/m"),
}
METRICS_TOKEN = env.text("METRICS_TOKEN")
DJANGO_REDIS_LOG_IGNORED_EXCEPTIONS = True
RATELIMIT_FAIL_OPEN = True
RATELIMIT_VIEW = "config.errors.too_many_requests"

# --- Log --------------------------------------------------------------------------------------

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": "config.logs.JsonFormatter"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
    "root": {"handlers": ["stderr"], "level": env.text("LOG_LEVEL", "INFO")},
    "loggers": {
        "django.request": {"level": "ERROR"},  # a 404 is no event
        "LiteLLM": {"level": "WARNING"},
        "httpx": {"level": "WARNING"},
    },
}
