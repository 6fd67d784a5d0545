"""Audit entries of page changes: who, what was before, what is after. The last step of a change."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from kb import audit_kinds
from kb.models import Doc, Revision, Status
from memory import audit
from memory.models import Membership

_FIELDS = ("title", "slug", "status", "visibility", "allowed_groups", "language", "category")
_PERMISSION = ("visibility", "allowed_groups")


def state(doc: Doc) -> dict[str, Any]:
    """What an entry tells of a page: its properties and revision numbers, never its text."""
    return {name: getattr(doc, name) for name in _FIELDS} | {
        "owner": str(doc.owner_id),
        "revision": _number(doc.head_revision_id),
        "published_revision": _number(doc.published_revision_id),
    }


def _number(revision_id: UUID | None) -> int | None:
    if revision_id is None:
        return None
    return Revision.objects.filter(pk=revision_id).values_list("number", flat=True).first()


def created(actor: Membership, doc: Doc) -> None:
    _append(audit_kinds.DOCUMENT_CREATED, actor, doc, None, state(doc))


def deleted(actor: Membership, doc: Doc) -> None:
    _append(audit_kinds.DOCUMENT_DELETED, actor, doc, state(doc), None)


def restored(actor: Membership, doc: Doc) -> None:
    _append(audit_kinds.DOCUMENT_RESTORED, actor, doc, None, state(doc))


def changed(
    actor: Membership, doc: Doc, before: dict[str, Any], *, restores: int | None = None
) -> None:
    """One entry for each kind of change that one save made; none where it changed nothing.

    ``restores``: the earlier revision whose text the new one repeats.
    """
    after = state(doc)
    different = {name for name in after if after[name] != before[name]}
    if "revision" in different:
        words = ["title", "revision"]
        if restores is not None:
            before, after = before | {"restores": None}, after | {"restores": restores}
            words.append("restores")
        _append(audit_kinds.DOCUMENT_VERSIONED, actor, doc, before, after, *words)
        different -= {"title", "revision", "published_revision"}
    if different & set(_PERMISSION):
        _append(audit_kinds.PERMISSION_SET, actor, doc, before, after, *_PERMISSION)
        different -= set(_PERMISSION)
    if "status" in different and doc.status == Status.ARCHIVED:
        _append(audit_kinds.DOCUMENT_ARCHIVED, actor, doc, before, after, "status")
        different.discard("status")
    if different:
        _append(audit_kinds.DOCUMENT_CHANGED, actor, doc, before, after, *sorted(different))


def _append(
    kind: str,
    actor: Membership,
    doc: Doc,
    before: dict[str, Any] | None,
    after: dict[str, Any] | None,
    *only: str,
) -> None:
    def told(values: dict[str, Any] | None) -> dict[str, Any] | None:
        return values if values is None or not only else {name: values[name] for name in only}

    audit.append(
        kind,
        {
            "actor": actor.user_id,
            "doc_id": doc.pk,
            "before": told(before),
            "after": told(after),
        },
    )
