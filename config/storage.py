"""Static files under names that change with their content."""

from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticStorage(CompressedManifestStaticFilesStorage):
    """Scripts import each other by hashed names, too: a browser never mixes two versions."""

    support_js_module_import_aggregation = True
