from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from kb import erasure
from kb.errors import NotOwner
from memory.models import Tenant, User


class Command(BaseCommand):
    help = (
        "Forget a person (questions, traces, votes, tickets; the account loses its name), or a whole "
        "organisation with its audit chain. Needs the owner of the tables. Cannot be undone."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        whom = parser.add_mutually_exclusive_group(required=True)
        whom.add_argument("--user", metavar="NAME", help="in every organisation of theirs")
        whom.add_argument("--tenant", metavar="SLUG")
        parser.add_argument(
            "--yes", action="store_true", help="do it; without this, nothing is done"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        name = options["user"] or options["tenant"]
        user = tenant = None
        if options["user"]:
            user = User.objects.filter(username=name).first()
        else:
            tenant = Tenant.objects.filter(slug=name).first()
        if user is None and tenant is None:
            raise CommandError(
                f"There is no {'user' if options['user'] else 'organisation'} {name}."
            )
        if not options["yes"]:
            raise CommandError(f"{name} would be erased for good. Say --yes to do it.")
        try:
            if user is not None:
                self._user(name, erasure.erase_user(user), user)
            elif tenant is not None:
                self._tenant(name, erasure.erase_tenant(tenant))
        except NotOwner as error:
            raise CommandError(str(error)) from error

    def _user(self, name: str, erased: erasure.Erased, user: User) -> None:
        self._rows(erased)
        self.stdout.write(f"{name} is forgotten; the account is called {user.username} now.")

    def _tenant(self, name: str, erased: erasure.Erased) -> None:
        self._rows(erased)
        self.stdout.write(f"{name} is forgotten, with {erased.accounts} accounts.")
        self.stdout.write(f"Its chain ended at entry {erased.last_seq}: {erased.last_hash}")

    def _rows(self, erased: erasure.Erased) -> None:
        for table, rows in sorted(erased.rows.items()):
            self.stdout.write(f"  {rows:>8}  {table}")
