"""Mail to people, where a mail server is set (``EMAIL_HOST``). What it says lies in ``templates/mail``."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from smtplib import SMTPException
from typing import Any

from django.conf import settings
from django.core.mail import send_mail
from django.template.loader import render_to_string

logger = logging.getLogger(__name__)


def is_configured() -> bool:
    return bool(settings.EMAIL_HOST)


def send(to: str, letter: str, context: Mapping[str, Any]) -> bool:
    """Render ``mail/<letter>.txt``, whose first line is the subject, and send it.

    False, and a line in the log without the address, where the server refused or did not answer.
    """
    subject, _, text = render_to_string(f"mail/{letter}.txt", dict(context)).strip().partition("\n")
    try:
        send_mail(" ".join(subject.split()), text.strip() + "\n", None, [to])
    except (SMTPException, OSError):
        logger.exception("mail_failed", extra={"letter": letter})
        return False
    return True
