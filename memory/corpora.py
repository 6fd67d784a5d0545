"""Corpora of references: a tree of files in a bank, replaced as a whole by the next run.

    tree --convert--> pages --chunk--> sections --encode, no transaction--> vectors
                                           └──── one transaction ────▶ the new corpus for the old

Readers see the old corpus or the new one, never parts of both. A section whose words and headings
did not change keeps its node and its vectors; only its place moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

import numpy as np
from django.db import connection
from django.db.models import Exists, OuterRef, QuerySet

from memory import tenancy, trees, vectors
from memory.backends import registry
from memory.corpus_exchange import Exchange, delete_nodes, nodes_of
from memory.corpus_pages import CorpusPage, pages
from memory.errors import CorpusNotFound, InvalidCorpus
from memory.language.text import clean_text
from memory.models import Bank, Corpus, Document, Node, Vector
from memory.seams import Encoder
from memory.trees import Refused

MAX_NAME = 200  # code points
_ENCODED_AT_ONCE = 64
_ROWS_AT_ONCE = 1_000

_KNOWN = """
    SELECT DISTINCT node.sha
    FROM memory_node node
    JOIN memory_vector vector ON vector.tenant_id = node.tenant_id AND vector.node_id = node.id
    WHERE node.tenant_id = %(tenant)s AND node.sha = ANY(%(shas)s) AND vector.recipe = %(recipe)s
"""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is. ``problem`` is set where a file was left out."""

    step: str  # reading, encoding, storing
    done: int
    total: int
    problem: Refused | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """The end of a run. ``added``, ``kept`` and ``removed`` count sections."""

    corpus: Corpus
    added: int
    kept: int
    removed: int
    problems: tuple[Refused, ...]


def _silent(progress: Progress) -> None:
    """Nobody watches."""


def add(
    bank: Bank,
    name: str,
    path: Path,
    *,
    base_uri: str = "",
    watch: Callable[[Progress], None] = _silent,
) -> Loaded:
    """Make or replace a corpus from a folder or zip archive. Outside of a scope: it opens its own.

    ``base_uri`` leads every source URI; without one it is the tree's own file URI. A file that
    cannot be read is reported and left out. Raises ``InvalidCorpus`` or ``trees.TreeUnreadable``,
    and then nothing has changed.
    """
    wanted = clean_text(name)
    if not wanted or len(wanted) > MAX_NAME:
        raise InvalidCorpus(f"A corpus's name has 1 to {MAX_NAME} characters.")
    found, problems = _read(path, base_uri or _file_uri(path), watch)
    if not found:
        raise InvalidCorpus(f"{path} holds no page that can be read.")
    encoder = registry.encoder()
    encoded = _encode(bank.tenant_id, found, encoder, watch)
    with tenancy.scope(bank.tenant_id):
        watch(Progress("storing", 0, len(found)))
        exchange = Exchange(bank, _locked(bank, wanted, path), found)
        exchange.carry_out()
        waiting = _store_vectors(exchange.added, encoded, encoder)
        if waiting:
            vectors.reuse_for([node.pk for node in waiting], encoder.recipe)
        exchange.remove_old()
    _encode_missing(bank.tenant_id, waiting, encoder)
    watch(Progress("storing", len(found), len(found)))
    return Loaded(
        corpus=exchange.corpus,
        added=len(exchange.added),
        kept=exchange.kept,
        removed=len(exchange.left),
        problems=problems,
    )


def remove(bank: Bank, name: str) -> int:
    """Delete a corpus. Returns how many sections it had. Raises ``CorpusNotFound``."""
    corpus = Corpus.objects.select_for_update().filter(bank=bank, name=clean_text(name)).first()
    if corpus is None:
        raise CorpusNotFound(name)
    removed = delete_nodes(list(nodes_of(corpus).values_list("pk", flat=True)))
    Document.objects.filter(corpus=corpus)._raw_delete("default")
    corpus.delete()
    return removed


def corpora(bank: Bank) -> QuerySet[Corpus]:
    return Corpus.objects.filter(bank=bank).order_by("name")


# -- reading and encoding -------------------------------------------------------------------------


def _file_uri(path: Path) -> str:
    return path.resolve().as_uri() + "/"


def _locked(bank: Bank, name: str, path: Path) -> Corpus:
    """The row of the corpus, ours until the transaction ends: two runs follow one another."""
    corpus, _ = Corpus.objects.get_or_create(
        bank=bank, name=name, defaults={"tenant_id": bank.tenant_id}
    )
    corpus = Corpus.objects.select_for_update().get(pk=corpus.pk)
    corpus.path = str(path.resolve())
    return corpus


def _read(
    path: Path, base_uri: str, watch: Callable[[Progress], None]
) -> tuple[list[CorpusPage], tuple[Refused, ...]]:
    found: list[CorpusPage] = []
    problems: list[Refused] = []
    converter = registry.converter()
    with trees.open_tree(path) as tree:
        total = sum(map(converter.accepts, tree.paths)) + len(tree.refused)
        for page in pages(tree, converter, base_uri=base_uri):
            problem = page if isinstance(page, Refused) else None
            if isinstance(page, Refused):
                problems.append(page)
            else:
                found.append(page)
            watch(Progress("reading", len(found) + len(problems), total, problem))
    return found, tuple(problems)


def _encode(
    tenant_id: UUID,
    found: Iterable[CorpusPage],
    encoder: Encoder,
    watch: Callable[[Progress], None],
) -> dict[str, np.ndarray]:
    """Vectors by sha of the sections that the tenant has none for."""
    wanted = {section.sha: section for page in found for section in page.sections}
    with tenancy.scope(tenant_id):
        for sha in _known(list(wanted), encoder):
            del wanted[sha]
    # Sections of like length together: a batch takes as long as its longest.
    sections = sorted(wanted.values(), key=lambda section: len(section.indexed_text))
    encoded: dict[str, np.ndarray] = {}
    for start in range(0, len(sections), _ENCODED_AT_ONCE):
        batch = sections[start : start + _ENCODED_AT_ONCE]
        watch(Progress("encoding", len(encoded), len(sections)))
        texts = [section.indexed_text for section in batch]
        rows = vectors.checked(encoder.encode_passages(texts), len(batch), encoder.recipe)
        encoded.update((section.sha, row) for section, row in zip(batch, rows, strict=True))
    if sections:
        watch(Progress("encoding", len(sections), len(sections)))
    return encoded


def _known(shas: Sequence[str], encoder: Encoder) -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute(
            _KNOWN,
            {"tenant": tenancy.require(), "shas": list(shas), "recipe": encoder.recipe.name},
        )
        return {sha for (sha,) in cursor.fetchall()}


def _store_vectors(
    nodes: Sequence[Node], encoded: dict[str, np.ndarray], encoder: Encoder
) -> list[Node]:
    """The nodes whose vectors were known before, and are there to be taken over."""
    fresh = [node for node in nodes if node.sha in encoded]
    for start in range(0, len(fresh), _ROWS_AT_ONCE):
        batch = fresh[start : start + _ROWS_AT_ONCE]
        rows = np.stack([encoded[node.sha] for node in batch])
        vectors.store([node.pk for node in batch], rows, encoder.recipe)
    return [node for node in nodes if node.sha not in encoded]


def _encode_missing(tenant_id: UUID, nodes: Sequence[Node], encoder: Encoder) -> None:
    """What lost its twin between the look and the exchange; rarely any."""
    if not nodes:
        return
    with tenancy.scope(tenant_id):
        has_vector = Vector.objects.filter(node_id=OuterRef("pk"), recipe=encoder.recipe.name)
        ids = [node.pk for node in nodes]
        missing = list(Node.objects.filter(~Exists(has_vector), pk__in=ids))
    for start in range(0, len(missing), _ENCODED_AT_ONCE):
        batch = missing[start : start + _ENCODED_AT_ONCE]
        rows = encoder.encode_passages([vectors.indexed_text(node) for node in batch])
        vectors.checked(rows, len(batch), encoder.recipe)
        with tenancy.scope(tenant_id):
            vectors.store([node.pk for node in batch], rows, encoder.recipe)
