"""Turns a draft into claims whose every quote was found at its place. The specification's name."""

from __future__ import annotations

from kb.context import Context
from memory import judging
from memory.types import CheckedClaim, Draft
from memory.verification import verify


def extract(draft: Draft, context: Context) -> tuple[CheckedClaim, ...]:
    """Each claim with its citations in page offsets and the result of every check.

    A claim that is not supported is returned as such; the gate declines the whole answer for it.
    Claims in other words than the page's are put to the judge as well. Raises ``InvalidRange``.
    """
    return verify.verify(draft, context.passages, judge_says=judging.says)
