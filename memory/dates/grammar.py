"""Which words next to each other name a period. Each rule is a pattern over the tokens' kinds.

Rules are tried in the order of how much they take in, and a word belongs to the first rule that
makes a period of it. ``joining`` then puts periods together.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final

from memory.dates import absolute, relative
from memory.dates.lexing import Language
from memory.dates.periods import NoSuchDay, Period
from memory.dates.rules import Rule
from memory.dates.tokens import Builder, Token, kinds_of


def _rule(pattern: str, build: Builder, needs: str = "") -> Rule:
    """``#`` is any number, ``@`` a month, ``%`` a weekday, ``u`` a unit."""
    for short, kinds in (("#", "[DH]"), ("@", "[Mn]"), ("%", "[Ww]"), ("u", "[UYmd]")):
        pattern = pattern.replace(short, kinds)
    return Rule.of(pattern, build, needs)


# "last week" is told from now, unless a month follows: the last week of May.
# So is "last weekend", unless it lies before or after a date.
_NOT_BESIDE: Final = "(?![<>]%?(?:[DO]?@|q))"
_WHOLE: Final = f"(?!P?(?:@|R|[LTN]U|D@|#m)){_NOT_BESIDE}"

_MOVED_TO: Final = r"(?<=\^[^;]*t)"  # what is one elsewhere, too, is one here: moved to March

RULES: Final = (
    _rule("%?P?q", absolute.date_in_figures),
    # Dates with all three.
    _rule("%?P?[DO]P?@[Pt]?D", absolute.full_date),
    _rule("%?@[DO]D", absolute.full_date),
    _rule("D@[DO]", absolute.full_date),
    _rule("#Y#m(?:#d)?", absolute.marked_date),
    _rule("U#U#U#", absolute.marked_date, "modifier_follows"),
    _rule("U#U#", absolute.marked_date, "modifier_follows"),
    _rule("U#@(?:UD|D)", absolute.full_date, "modifier_follows"),
    _rule("@UD", absolute.month_of_year, "modifier_follows"),
    # A part of a year that is told from now.
    _rule("R#m(?:#d)?", relative.month_of_told_year),
    _rule("RP?@[DO]?|[LTN]UP?@[DO]?", relative.month_of_told_year),
    _rule("[DO]?@P?R", relative.month_of_told_year),
    _rule("[DO]?@P?[LTN]U", relative.month_of_told_year),
    _rule("[DO]?@P?U[LVTN]", relative.month_of_told_year, "modifier_follows"),
    _rule("RP?S|SP?R|SP?[LTN]U", relative.season_of_told_year),
    _rule("SP?U[LVTN]", relative.season_of_told_year, "modifier_follows"),
    _rule("@[DO][-t]DD?", absolute.days_of_month),
    _rule("@[Pt]?D", absolute.month_of_year),
    _rule("D@", absolute.month_of_year),
    _rule("#m#d", absolute.marked_date),
    _rule("P?#m", absolute.marked_date),
    _rule("(?:%|P)*[DO]@", absolute.day_of_month),
    _rule("%?P?@[DO]", absolute.day_of_month),
    # Counted from now.
    _rule("[CGDH][UYd][A{V]", relative.ago, "modifier_follows"),
    _rule("[CGDH][UYd][A{]|uA", relative.ago),
    _rule("B(?:[CG]|#)?u", relative.ago),
    _rule("[Lp](?:[CG]|#)u|(?:[CG]|#)[Lp]u|pu", relative.rolling),
    _rule("[CGDH]uL", relative.rolling, "modifier_follows"),
    _rule("#uF|I#u", relative.ahead),
    # "in three weeks" is how long something takes, unless its clause looks ahead.
    _rule("(?<=[!?=][^_;&]*)P#u|P#u(?=[^_;&]*[!?=])", relative.ahead),
    # Told from now.
    _rule("R[Hd]", relative.weekday_of_told_week, "has_numbered_weekdays"),
    _rule("RP?%|%P?R", relative.weekday_of_told_week),
    _rule("%P?[LTN]U|[LTN]UP?%", relative.weekday_of_told_week),
    _rule("%P?U[LVTN]", relative.weekday_of_told_week, "modifier_follows"),
    _rule("R", relative.told_period),
    _rule(f"[LTN]u{_WHOLE}", relative.told_unit),
    _rule("u[LVTN]", relative.told_unit, "modifier_follows"),
    _rule(f"[LTN]%{_WHOLE}", relative.told_weekday),
    _rule("%[LVTN]", relative.told_weekday, "modifier_follows"),
    _rule("(?<=e)P?U", relative.running_unit),
    _rule("PU", relative.weekend),
    _rule("[LTN]@", relative.told_month),
    _rule("@[LVTN]", relative.told_month, "modifier_follows"),
    _rule("[LTN]S", relative.told_season),
    _rule("S[LVTN]", relative.told_season, "modifier_follows"),
    # Quarters, seasons and years.
    _rule("K[Pt]?U?D?|[DO]U[Pt]?U?D", absolute.quarter),
    _rule("U#U?D", absolute.quarter, "modifier_follows"),
    _rule("SP?U?D", absolute.season_of_given_year),
    _rule("PS", absolute.season_named),
    _rule("P?#Y", absolute.marked_year),
    _rule("P?DU", absolute.marked_year, "is_year_word_behind"),
    _rule("UD", absolute.marked_year),
    _rule("PD|(?<=[es<>]|e-)D", absolute.year),
    _rule("(?<=f)D(?=[t-]D)|(?<=fD[t-]|PD-)D|(?<=[bI])D(?=&D)|(?<=[bI]D&)D", absolute.year),
    _rule("P?E", absolute.decade),
    # A month or a weekday by name.
    _rule(f"PW{_NOT_BESIDE}", relative.told_weekday),
    _rule(
        f"P@|{_MOVED_TO}@|(?<=[sfbeI<>]|[OL][UWw]P?)@|@(?=[t&-]P?@)|(?<=(?:@|[DYm])[t-]P?)@|(?<=@&)@",
        absolute.month_named,
    ),
    _rule(f"{_MOVED_TO}%|(?<=[sfbI<>])%|%(?=[t&-]%)|(?<=%[t&-]P?)%", relative.told_weekday),
    _rule(f"W{_NOT_BESIDE}", relative.plain_weekday, "is_weekday_plain"),
    _rule("M", absolute.plain_month),
    _rule("U#", absolute.marked_date, "modifier_follows"),
)


@dataclass(frozen=True, slots=True)
class Found:
    """A period and the tokens that named it, ``end`` exclusive."""

    start: int
    end: int
    period: Period


def find(tokens: list[Token], language: Language, anchor: date) -> list[Found]:
    """Periods in the order of the text, none of them overlapping."""
    kinds = kinds_of(tokens)
    found: list[Found] = []
    taken = [False] * len(tokens)
    for rule in RULES:
        for start, end in rule.places(kinds, language):
            if any(taken[start:end]):
                continue
            try:
                period = _built(rule.build, tokens[start:end], anchor)
            except NoSuchDay:
                taken[start:end] = [True] * (end - start)
                continue
            if period is not None:
                found.append(Found(start, end, period))
                taken[start:end] = [True] * (end - start)
    return sorted(found, key=lambda each: each.start)


def _built(build: Builder, tokens: list[Token], anchor: date) -> Period | None:
    """None also for what lies beyond the calendar. Raises ``NoSuchDay``."""
    try:
        return build(tokens, anchor)
    except NoSuchDay:
        raise
    except (ValueError, OverflowError):
        return None
