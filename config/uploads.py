"""How large a request with files may be: decided by its header, before anything is stored.

Django bounds the fields of a form, not its files: those would fill the disk before a view can look.
"""

from __future__ import annotations

from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import FileUploadHandler

# A handful of images at once, or one archive of pages; their own limits are checked where they are read.
MAX_BODY = 64 * 2**20


class BoundedUpload(FileUploadHandler):
    """The first handler. It keeps nothing, and lets the next ones do their work."""

    def handle_raw_input(self, input_data: Any, META: Any, content_length: int, *rest: Any) -> None:
        if content_length > MAX_BODY:
            raise RequestDataTooBig(f"An upload has at most {MAX_BODY // 2**20} MB.")

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        return raw_data

    def file_complete(self, file_size: int) -> None:
        return None
