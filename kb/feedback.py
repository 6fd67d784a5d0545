"""What members think of replies, declines too. Rows are only added; the last one of each member counts.

Members vote on the questions that they may see: their own, and admins on everybody's.
"""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from kb import access
from kb.errors import InvalidFeedback, QuestionNotFound
from kb.models import Feedback, Vote
from memory.language.text import normalise_source
from memory.models import Membership

MAX_COMMENT = 2000  # code points


def give(member: Membership, question_id: UUID, vote: str, comment: str = "") -> Feedback:
    """Add a vote. The same vote with the same words again adds nothing.

    Raises ``QuestionNotFound``; ``InvalidFeedback`` for another word than up or down, or a comment
    that is too long.
    """
    if vote not in Vote.values:
        raise InvalidFeedback("vote", _("One of: {names}.").format(names=", ".join(Vote.values)))
    comment = normalise_source(comment).strip()
    if len(comment) > MAX_COMMENT:
        raise InvalidFeedback(
            "comment", _("A comment has at most {most} characters.").format(most=f"{MAX_COMMENT:,}")
        )
    if not access.visible_questions(member).filter(question_id=question_id).exists():
        raise QuestionNotFound("There is no such question.")
    last = last_votes(member.user_id, [question_id]).get(question_id)
    if last is not None and (last.vote, last.comment) == (vote, comment):
        return last
    return Feedback.objects.create(
        tenant_id=member.tenant_id,
        question_id=question_id,
        user_id=member.user_id,
        vote=vote,
        comment=comment,
    )


def last_votes(user_id: UUID, question_ids: Collection[UUID]) -> dict[UUID, Feedback]:
    """The vote that counts of one user, by question. One query."""
    rows = (
        Feedback.objects.filter(user_id=user_id, question_id__in=question_ids)
        .order_by("question_id", "-created_at")
        .distinct("question_id")
    )
    return {row.question_id: row for row in rows}


def votes_on(question_ids: Collection[UUID]) -> dict[UUID, list[Feedback]]:
    """The votes that count on each question, with their users. For admins. One query."""
    rows = (
        Feedback.objects.filter(question_id__in=question_ids)
        .select_related("user")
        .order_by("question_id", "user_id", "-created_at")
        .distinct("question_id", "user_id")
    )
    found: dict[UUID, list[Feedback]] = {}
    for row in rows:
        found.setdefault(row.question_id, []).append(row)
    return found


def voted(votes: Collection[str]) -> Exists:
    """A condition on questions: the vote that counts of some user is one of these."""
    later = Feedback.objects.filter(
        question_id=OuterRef("question_id"),
        user_id=OuterRef("user_id"),
        created_at__gt=OuterRef("created_at"),
    )
    return Exists(
        Feedback.objects.filter(~Exists(later), question_id=OuterRef("question_id"), vote__in=votes)
    )
