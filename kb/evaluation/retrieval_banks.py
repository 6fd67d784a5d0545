"""Puts the wanted banks into the evaluation's tenant, as anyone's corpora and conversations are.

Sections become a corpus of HTML files, sessions are retained turn by turn. A bank that holds what is
wanted already is left alone, so that a second run writes and encodes nothing.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from uuid import UUID

from kb.evaluation.pages import Progress
from kb.evaluation.retrieval_sets import Section, Session, WantedBank
from memory import banks, corpora, tenancy
from memory.hits import Arm
from memory.language.text import content_hash
from memory.levels import Level
from memory.models import Bank, Document, Membership, Node
from memory.retain import engine as retaining
from memory.retain.items import RetainItem

_CORPUS = "sections"
_URI = "evaluation:"
_STAMP = "evaluation"  # of what a bank was filled with, in its configuration


@dataclass(frozen=True, slots=True)
class FilledBank:
    """``names`` tells which section or turn a node stands for."""

    bank_id: UUID
    level: Level
    arms: tuple[Arm, ...]  # that can find anything here: sections have neither edges nor dates
    names: Mapping[UUID, str]


def fill(writer: Membership, wanted: WantedBank, *, report: Progress) -> FilledBank:
    """The bank with its content. Encodes in this process; holds no transaction meanwhile."""
    with tenancy.scope(writer.tenant_id):
        bank = banks.open_or_create(writer, wanted.name)
    stamp = content_hash(json.dumps([repr(wanted.sections), repr(wanted.sessions)]))
    if bank.config.get(_STAMP) != stamp:
        report(f"{wanted.name}: filling")
        if wanted.sessions:
            _retain(bank, wanted.sessions)
        else:
            _add_corpus(bank, wanted.sections, report=report)
        with tenancy.scope(writer.tenant_id):
            bank.config = {**bank.config, _STAMP: stamp}
            bank.save(update_fields=("config",))
    with tenancy.scope(writer.tenant_id):
        if wanted.sessions:
            names = _turns_of(bank, wanted.sessions)
            return FilledBank(bank.pk, Level.L1, tuple(Arm), names)
        names = _sections_of(bank, wanted.sections)
        return FilledBank(bank.pk, Level.R, (Arm.SEMANTIC, Arm.KEYWORD), names)


def _file(place: int) -> str:
    return f"{place:06}.html"


def _add_corpus(bank: Bank, sections: Sequence[Section], *, report: Progress) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for place, one in enumerate(sections):
            heading = f"<h1>{escape(one.title, quote=False)}</h1>" if one.title else ""
            body = f"{heading}<p>{escape(one.text, quote=False)}</p>"
            Path(folder, _file(place)).write_text(body, encoding="utf-8")
        corpora.add(bank, _CORPUS, Path(folder), base_uri=_URI, watch=_watch(bank.name, report))


def _watch(name: str, report: Progress) -> Callable[[corpora.Progress], None]:
    def watch(progress: corpora.Progress) -> None:
        if progress.step == "encoding" and progress.done % 512 == 0:
            report(f"{name}: {progress.done} of {progress.total} sections encoded")

    return watch


def _sections_of(bank: Bank, sections: Sequence[Section]) -> dict[UUID, str]:
    named = {f"{_URI}{_file(place)}": one.name for place, one in enumerate(sections)}
    nodes = Node.objects.filter(bank=bank, level=Level.R).values_list("pk", "source_uri")
    return {node_id: named[uri] for node_id, uri in nodes if uri in named}


def _retain(bank: Bank, sessions: Sequence[Session]) -> None:
    items = [
        RetainItem(
            content=[{"speaker": turn.speaker, "text": turn.text} for turn in session.turns],
            timestamp=session.at,
            document_name=session.name,
        )
        for session in sessions
    ]
    retaining.retain(bank.pk, items, tenant_id=bank.tenant_id)


def _turns_of(bank: Bank, sessions: Sequence[Session]) -> dict[UUID, str]:
    """A retained session has a line for each turn."""
    turns = {session.name: [turn.name for turn in session.turns] for session in sessions}
    stored = {
        document_id: (text, turns[name])
        for document_id, name, text in Document.objects.filter(bank=bank).values_list(
            "pk", "name", "text"
        )
        if name in turns
    }
    found: dict[UUID, str] = {}
    facts = Node.objects.filter(bank=bank, level=Level.L1, document_id__in=list(stored))
    for node_id, document_id, start in facts.values_list("pk", "document_id", "char_start"):
        assert document_id is not None  # of a fact that one of these documents has
        text, names = stored[document_id]
        line = text.count("\n", 0, start)
        if line < len(names):
            found[node_id] = names[line]
    return found
