"""What the tests of imports share: trees on disk, a run over one, and what is there afterwards."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PIL import Image

from kb.importing.applying import Import, ImportOptions
from kb.importing.report import FileReport
from kb.models import Doc, DocLink
from memory import tenancy
from memory.models import Membership
from memory.trees import FolderTree
from tests.factories import Org

Files = Mapping[str, str | bytes]


def png(colour: str = "red") -> bytes:
    """Three pixels wide, two high."""
    out = io.BytesIO()
    Image.new("RGB", (3, 2), colour).save(out, "PNG")
    return out.getvalue()


def write(root: Path, files: Files) -> None:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def run(member: Membership, root: Path, **options: Any) -> dict[str, FileReport]:
    """The reports by path. Pages are published unless the test says otherwise."""
    given = ImportOptions(**({"origin": "docs", "publish": True, "enqueue": False} | options))
    return {one.path: one for one in Import(member, FolderTree(root), given).files()}


def outcomes(reports: Mapping[str, FileReport]) -> dict[str, str]:
    return {path: report.outcome.value for path, report in reports.items()}


def page(org: Org, slug: str) -> Doc:
    with tenancy.scope(org.tenant.pk):
        return Doc.objects.select_related("head_revision", "published_revision").get(
            slug=slug, deleted_at=None
        )


def links(org: Org, slug: str) -> dict[str, str | None]:
    """The slug that each link of a page leads to, by the link as stored."""
    with tenancy.scope(org.tenant.pk):
        found = DocLink.objects.filter(source__slug=slug, source__deleted_at=None)
        return dict(found.values_list("href", "target__slug"))
