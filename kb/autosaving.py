"""Unsaved words, kept until they are saved or thrown away. They are nobody's but their writer's."""

from __future__ import annotations

from django.utils import timezone

from kb.models import Autosave, Doc, Revision
from memory.language.text import clean_text, normalise_source
from memory.models import Membership


def keep(
    member: Membership,
    doc: Doc | None,
    *,
    title: str,
    source: str,
    source_format: str,
    base_revision: int | None,
) -> Autosave:
    """Write over what was kept before. Lengths and choices are checked by the caller's form."""
    kept, _ = Autosave.objects.update_or_create(
        tenant_id=member.tenant_id,
        user_id=member.user_id,
        doc=doc,
        defaults={
            "title": clean_text(title),
            "source": normalise_source(source),
            "source_format": source_format,
            "base_revision": base_revision,
            "saved_at": timezone.now(),
        },
    )
    return kept


def kept_words(member: Membership, doc: Doc | None, head: Revision | None) -> Autosave | None:
    """What the member left unsaved, where it says anything else than the page's newest revision."""
    kept = Autosave.objects.filter(user_id=member.user_id, doc=doc).first()
    if kept is None or not kept.source.strip():
        return None
    if head is not None and (kept.source.strip(), kept.title) == (head.source.strip(), head.title):
        return None
    return kept


def forget(member: Membership, doc: Doc | None) -> None:
    Autosave.objects.filter(user_id=member.user_id, doc=doc).delete()
