"""What changes when a document is retained: which nodes stay, move, go and are new.

A node whose indexed words did not change keeps its row, its terms and its vectors (docs/adr/0008).
Facts of a passage that stayed are not extracted again, unless extracting costs nothing.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from time import monotonic
from uuid import UUID

from memory.errors import ExtractionFailed
from memory.facts.records import Excerpt, Fact
from memory.language.tokens import count_tokens
from memory.levels import FactType, Level
from memory.models import Node
from memory.retain import drafts, passages, unchanged
from memory.retain.former_nodes import FormerNodes
from memory.retain.items import DocumentChange, UpdateMode
from memory.retain.passages import Cut
from memory.retain.plans import Cause, Known, Plan
from memory.retain.wanted import Part, Wanted, after
from memory.seams import Extractor


def make(
    wanted: Wanted,
    known: Known | None,
    *,
    bank_id: UUID,
    tenant_id: UUID,
    extractor: Extractor,
    anew: bool = False,
    until: float | None = None,
    names: frozenset[str] = frozenset(),
) -> Plan:
    """Decide what becomes of one document. ``anew`` takes the facts of every passage again, and
    ``names`` are entities of the bank, folded.

    A model is asked ``until`` then, on the monotonic clock; passages beyond stay unread.
    """
    if known and unchanged.is_outdated(wanted, known):
        return unchanged.keep(wanted, known, DocumentChange.NEWER)
    if known and not anew and unchanged.is_unchanged(wanted, known):
        return unchanged.plan(wanted, known)
    return _Planning(
        wanted, known, bank_id, tenant_id, extractor, anew=anew, until=until, names=names
    ).run()


@dataclass(frozen=True, slots=True)
class _Passage:
    """A passage on its way. ``stays``: it was read before, and its facts stay with it."""

    part: Part
    excerpt: Excerpt
    node: Node
    old_start: int
    facts: list[Node]
    stays: bool


class _Planning:
    """The plan of one document while it is made."""

    def __init__(
        self,
        wanted: Wanted,
        known: Known | None,
        bank_id: UUID,
        tenant_id: UUID,
        extractor: Extractor,
        *,
        anew: bool,
        until: float | None,
        names: frozenset[str],
    ) -> None:
        self._names = names
        self._bank_id, self._tenant_id = bank_id, tenant_id
        self._extractor, self._anew, self._until = extractor, anew, until
        self._appends = known is not None and wanted.mode is UpdateMode.APPEND
        old = known.document if known else None
        text = wanted.text
        self._start = 0
        if self._appends and old:
            self._start = after(old.text)
            text = old.text + "\n" * (self._start - len(old.text)) + text
        self.plan = Plan(
            document=drafts.document(wanted, old, text, bank_id, tenant_id, appends=self._appends),
            known=known,
            wanted=wanted,
            change=DocumentChange.UPDATED if known else DocumentChange.CREATED,
        )
        self._times = {node.pk: _times(node) for node in known.nodes} if known else {}
        # What is said twice at one time is one fact, at its first place.
        self._said: dict[tuple[str, datetime | None, tuple[str, ...]], Node] = {}
        self._former = FormerNodes(known)
        self._facts_of: dict[UUID | None, list[Node]] = defaultdict(list)
        for node in known.nodes if known else ():
            if self._appends:
                self._keep(node)
            else:
                self._former.add(node)
                if node.level == Level.L1:
                    self._facts_of[node.chunk_id].append(node)

    def run(self) -> Plan:
        # Passages first: facts that stay with one are not to be taken over by another.
        taken = [
            self._take_passage(part, piece, offset)
            for offset, part in self.plan.wanted.offsets(self._start)
            for piece in passages.cut(part, count_tokens)
        ]
        for passage in taken:
            if passage.stays:
                self._keep_facts(passage)
            else:
                self._extract(passage)
        self._keep_corrected(taken)
        self._former.restore()
        plan = self.plan
        plan.removed = [node.pk for node in self._former.rest()]
        plan.reconsidered |= {
            fact.pk
            for fact in plan.facts
            if fact.pk in self._times and self._times[fact.pk] != _times(fact)
        }
        if (
            plan.known
            and not self._anew
            and not plan.has_changed
            and unchanged.is_same(plan.wanted, plan.known)
        ):
            plan.change = DocumentChange.UNCHANGED
        return plan

    def _keep(self, node: Node) -> None:
        (self.plan.passages if node.level == Level.L0 else self.plan.facts).append(node)
        if node.level == Level.L1:
            self._said.setdefault((node.sha, node.mentioned_at, tuple(node.tags)), node)

    def _take_passage(self, part: Part, piece: Cut, offset: int) -> _Passage:
        excerpt = passages.excerpt(
            part, piece, document=self.plan.document.text, offset=offset, names=self._names
        )
        words = drafts.node(Level.L0, excerpt, text=excerpt.text, lead=passages.lead(excerpt))
        node, old_start = self._node(words, part, span=(excerpt.start, excerpt.end))
        facts = [] if old_start is None else self._facts_of.get(node.pk, [])
        stays = not (self._anew or self._extractor.is_free or self._redates(part)) and bool(facts)
        if stays:
            for fact in facts:
                self._former.remove(fact)
        return _Passage(part, excerpt, node, old_start or 0, facts, stays)

    def _keep_facts(self, passage: _Passage) -> None:
        by = passage.excerpt.start - passage.old_start
        for fact in passage.facts:
            fact.char_start, fact.char_end = fact.char_start + by, fact.char_end + by
            self._place(fact, passage.node)

    def _keep_corrected(self, passages: Sequence[_Passage]) -> None:
        """Facts that no extracted one stands for, while the words that they rest on are there."""
        text = self.plan.document.text
        waiting = self._former.quoted()
        for fact, quote in waiting:
            for passage in sorted(passages, key=lambda one: one.node.pk != fact.chunk_id):
                at = text.find(quote, passage.excerpt.start, passage.excerpt.end)
                if at >= 0:
                    self._former.remove(fact)
                    fact.char_start, fact.char_end = at, at + len(quote)
                    self._place(fact, passage.node)
                    break
        if waiting:
            self.plan.facts.sort(key=lambda fact: fact.char_start)
            for ordinal, fact in enumerate(self.plan.facts):
                fact.ordinal = ordinal

    def _extract(self, passage: _Passage) -> None:
        if self._until is not None and monotonic() > self._until and not self._extractor.is_free:
            self.plan.is_postponed = True
            return
        try:
            extracted = self._extractor.extract(passage.excerpt)
        except ExtractionFailed as error:
            self.plan.failure = str(error)
            return
        self.plan.usage += extracted.usage
        facts = [self._take_fact(passage, fact) for fact in extracted.facts]
        self.plan.causes += [
            Cause(facts[cause.child], cause.type, facts[cause.parent])
            for fact in extracted.facts
            for cause in fact.causes
            if facts[cause.child] is not facts[cause.parent]
        ]

    def _redates(self, part: Part) -> bool:
        known = self.plan.known
        return bool(part.is_dated and known and known.document.mentioned_at != part.said_at)

    def _take_fact(self, passage: _Passage, fact: Fact) -> Node:
        part, span = passage.part, (fact.start, fact.end)
        words = drafts.node(Level.L1, passage.excerpt, text=fact.text, lead=fact.lead)
        said = (words.sha, fact.said_at, part.tags)
        if said in self._said:
            return self._said[said]
        node, old_start = self._node(words, part, span=span)
        self._said[said] = node
        node.chunk_id = passage.node.pk
        if old_start is None or part.is_dated:
            node.mentioned_at = fact.said_at
            node.occurred_start, node.occurred_end = fact.occurred or (None, None)
        node.fact_type = FactType.EXPERIENCE if fact.is_experience else FactType.WORLD
        node.speaker = fact.speaker
        if old_start is None:
            self.plan.mentions[node.pk] = drafts.mentions(fact, part)
        return node

    def _node(self, words: Node, part: Part, *, span: tuple[int, int]) -> tuple[Node, int | None]:
        """The node of these words, and where it stood before; None for a new one."""
        former = self._former.take(words, self.plan.document.text[slice(*span)])
        node = former or words
        old_start = former.char_start if former else None
        if former:
            if part.is_dated:
                node.mentioned_at = part.said_at
            self._note_labels(node, part.tags)
        else:
            node.id, node.mentioned_at = uuid.uuid4(), part.said_at
            node.tenant_id, node.bank_id = self._tenant_id, self._bank_id
            self.plan.added.append(node)
        node.document_id = self.plan.document.pk
        node.char_start, node.char_end = span
        node.context, node.metadata, node.tags = part.context, dict(part.metadata), list(part.tags)
        nodes = self.plan.passages if node.level == Level.L0 else self.plan.facts
        node.ordinal = len(nodes)
        nodes.append(node)
        return node, old_start

    def _note_labels(self, node: Node, tags: Sequence[str]) -> None:
        known = self.plan.known
        is_rescoped = (
            known is not None
            and known.document.observation_scopes != self.plan.document.observation_scopes
        )
        if node.level == Level.L1 and (node.tags != list(tags) or is_rescoped):
            self.plan.reconsidered.add(node.pk)

    def _place(self, fact: Node, passage: Node) -> None:
        self._note_labels(fact, passage.tags)
        fact.chunk_id = passage.pk
        fact.context, fact.metadata, fact.tags = passage.context, passage.metadata, passage.tags
        fact.ordinal = len(self.plan.facts)
        self.plan.facts.append(fact)
        self._said.setdefault((fact.sha, fact.mentioned_at, tuple(fact.tags)), fact)


def _times(node: Node) -> tuple[datetime | None, ...]:
    return node.mentioned_at, node.occurred_start, node.occurred_end
