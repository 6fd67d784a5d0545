"""A document that is retained again with the words that it has, or with older ones. Pure.

Nothing is written, unless the words had lost to others meanwhile: then they are said again.
"""

from __future__ import annotations

from copy import copy

from memory.arbitration import TAKEN_OUT
from memory.levels import Level
from memory.retain import scopes
from memory.retain.items import DocumentChange, UpdateMode
from memory.retain.plans import Known, Plan
from memory.retain.wanted import Wanted, after


def is_outdated(wanted: Wanted, known: Known) -> bool:
    """Submitted before what the document holds. What is appended never is."""
    held, given = known.document.submitted_at, wanted.submitted_at
    is_older = held is not None and given is not None and given < held
    return is_older and wanted.mode is not UpdateMode.APPEND


def is_unchanged(wanted: Wanted, known: Known) -> bool:
    """The same, and every passage was read; or to be appended, and its end already."""
    if wanted.mode is UpdateMode.APPEND:
        return _is_its_end(wanted, known)
    read = {fact.chunk_id for fact in known.of(Level.L1)}
    return is_same(wanted, known) and all(passage.pk in read for passage in known.of(Level.L0))


def is_same(wanted: Wanted, known: Known) -> bool:
    """The same words under the same name, tags, context, metadata and time."""
    document, first = known.document, wanted.parts[0]
    return wanted.mode is not UpdateMode.APPEND and (
        document.text == wanted.text
        and document.tags == list(wanted.tags)
        and document.context == first.context
        and document.metadata == first.metadata
        and document.observation_scopes == scopes.to_json(wanted.scopes)
        and (not first.is_dated or document.mentioned_at == first.said_at)
    )


def keep(wanted: Wanted, known: Known, change: DocumentChange) -> Plan:
    """Every node stays as it is."""
    return Plan(
        document=known.document,
        known=known,
        wanted=wanted,
        change=change,
        passages=known.of(Level.L0),
        facts=known.of(Level.L1),
    )


def plan(wanted: Wanted, known: Known) -> Plan:
    """Of a document that is unchanged: every node stays, perhaps with the time of now."""
    unchanged = keep(wanted, known, DocumentChange.UNCHANGED)
    if not _is_said_again(wanted, known):
        return unchanged
    old, said_at = known.document, wanted.parts[0].said_at
    document = copy(old)
    document.mentioned_at, document.submitted_at = said_at, wanted.submitted_at
    for node in known.nodes:
        if node.mentioned_at == old.mentioned_at:  # a turn may have a time of its own
            node.mentioned_at = said_at
    unchanged.document, unchanged.change = document, DocumentChange.UPDATED
    unchanged.reconsidered = {fact.pk for fact in unchanged.facts}
    return unchanged


def _is_its_end(wanted: Wanted, known: Known) -> bool:
    """Whether a document ends with these words, said at these times, under these labels: who sends
    an addition again after a time-out does not say it twice."""
    text, added = known.document.text, wanted.text
    start = len(text) - len(added)
    if not text.endswith(added) or (start and not text[:start].endswith("\n" * after(""))):
        return False
    for at, part in wanted.offsets(start):
        inside = [node for node in known.nodes if at <= node.char_start < at + len(part.told.text)]
        times = {turn.said_at for turn in part.told.turns if turn.said_at}
        if part.is_dated and part.said_at is not None:
            times.add(part.said_at)
        if not times <= {node.mentioned_at for node in inside}:
            return False
        label = part.tags, part.context, part.metadata
        if any((tuple(node.tags), node.context, node.metadata) != label for node in inside):
            return False
    return True


def _is_said_again(wanted: Wanted, known: Known) -> bool:
    """Words without a name and a date of their own, later than something of them had lost: who says
    them again means that they hold. A document that has a name may just be sent again."""
    said_at = wanted.parts[0].said_at
    if wanted.is_named or wanted.parts[0].is_dated or said_at is None:
        return False
    return any(
        fact.superseded_at is not None and fact.trust > TAKEN_OUT and fact.superseded_at < said_at
        for fact in known.of(Level.L1)
    )
