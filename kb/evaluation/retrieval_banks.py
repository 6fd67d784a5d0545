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
from memory.hits import Arm, Hit
from memory.language.text import content_hash
from memory.levels import Level
from memory.models import Bank, Document, Membership
from memory.retain import engine as retaining
from memory.retain.items import RetainItem

_CORPUS = "sections"
_URI = "evaluation:"
_STAMP = "evaluation"  # of what a bank was filled with, in its configuration


@dataclass(frozen=True, slots=True)
class FilledBank:
    """``name_of`` tells which section or turn a hit stands for; None for what stands for none."""

    bank_id: UUID
    levels: tuple[Level, ...]
    arms: tuple[Arm, ...]  # that can find anything here: sections have neither edges nor dates
    name_of: Callable[[Hit], str | None]


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
    if wanted.sessions:
        with tenancy.scope(writer.tenant_id):
            return FilledBank(bank.pk, (Level.L1,), tuple(Arm), _turn_of(bank, wanted.sessions))
    named = {_file(place): one.name for place, one in enumerate(wanted.sections)}
    arms = (Arm.SEMANTIC, Arm.KEYWORD)
    return FilledBank(bank.pk, (Level.R,), arms, _section_of(named))


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


def _section_of(named: Mapping[str, str]) -> Callable[[Hit], str | None]:
    return lambda hit: named.get(hit.source_uri.removeprefix(_URI))


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


def _turn_of(bank: Bank, sessions: Sequence[Session]) -> Callable[[Hit], str | None]:
    """A retained session has a line for each turn."""
    turns = {session.name: [turn.name for turn in session.turns] for session in sessions}
    texts = dict(Document.objects.filter(bank=bank).values_list("name", "text"))

    def name_of(hit: Hit) -> str | None:
        text = texts.get(hit.document_name or "")
        if text is None:
            return None
        line = text.count("\n", 0, hit.char_start)
        names = turns[hit.document_name or ""]
        return names[line] if line < len(names) else None

    return name_of
