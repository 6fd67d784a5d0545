"""What each action of ``mem`` does: as a member, through the engines, in short scopes of its own."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final, TextIO
from uuid import UUID

from memory import banks, corpora, integrity, tags, tenancy
from memory.corpora import Progress
from memory.errors import BankNotFound, InvalidMemory, InvalidTags
from memory.integrity import Check, Verified
from memory.levels import Level
from memory.mem import forgetting, hit_lines, messages, people, programs, trace_lines
from memory.mem.failures import ExitCode, Failed, Failure, bad_flags
from memory.mem.progress import Watch
from memory.mem.terminal import Terminal
from memory.models import Access, Bank, Membership
from memory.people import members
from memory.recall import engine as recalling
from memory.recall.request import Floor, Include, RecallRequest
from memory.retain import engine as retaining
from memory.retain.items import RetainItem

_CANDIDATES_FOR_A_HIT: Final = 10


class Mem:
    """One run. ``out`` takes what was asked for, ``err`` progress and notes. ``terminal`` is what
    stands behind ``out``."""

    def __init__(
        self,
        options: Namespace,
        out: Callable[[str], Any],
        err: TextIO,
        terminal: Terminal,
    ) -> None:
        self.options = options
        self.terminal = terminal
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
            bank = self._found(member)
            is_bare = options.levels == (Level.R,) and not corpora.corpora(bank).exists()
        recalled = recalling.recall_as(member.tenant_id, self._request(bank))
        message = messages.without_hits(
            recalled, project=bank.name, levels=options.levels, is_bare=is_bare
        )
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
            self._print(hit_lines.hits(recalled, with_final=options.trace, terminal=self.terminal))
            self._print([people.plain_lines(message)] if message else [])
            self._print(trace_lines.lines(recalled) if options.trace else [])
        self._note(messages.notes(recalled, has_own_floor=options.min_score is not None))
        if options.fail_on_abstain and not recalled.hits:
            return ExitCode.NO_HITS
        return ExitCode.DONE

    def _request(self, bank: Bank) -> RecallRequest:
        """Raises ``InvalidTags``."""
        options = self.options
        if options.tags is not None and options.tag_groups is not None:  # an empty list, too
            raise InvalidTags("Give either --tags or --tag-groups, not both.")
        return RecallRequest(
            bank_id=bank.pk,
            query=options.text,
            levels=options.levels,
            tags=tags.of_request(
                tags=options.tags, match=options.tags_match, tag_groups=options.tag_groups
            ),
            width=_CANDIDATES_FOR_A_HIT * options.k,
            k=options.k,
            once=True,
            floor=Floor.OF_RERANKER if options.min_score is None else options.min_score,
            asked_at=options.at,
            include=Include(provenance=True),
            trace=options.trace,
        )

    def banks(self, member: Membership) -> ExitCode:
        with tenancy.scope(member.tenant_id):
            found = banks.summaries(banks.visible_banks(member))
        if self.as_json:
            self._print_json({"projects": [programs.bank(bank) for bank in found]})
        elif found:
            self._print(people.banks(found))
            self._note(people.same_names(found))
        else:
            self._print(["There is no project yet: mem retain makes one."])
        return ExitCode.DONE

    def stats(self, member: Membership) -> ExitCode:
        with tenancy.scope(member.tenant_id):
            bank = self._found(member)
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
                bank_ids = [self._found(member).pk]
            else:
                bank_ids = [bank.pk for bank in banks.verifiable_banks(member)]
            results = self._checked(chosen, bank_ids)
        if self.as_json:
            self._print_json(programs.verified(results))
        else:
            self._print(people.verified(results))
        return ExitCode.FAILED if any(result.found for result in results) else ExitCode.DONE

    def _checked(self, checks: Sequence[Check], bank_ids: Sequence[UUID]) -> list[Verified]:
        watch = Watch(self.err)
        results = []
        for done, check in enumerate(checks):
            watch(Progress(f"checking {check}", done, len(checks)))
            results.append(integrity.CHECKS[check](bank_ids))
        watch.end()
        return results

    # -- writing ----------------------------------------------------------------------------------

    def retain(self, member: Membership) -> ExitCode:
        options = self.options
        content = _content(options.text, options.file)
        bank = self._opened(member)
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
        bank = self._opened(member)
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
            bank = self._found(member)
            found = list(corpora.corpora(bank))
        if self.as_json:
            self._print_json({"project": bank.name, "corpora": [programs.corpus(c) for c in found]})
        elif found:
            self._print(people.corpora(found))
        else:
            self._print([f"{bank.name} has no corpus."])
        return ExitCode.DONE

    def corpus_remove(self, member: Membership) -> ExitCode:
        with tenancy.scope(member.tenant_id):
            bank = self._found(member)
            removed = corpora.remove(bank, self.options.name)
        if self.as_json:
            self._print_json({"corpus": self.options.name, "removed": removed})
        else:
            self._print([people.removed(self.options.name, removed)])
        return ExitCode.DONE

    def forget(self, member: Membership) -> ExitCode:
        options = self.options
        with tenancy.scope(member.tenant_id):
            wanted = forgetting.find(member, self._found(member), options.document)
            if not options.yes:
                raise Failed(Failure(ExitCode.FAILED, "not_confirmed", wanted.question))
            removed = wanted.remove()
        if self.as_json:
            self._print_json({"project": wanted.bank.name, "document": options.document} | removed)
        else:
            self._print([wanted.gone(removed["memories"])])
        return ExitCode.DONE

    # -- projects ---------------------------------------------------------------------------------

    @property
    def _access(self) -> Access | None:
        """Which of two namesakes is meant, where that is said."""
        if getattr(self.options, "private", False):
            return Access.PRIVATE
        return Access.TENANT if self.options.shared else None

    def _found(self, member: Membership) -> Bank:
        """Inside a scope."""
        name = self.options.project
        try:
            return banks.find(member, name, access=self._access)
        except BankNotFound:
            others = banks.visible_banks(member).values_list("name", flat=True)
            message = messages.unknown_project(name, list(dict.fromkeys(others)))
            failure = Failure(ExitCode.UNKNOWN, "unknown_project", message)
            raise Failed(failure) from None

    def _opened(self, member: Membership) -> Bank:
        access = self._access
        with tenancy.scope(member.tenant_id):
            return banks.open_or_create(
                member,
                self.options.project,
                access=access or Access.TENANT,
                is_strict=access is not None,
            )

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
    """Raises ``OSError``, ``InvalidMemory``, and ``Failed`` where nothing is named."""
    if text is None and file is None:
        raise Failed(bad_flags("Say what to retain: TEXT, --file PATH, or - for standard input."))
    if text is not None and text != "-":
        return text
    data = file.read_bytes() if file is not None else sys.stdin.buffer.read()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidMemory("This is no text in UTF-8.") from error
