"""A planned tree becomes pages: each file in one transaction, so that a crash loses nothing.

Running again takes up where the last run ended: a file whose content was imported already is left
alone. What somebody edited here since, and pages that came from elsewhere, are never overwritten;
the report says so.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.db import IntegrityError, InterfaceError, OperationalError
from django.utils.translation import gettext_noop

from kb import access, attachments, intake
from kb.errors import InvalidImage, KbError, PageNotFound
from kb.importing.decoding import Undecodable
from kb.importing.drafts import Draft, read_draft
from kb.importing.planning import Plan, PlannedPage, make_plan
from kb.importing.report import FileReport, Outcome
from kb.intake import PageFields
from kb.models import Attachment, Doc, ImportedFile, Status
from kb.rendering import render
from memory import tenancy
from memory.models import Membership
from memory.trees import FileUnreadable, Tree

logger = logging.getLogger(__name__)

_TAKEN = gettext_noop("Another page has this address.")
_EDITED = gettext_noop("The page was edited here since the last import; it stays as it is.")
_MEANWHILE = gettext_noop("Somebody else wrote this page at the same moment. Import again.")
_NOT_SHOWN = gettext_noop("No page of the tree shows it.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportOptions:
    """``origin`` names the tree: the same name again means a newer version of the same files."""

    origin: str
    under: str = ""  # a slug path that all pages are put below
    publish: bool = False  # pages that do not say themselves what they are
    overwrite: bool = False  # pages that were edited here since, too; their history is kept
    enqueue: bool = True  # False leaves the vectors to the caller


@dataclass(frozen=True, slots=True)
class _Decision:
    """What a file will be here. ``doc`` is the page to change or keep; none yet where one is added."""

    outcome: Outcome
    doc: Doc | None = None
    earlier: ImportedFile | None = None
    reason: str = ""


class Import:
    """One run over one tree. Work is done as the reports are taken, a page each time."""

    def __init__(self, member: Membership, tree: Tree, options: ImportOptions) -> None:
        """Plans, and writes nothing. Raises ``PageNotFound`` for a reader."""
        if not member.can_write:
            raise PageNotFound("Only editors can import pages.")
        self._member, self._tree, self._options = member, tree, options
        self._shown: set[str] = set()
        self._spoiled: dict[str, str] = {}  # images that cannot be shown, and why
        self.plan: Plan = make_plan(tree, under=options.under)

    def files(self, *, seen: frozenset[str] = frozenset()) -> Iterator[FileReport]:
        """What became of each file. ``seen``: paths that an earlier part of this run reported.

        Raises ``OperationalError`` where the database is away: no file is to blame for that.
        """
        yield from (report for report in self.plan.others if report.path not in seen)
        for page in self.plan.pages:
            if page.path not in seen:
                yield self._imported(page)
        for path in sorted(self.plan.images - seen):
            if path in self._spoiled:
                yield FileReport(path, Outcome.FAILED, self._spoiled[path])
            elif not seen and path not in self._shown:
                yield FileReport(path, Outcome.SKIPPED, _NOT_SHOWN)

    def forecast(self) -> Iterator[FileReport]:
        """What ``files`` would say, as far as it can be known beforehand. Writes nothing."""
        yield from self.plan.others
        for page in self.plan.pages:
            try:
                draft = read_draft(self._tree, self.plan, page)
                with tenancy.scope(self._member.tenant_id):
                    yield _report(page, self._decide(draft))
            except (FileUnreadable, Undecodable) as error:
                yield _failure(page, str(error))

    def _imported(self, page: PlannedPage) -> FileReport:
        try:
            draft = read_draft(self._tree, self.plan, page)
            self._shown |= draft.images.keys()
            self._spoiled |= draft.broken
            with tenancy.scope(self._member.tenant_id):
                decision = self._decide(draft)
                if decision.outcome in (Outcome.ADDED, Outcome.CHANGED):
                    self._write(draft, decision)
            return _report(page, decision)
        except (FileUnreadable, Undecodable, KbError) as error:
            return _failure(page, str(error))
        except IntegrityError:
            return _failure(page, _MEANWHILE)
        except (OperationalError, InterfaceError):
            raise
        except Exception as error:
            # One file must not stop the thousands after it.
            logger.exception("import_failed", extra={"error": type(error).__name__})
            return _failure(page, f"A fault of ours ({type(error).__name__}).")

    def _decide(self, draft: Draft) -> _Decision:
        page = draft.page
        files = ImportedFile.objects.filter(origin=self._options.origin, path=page.path)
        earlier = files.select_related("doc").first()
        doc = earlier.doc if earlier is not None and earlier.doc.deleted_at is None else None
        if earlier is None or doc is None:
            if Doc.objects.filter(slug=page.slug, deleted_at=None).exists():
                return _Decision(Outcome.REFUSED, reason=_TAKEN)
            return _Decision(Outcome.ADDED)
        if not access.visible_docs(self._member).filter(pk=doc.pk).exists():
            return _Decision(Outcome.REFUSED, reason=_TAKEN)
        if earlier.digest == draft.digest(publish=self._options.publish):
            return _Decision(Outcome.UNCHANGED, doc, earlier)
        if doc.head_revision_id != earlier.revision_id and not self._options.overwrite:
            return _Decision(Outcome.REFUSED, doc, earlier, _EDITED)
        return _Decision(Outcome.CHANGED, doc, earlier)

    def _write(self, draft: Draft, decision: _Decision) -> None:
        images = self._attachments(draft, decision.earlier.images if decision.earlier else {})
        slug = self._member.tenant.slug
        source = draft.source_with(
            {path: attachments.file_url(slug, image) for path, image in images.items()}
        )
        fields = self._fields(draft.page, source, is_new=decision.doc is None)
        enqueue = self._options.enqueue
        if decision.doc is None:
            doc = intake.create_page(self._member, fields, enqueue=enqueue)
        else:
            doc = intake.update_page(self._member, decision.doc, fields, enqueue=enqueue)
        assert doc.head_revision_id is not None
        ImportedFile.objects.update_or_create(
            tenant_id=doc.tenant_id,
            origin=self._options.origin,
            path=draft.page.path,
            defaults={
                "doc": doc,
                "revision_id": doc.head_revision_id,
                "digest": draft.digest(publish=self._options.publish),
                "images": {draft.images[path]: str(image.pk) for path, image in images.items()},
            },
        )

    def _attachments(self, draft: Draft, known: Mapping[str, str]) -> dict[str, Attachment]:
        """By path. Those of the page's last import are taken again; an image that cannot be shown
        spoils itself and not the page.
        """
        visible = attachments.visible_attachments(self._member)
        by_sha: dict[str, Attachment] = {
            sha: image
            for sha in {*draft.images.values()} & known.keys()
            for image in visible.filter(pk=known[sha])
        }
        found = {}
        for path, sha in draft.images.items():
            try:
                if sha not in by_sha:
                    by_sha[sha] = attachments.store(self._member, self._tree.read(path), name=path)
                found[path] = by_sha[sha]
            except InvalidImage as error:
                self._spoiled[path] = str(error)
        return found

    def _fields(self, page: PlannedPage, source: str, *, is_new: bool) -> PageFields:
        """What the file says, and for a new page what it leaves open."""
        front = page.front
        status = front.status
        if status is None and (is_new or self._options.publish):
            status = Status.PUBLISHED if self._options.publish else Status.DRAFT
        title = front.title or render(source, page.source_format).title or page.name
        return PageFields(
            title=title[: intake.MAX_TITLE],
            source=source,
            source_format=page.source_format.value,
            slug=page.slug if is_new or front.slug is not None else None,
            language=front.language,
            category=front.category,
            visibility=front.visibility,
            allowed_groups=list(front.groups) if front.groups is not None else None,
            status=status,
        )


def _report(page: PlannedPage, decision: _Decision) -> FileReport:
    slug = decision.doc.slug if decision.doc else page.slug
    return FileReport(page.path, decision.outcome, decision.reason, slug)


def _failure(page: PlannedPage, reason: str) -> FileReport:
    return FileReport(page.path, Outcome.FAILED, reason, page.slug)
