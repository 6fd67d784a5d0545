"""What ``/version`` says to clients of the Hindsight API. ``API_VERSION`` is that API's, not ours."""

from __future__ import annotations

from typing import Final

API_VERSION: Final = "1.1.0"
FEATURES: Final = {
    "observations": True,
    "mcp": False,
    "worker": True,
    "bank_config_api": True,
    "bank_llm_health": True,
    "file_upload_api": True,
    "document_export_api": False,
    "document_import_api": False,
    "audit_log": False,
    "llm_trace": False,
    "store_document_text": True,
}
