"""The web application. It refuses to start as a database role that row security does not bind, and
on vectors of another size than the encoder's (``manage.py reindex`` rebuilds them)."""

from __future__ import annotations

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("FOOTNOTE_WITHOUT_OWNER", "1")

application = get_wsgi_application()

from memory.checks import (  # noqa: E402  (models need the set-up above)
    refuse_changed_encoder,
    refuse_unsafe_role,
)

refuse_unsafe_role()
refuse_changed_encoder()
