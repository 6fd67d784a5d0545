from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memory import tenancy
from memory.people import keys, members


class Command(BaseCommand):
    help = "Make an API key for a user. The key is the last line of stdout and is shown only once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--tenant", help="slug; needed for a user of several organisations")
        parser.add_argument("--scopes", help="comma-separated; default all that the role allows")
        parser.add_argument("--name", default="command line")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            member = members.find(options["username"], tenant_slug=options["tenant"])
            scopes = options["scopes"].split(",") if options["scopes"] else None
            with tenancy.scope(member.tenant_id):
                key = keys.create_key(member, name=options["name"], scopes=scopes)
        except (members.NoMember, ValueError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(key)
