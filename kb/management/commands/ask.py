from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from kb import selectors
from kb.asking import AskRequest, ask
from kb.errors import KbError
from kb.outcome import Record
from memory import tenancy
from memory.people import members


class Command(BaseCommand):
    help = "Ask a page and print the answer with its quotes. A decline is an answer too: exit 0."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("question")
        parser.add_argument("--user", help="ask as this user; default: the first admin")
        parser.add_argument("--tenant", help="slug; needed where there are several organisations")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            member = members.acting(options["user"], tenant_slug=options["tenant"])
            with tenancy.scope(member.tenant_id):
                doc_id = selectors.get_doc_by_slug(member, options["slug"]).pk
            record = ask(AskRequest(member=member, doc_id=doc_id, question=options["question"]))
        except (members.NoMember, KbError) as error:
            raise CommandError(str(error)) from error
        self._print(record)

    def _print(self, record: Record) -> None:
        self.stdout.write(record.answer_text)
        for citation in record.citations:
            where = " › ".join((citation["doc_title"], *citation["heading_path"]))
            self.stdout.write(f"\n  [{citation['n']}] “{citation['quote']}”")
            self.stdout.write(
                f"      {where} · revision {citation['revision']}"
                f" · characters {citation['char_start']}-{citation['char_end']}"
            )
        score = "" if record.confidence is None else f" · confidence {record.confidence:.2f}"
        reason = f" · {record.reason}" if record.reason else ""
        self.stdout.write(f"\n{record.kind}{score}{reason} · trace {record.trace_id}")
