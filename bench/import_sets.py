"""Imports every knowledge base of the data from files, and checks each page of it.

    python -m bench.own_services import bench.import_sets --data DIR [--vectors] [--report FILE]

Each set is written back to files and imported into a tenant of its own. Links are compared with
those that the data names; every chunk is cut from its revision again. Run on state that holds the
sets already, it measures how fast a second import finds that nothing changed.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import django

if TYPE_CHECKING:
    from kb.importing.report import FileReport
    from memory.models import Membership

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

Row = dict[str, Any]


@dataclass(slots=True)
class Figures:
    name: str
    pages: int = 0
    outcomes: dict[str, int] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    seconds: float = 0.0
    seconds_again: float = 0.0  # the same tree a second time
    load: float = 0.0  # of the whole machine meanwhile: tasks that ran or wanted to
    languages: int = 0
    links_named: int = 0  # links to another page that the data names a target for
    links_right: int = 0
    links_wrong: int = 0
    links_elsewhere: int = 0  # of the named ones, written as the address of a web site
    chunks: int = 0
    chunks_wrong: int = 0
    texts_wrong: int = 0

    @property
    def pages_per_second(self) -> float:
        return self.pages / self.seconds if self.seconds else 0.0


def sets_in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("kb_*") if (path / "pages.jsonl.gz").is_file())


def rows_of(folder: Path) -> list[Row]:
    with gzip.open(folder / "pages.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def write_tree(rows: list[Row], root: Path) -> None:
    for row in rows:
        path = root / row["path"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(row["raw"], encoding="utf-8", newline="")


def measure(folder: Path, *, with_vectors: bool) -> Figures:
    from kb.importing.applying import ImportOptions
    from memory.models import Role, Tenant
    from memory.people import members

    figures = Figures(folder.name)
    rows = rows_of(folder)
    slug = folder.name.replace("_", "-")
    tenant, _ = Tenant.objects.get_or_create(slug=slug, defaults={"name": folder.name})
    member = members.add(tenant, f"import-{slug}", Role.EDITOR)
    options = ImportOptions(origin=folder.name, publish=True, enqueue=False)
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        write_tree(rows, root)
        started = time.perf_counter()
        reports = list(_followed(member, root, options, total=len(rows)))
        if with_vectors:
            _embed(member)
        figures.seconds = time.perf_counter() - started
        figures.load = os.getloadavg()[0]
        started = time.perf_counter()
        again = list(_followed(member, root, options, total=len(rows)))
        figures.seconds_again = time.perf_counter() - started
    figures.pages = len(rows)
    figures.outcomes = dict(Counter(report.outcome.value for report in reports))
    figures.errors = [
        f"{report.path}: {report.outcome} {report.reason}"
        for report in (*reports, *again)
        if report.outcome not in ("added", "unchanged")
    ] + [f"{report.path}: {report.outcome} again" for report in again if report.outcome == "added"]
    _check_links(member, rows, options.origin, figures)
    _check_text(member, figures)
    return figures


def _followed(member: Membership, root: Path, options: Any, *, total: int) -> Iterator[FileReport]:
    from kb.importing.applying import Import
    from memory.trees import FolderTree

    for number, report in enumerate(Import(member, FolderTree(root), options).files(), 1):
        yield report
        if number % 100 == 0:
            print(f"{options.origin}: {number} of {total}", file=sys.stderr)


def _embed(member: Membership) -> None:
    from kb import index
    from kb.models import Doc
    from memory import tenancy

    with tenancy.scope(member.tenant_id):
        doc_ids = list(Doc.objects.exclude(index_state="ready").values_list("pk", flat=True))
    for doc_id in doc_ids:
        index.embed_page(member.tenant_id, doc_id)


def _check_links(member: Membership, rows: list[Row], origin: str, figures: Figures) -> None:
    """Every link to another page that the data names, against where it leads here."""
    from kb.links import TargetKind, parse_target
    from kb.models import DocLink, ImportedFile
    from memory import tenancy

    with tenancy.scope(member.tenant_id):
        docs = dict(ImportedFile.objects.filter(origin=origin).values_list("path", "doc_id"))
        stored = {
            (source, unquote(href)): target
            for source, href, target in DocLink.objects.values_list("source", "href", "target")
        }
    paths = {row["page_id"]: row["path"] for row in rows}
    for row in rows:
        for href, target_id in {link["href"]: link["target"] for link in row["links"]}.items():
            if target_id is None or href.startswith("#"):
                continue
            figures.links_named += 1
            target = parse_target(href)
            if target is not None and target.kind is TargetKind.EXTERNAL:
                figures.links_elsewhere += 1
                continue
            found = stored.get((docs[row["path"]], unquote(href)))
            if found == docs[paths[target_id]]:
                figures.links_right += 1
            elif found is not None:
                figures.links_wrong += 1


def _check_text(member: Membership, figures: Figures) -> None:
    """Offsets: the stored text is that of the stored HTML, and every node is its slice of it."""
    from kb.models import Chunk, Doc
    from kb.rendering import outline
    from memory import tenancy
    from memory.models import Node

    with tenancy.scope(member.tenant_id):
        doc_ids = list(Doc.objects.filter(deleted_at=None).values_list("pk", flat=True))
        figures.languages = Doc.objects.exclude(language="").values("language").distinct().count()
    for doc_id in doc_ids:
        with tenancy.scope(member.tenant_id):
            doc = Doc.objects.select_related("indexed_revision").get(pk=doc_id)
            nodes = {node.chunk_id: node.text for node in Node.objects.filter(document_id=doc_id)}
            chunks = list(Chunk.objects.filter(revision=doc.indexed_revision_id))
        revision = doc.indexed_revision
        if revision is None or outline(revision.html)[0] != revision.text:
            figures.texts_wrong += 1
            continue
        figures.chunks += len(chunks)
        figures.chunks_wrong += len(nodes) != len(chunks)
        figures.chunks_wrong += sum(
            revision.text[chunk.char_start : chunk.char_end] != nodes.get(chunk.pk)
            for chunk in chunks
        )


def table(found: list[Figures], *, with_vectors: bool) -> str:
    """The page for docs/."""
    head = (
        "| set | pages | languages | failed | links named | right | wrong | full addresses |"
        " chunks | misplaced | pages a second | again | load |"
    )
    lines = [
        "# Import, measured",
        "",
        "Written by `bench/import_sets.py`; do not edit. Every page of four public knowledge bases,"
        " imported from files into a tenant of its own"
        f" ({'with' if with_vectors else 'keyword index, without'} vectors, one process).",
        "",
        "- *links named*: links to another page for which the data names the target; *right* and"
        " *wrong*: where they lead here; *full addresses*: written as `https://…` of the site that"
        " the pages came from, and left as links to that site.",
        "- *misplaced*: chunks that are not, character for character, their slice of the page's"
        " text, and pages whose text is not that of their HTML.",
        "- *again*: pages a second when nothing changed. *Load*: of the machine"
        f" ({os.cpu_count()} cores) meanwhile, with all else that ran on it.",
        "",
        head,
        "|" + "---|" * (head.count("|") - 1),
    ]
    for one in found:
        again = one.pages / one.seconds_again if one.seconds_again else 0.0
        lines.append(
            f"| {one.name} | {one.pages:,} | {one.languages} | {len(one.errors)}"
            f" | {one.links_named:,} | {one.links_right:,} | {one.links_wrong}"
            f" | {one.links_elsewhere} | {one.chunks:,} | {one.chunks_wrong + one.texts_wrong}"
            f" | {one.pages_per_second:.1f} | {again:.0f} | {one.load:.1f} |"
        )
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default=os.environ.get("FOOTNOTE_DATA"))
    parser.add_argument("--sets", nargs="*", default=[], help="default: all of them")
    parser.add_argument("--vectors", action="store_true", help="compute them, too")
    parser.add_argument("--report", type=Path, help="write the table there")
    options = parser.parse_args()
    folders = sets_in(Path(options.data)) if options.data else []
    folders = [path for path in folders if not options.sets or path.name in options.sets]
    if not folders:
        print("No kb_* set: name the data with --data or FOOTNOTE_DATA.", file=sys.stderr)
        return 2
    django.setup()
    found = [measure(folder, with_vectors=options.vectors) for folder in folders]
    if options.report:
        options.report.write_text(table(found, with_vectors=options.vectors), encoding="utf-8")
    print(json.dumps([asdict(one) for one in found], ensure_ascii=False, indent=1))
    bad = any(one.errors or one.chunks_wrong or one.texts_wrong for one in found)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
