from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from kb import auditing
from memory.models import Tenant


class Command(BaseCommand):
    help = "audit verify: check the chain, the hashes and every citation. Exit 1 names the first broken row."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("action", choices=("verify",))
        parser.add_argument("--tenant", help="slug; default: every organisation")

    def handle(self, *args: Any, **options: Any) -> None:
        tenants = Tenant.objects.order_by("slug")
        if options["tenant"]:
            tenants = tenants.filter(slug=options["tenant"])
            if not tenants:
                raise CommandError(f"There is no organisation {options['tenant']}.")
        for tenant in tenants:
            report = auditing.verify(tenant.pk)
            if report.broken:
                self.stdout.write(f"{tenant.slug}: BROKEN: {report.broken}")
                sys.exit(1)
            self.stdout.write(
                f"{tenant.slug}: the chain holds. {report.entries} entries, {report.answers} answers,"
                f" {report.citations} citations found word for word, {report.erased} questions erased."
            )
