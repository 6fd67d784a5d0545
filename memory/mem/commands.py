"""What each action of ``mem`` does: as a member, through the engines, in short scopes of its own."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final, TextIO

from memory import banks, corpora, integrity, members, tags, tenancy
from memory.errors import InvalidMemory
from memory.integrity import Check
from memory.mem import messages, people, programs
from memory.mem.failures import ExitCode
from memory.mem.progress import Watch
from memory.models import Access, Bank, Corpus, Membership, Node
from memory.recall import engine as recalling
from memory.recall.request import Floor, Include, RecallRequest
from memory.retain import engine as retaining
from memory.retain.items import RetainItem

_CANDIDATES_FOR_A_HIT: Final = 10


class Mem:
    """One run. ``out`` takes what was asked for, ``err`` progress and notes."""

    def __init__(self, options: Namespace, out: Callable[[str], Any], err: TextIO) -> None:
        self.options = options
        self.as_json = options.format == "json"
        self.out = out
        self.err = err

    def run(self) -> ExitCode:
        """Raises what ``recognising.of_error`` knows."""
        options = self.options
        member = members.acting(options.user, tenant_slug=options.tenant)
        action = options.action if options.action != "corpus" else f"corpus_{options.step}"
        found: ExitCode = getattr(self, action)(member)
        return found

    # -- reading ----------------------------------------------------------------------------------

    def query(self, member: Membership) -> ExitCode:
        options = self.options
        with tenancy.scope(member.tenant_id):
            bank = banks.find(member, options.project)
        recalled = recalling.recall_as(member.tenant_id, self._request(bank))
        message = messages.without_hits(recalled, project=bank.name, levels=options.levels)
        if self.as_json:
            self._print_json(
                programs.recalled(
                    recalled,
                    query=options.text,
                    project=bank.name,
                    levels=options.levels,
                    message=message,
                )
            )
        else:
            self._print(people.hits(recalled))
            self._print([people.plain_lines(message)] if message else [])
            self._print([people.trace(recalled)] if options.trace else [])
        self._note(messages.notes(recalled, has_own_floor=options.min_score is not None))
        if options.fail_on_abstain and not recalled.hits:
            return ExitCode.NO_HITS
        return ExitCode.DONE

    def _request(self, bank: Bank) -> RecallRequest:
        options = self.options
        return RecallRequest(
            bank_id=bank.pk,
            query=options.text,
            levels=options.levels,
            tags=tags.of_request(
                tags=options.tags, match=options.tags_match, tag_groups=options.tag_groups
            ),
            width=_CANDIDATES_FOR_A_HIT * options.k,
            k=options.k,
            floor=Floor.OF_RERANKER if options.min_score is None else options.min_score,
            asked_at=options.at,
            include=Include(provenance=True),
            trace=options.trace,
        )

    def banks(self, member: Membership) -> ExitCode:
        with tenancy.scope(member.tenant_id):
            found = [_bank_row(bank) for bank in banks.visible_banks(member)]
        if self.as_json:
            self._print_json({"projects": found})
        elif found:
            self._print(people.table([list(row.values()) for row in found]))
        else:
            self._print(["There is no project yet: mem retain makes one."])
        return ExitCode.DONE

    def stats(self, member: Membership) -> ExitCode:
        with tenancy.scope(member.tenant_id):
            bank = banks.find(member, self.options.project)
            found = banks.statistics(bank)
        if self.as_json:
            self._print_json({"project": bank.name} | found.as_json())
        else:
            self._print(people.table(people.statistics(found)))
        return ExitCode.DONE

    def verify(self, member: Membership) -> ExitCode:
        options = self.options
        chosen = [check for check in Check if getattr(options, check)]
        if options.all or not chosen:
            chosen = list(Check)
        with tenancy.scope(member.tenant_id):
            if options.project:
                bank_ids = [banks.find(member, options.project).pk]
            else:
                bank_ids = [bank.pk for bank in banks.verifiable_banks(member)]
            results = [integrity.CHECKS[check](bank_ids) for check in chosen]
        if self.as_json:
            self._print_json(programs.verified(results))
        else:
            self._print(people.verified(results))
        return ExitCode.FAILED if any(result.found for result in results) else ExitCode.DONE

    # -- writing ----------------------------------------------------------------------------------

    def retain(self, member: Membership) -> ExitCode:
        options = self.options
        content = _content(options.text, options.file)
        bank = self._opened(member, access=Access.PRIVATE if options.private else Access.TENANT)
        item = RetainItem(
            content=content,
            timestamp=options.timestamp,
            context=options.context,
            metadata=dict(options.metadata),
            document_name=options.document,
            tags=options.tags,
        )
        retained = retaining.retain(bank.pk, [item], tenant_id=member.tenant_id)
        if self.as_json:
            self._print_json(programs.retained(retained, project=bank.name))
        else:
            self._print(people.retained(retained, project=bank.name))
        self._note(retained.failures)
        return ExitCode.FAILED if retained.failures else ExitCode.DONE

    def corpus_add(self, member: Membership) -> ExitCode:
        options = self.options
        bank = self._opened(member, access=Access.TENANT)
        watch = Watch(self.err)
        loaded = corpora.add(
            bank, options.name, options.path, base_uri=options.base_uri, watch=watch
        )
        watch.end()
        if self.as_json:
            self._print_json(programs.loaded(loaded))
        else:
            self._print(people.loaded(loaded))
        return ExitCode.DONE

    def corpus_list(self, member: Membership) -> ExitCode:
        with tenancy.scope(member.tenant_id):
            bank = banks.find(member, self.options.project)
            found = list(corpora.corpora(bank))
        if self.as_json:
            self._print_json({"project": bank.name, "corpora": [programs.corpus(c) for c in found]})
        elif found:
            self._print(people.table([_corpus_row(corpus) for corpus in found]))
        else:
            self._print([f"{bank.name} has no corpus."])
        return ExitCode.DONE

    def corpus_remove(self, member: Membership) -> ExitCode:
        with tenancy.scope(member.tenant_id):
            bank = banks.find(member, self.options.project)
            removed = corpora.remove(bank, self.options.name)
        if self.as_json:
            self._print_json({"corpus": self.options.name, "removed": removed})
        else:
            self._print([people.removed(self.options.name, removed)])
        return ExitCode.DONE

    def _opened(self, member: Membership, *, access: str) -> Bank:
        with tenancy.scope(member.tenant_id):
            return banks.open_or_create(member, self.options.project, access=access)

    # -- printing ---------------------------------------------------------------------------------

    def _print(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.out(line)

    def _print_json(self, shown: dict[str, Any]) -> None:
        self.out(json.dumps(shown, ensure_ascii=False, default=str))

    def _note(self, lines: Iterable[str]) -> None:
        for line in lines:
            print(f"note: {people.plain(line)}", file=self.err)


def _content(text: str | None, file: Path | None) -> str:
    """Raises ``OSError`` and ``InvalidMemory``."""
    if text is not None and text != "-":
        return text
    data = file.read_bytes() if file is not None else sys.stdin.buffer.read()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidMemory("This is no text in UTF-8.") from error


def _bank_row(bank: Bank) -> dict[str, Any]:
    return {
        "name": bank.name,
        "access": str(bank.access),
        "memories": Node.objects.filter(bank=bank).count(),
        "updated_at": bank.updated_at.isoformat(timespec="seconds"),
    }


def _corpus_row(corpus: Corpus) -> list[Any]:
    return [corpus.name, corpus.documents, "pages", corpus.sections, "sections", corpus.path]
