from __future__ import annotations

import json

import pytest
from django.test import Client

from tests.factories import make_org


@pytest.mark.django_db
def test_body_that_is_too_long_is_refused_in_the_api_s_own_words(settings) -> None:  # type: ignore[no-untyped-def]
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    org = make_org()
    client = Client()
    client.force_login(org.editor.user)
    response = client.post(
        "/v1/kb/docs", json.dumps({"source": "x" * 2000}), content_type="application/json"
    )
    assert (response.status_code, response.json()) == (
        413,
        {"detail": "The body of this request is too long."},
    )
