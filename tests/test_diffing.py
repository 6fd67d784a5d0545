from __future__ import annotations

from kb.diffing import MAX_LINE_WORDS, MAX_WORDS, Line, LineKind, Run, changed_lines


def test_equal_texts_have_no_changed_lines() -> None:
    assert list(changed_lines("a\nb", "a\nb")) == []


def test_changed_line_is_shown_with_its_place_and_neighbours() -> None:
    old = "\n".join(f"line {n}" for n in range(1, 10))
    new = old.replace("line 6", "line six")
    assert list(changed_lines(old, new)) == [
        Line(LineKind.PLACE, "4"),
        Line(LineKind.SAME, "line 4"),
        Line(LineKind.SAME, "line 5"),
        Line(LineKind.REMOVED, "line 6", (Run("line ", False), Run("6", True))),
        Line(LineKind.ADDED, "line six", (Run("line ", False), Run("six", True))),
        Line(LineKind.SAME, "line 7"),
        Line(LineKind.SAME, "line 8"),
    ]


def test_lines_that_look_like_a_diff_stay_text() -> None:
    assert list(changed_lines("", "+++ b\n@@ -1 +1 @@\n--- a")) == [
        Line(LineKind.PLACE, "1"),
        Line(LineKind.ADDED, "+++ b"),
        Line(LineKind.ADDED, "@@ -1 +1 @@"),
        Line(LineKind.ADDED, "--- a"),
    ]


def words(old: str, new: str) -> list[tuple[LineKind, list[str]]]:
    """Of each changed line the words that make the difference."""
    return [
        (line.kind, [run.text for run in line.runs if run.is_changed])
        for line in changed_lines(old, new)
        if line.kind in (LineKind.ADDED, LineKind.REMOVED)
    ]


def test_words_that_differ_are_told_inside_their_line() -> None:
    assert words("At most 12 hours a week.", "At most 10 hours each week.") == [
        (LineKind.REMOVED, ["12", "a"]),
        (LineKind.ADDED, ["10", "each"]),
    ]


def test_script_without_spaces_is_compared_sign_by_sign() -> None:
    assert words("加班每周不超过十二小时。", "加班每周不超过十小时。") == [
        (LineKind.REMOVED, ["二"]),
        (LineKind.ADDED, []),
    ]


def test_letter_and_its_marks_stay_one_word() -> None:
    assert words("la\u0300m the\u0302m gio\u031b\u0300", "la\u0300m gio\u031b\u0300") == [
        (LineKind.REMOVED, ["the\u0302m "]),
        (LineKind.ADDED, []),
    ]


def test_lines_with_little_in_common_are_shown_whole() -> None:
    assert words("The fee is 20 euros.", "Ask Mai before you travel abroad!") == [
        (LineKind.REMOVED, []),
        (LineKind.ADDED, []),
    ]


def test_runs_make_up_their_line() -> None:
    for line in changed_lines("a  b c", "a b  c d"):
        assert not line.runs or "".join(run.text for run in line.runs) == line.text


def test_past_its_limits_a_text_is_compared_by_lines_alone() -> None:
    long_line = "word " * MAX_LINE_WORDS
    assert words(f"{long_line}one", f"{long_line}two") == [
        (LineKind.REMOVED, []),
        (LineKind.ADDED, []),
    ]
    line, count = "word " * 400, MAX_WORDS // 1_600 + 2
    told = words(f"{line}one\n" * count, f"{line}two\n" * count)
    assert told[0] == (LineKind.REMOVED, ["one"])
    assert told[-1] == (LineKind.ADDED, [])
