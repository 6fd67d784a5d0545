from __future__ import annotations

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from kb import reindexing
from memory import reembedding
from memory.models import Tenant
from memory.reembedding import Progress

_EVERY_SECONDS = 2.0


class Command(BaseCommand):
    help = (
        "Rebuild what pages and memories are found by: vectors of another encoder; of pages also chunks "
        "and terms of older rules. What they have answers meanwhile. Exit 1 if any failed; run it "
        "again to go on."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--tenant", help="slug; default: every organisation")
        parser.add_argument("--force", action="store_true", help="compute every vector anew")
        parser.add_argument(
            "--chunks",
            action="store_true",
            help="cut and analyse every page anew, not only outdated ones",
        )
        parser.add_argument(
            "--prune", action="store_true", help="afterwards remove the vectors of other encoders"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        tenants = Tenant.objects.order_by("slug")
        if options["tenant"]:
            tenants = tenants.filter(slug=options["tenant"])
            if not tenants:
                raise CommandError(f"There is no organisation {options['tenant']}.")
        failed = 0
        for tenant in tenants:
            progress = reindexing.rebuild(
                tenant.pk,
                force=options["force"],
                chunks=options["chunks"],
                report=self._reporter(tenant.slug, "pages"),
            )
            memories = reembedding.rebuild(
                tenant.pk,
                force=options["force"],
                report=self._reporter(tenant.slug, "memories"),
            )
            missed = progress.failed + memories.failed
            failed += missed
            self.stdout.write(
                f"{tenant.slug}: {progress.done:,} pages done, {progress.failed:,} failed."
            )
            if memories.total:
                self.stdout.write(
                    f"{tenant.slug}: {memories.done:,} memories done, {memories.failed:,} failed."
                )
            if options["prune"] and not missed:
                dropped = reindexing.prune(tenant.pk)
                self.stdout.write(f"{tenant.slug}: {dropped:,} vectors of other encoders removed.")
        if failed:
            raise CommandError(
                "What failed keeps the index it had; the admin lists the pages with the reason."
                " Run the command again to retry them."
            )

    def _reporter(self, slug: str, what: str) -> Any:
        told = time.monotonic()

        def report(progress: Progress) -> None:
            nonlocal told
            if time.monotonic() - told >= _EVERY_SECONDS:
                told = time.monotonic()
                reached = progress.done + progress.failed
                self.stderr.write(f"{slug}: {reached:,} of {progress.total:,} {what}", ending="\n")

        return report
