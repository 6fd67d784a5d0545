"""``migrate`` as the owner: the application role can neither create a table nor lift its rules."""

from __future__ import annotations

from django.core.management.base import CommandParser
from django.core.management.commands.migrate import Command as DjangoMigrate
from django.db import connections

from memory.tenancy import OWNER_ALIAS


class Command(DjangoMigrate):
    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        if OWNER_ALIAS in connections:
            parser.set_defaults(database=OWNER_ALIAS)
