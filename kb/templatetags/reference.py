"""Words of the API's page."""

from __future__ import annotations

import re

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

_CODE = re.compile(r"(`{1,2})([^`]+)\1")


@register.filter
def with_code(text: str) -> SafeString:
    """Escaped text, what stands between backticks as code."""
    return mark_safe(_CODE.sub(r"<code>\2</code>", escape(text)))
