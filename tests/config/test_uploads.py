from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from config import uploads


@pytest.mark.django_db
def test_body_past_the_limit_is_refused_before_anything_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[bytes] = []
    receive = uploads.BoundedUpload.receive_data_chunk

    def note(self: uploads.BoundedUpload, raw_data: bytes, start: int) -> bytes:
        read.append(raw_data)
        return receive(self, raw_data, start)

    monkeypatch.setattr(uploads.BoundedUpload, "receive_data_chunk", note)
    monkeypatch.setattr(uploads, "MAX_BODY", 10_000)
    client = Client()
    large = SimpleUploadedFile("a.bin", b"\0" * 10_000)
    assert client.post("/sign-in", {"file": large}).status_code == 400
    assert read == []
    small = SimpleUploadedFile("a.bin", b"\0" * 1_000)
    assert client.post("/sign-in", {"file": small}).status_code == 200
    assert read
