"""Small images for tests."""

from __future__ import annotations

from io import BytesIO

from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image


def picture(format: str = "PNG", *, size: tuple[int, int] = (30, 20), colour: str = "red") -> bytes:
    out = BytesIO()
    Image.new("RGB", size, colour).save(out, format)
    return out.getvalue()


def upload(name: str = "Our Office.png", data: bytes | None = None) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, picture() if data is None else data, content_type="image/png")
