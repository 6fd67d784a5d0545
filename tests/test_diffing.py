from __future__ import annotations

from kb.diffing import Line, LineKind, changed_lines


def test_equal_texts_have_no_changed_lines() -> None:
    assert list(changed_lines("a\nb", "a\nb")) == []


def test_changed_line_is_shown_with_its_place_and_neighbours() -> None:
    old = "\n".join(f"line {n}" for n in range(1, 10))
    new = old.replace("line 6", "line six")
    assert list(changed_lines(old, new)) == [
        Line(LineKind.PLACE, "4"),
        Line(LineKind.SAME, "line 4"),
        Line(LineKind.SAME, "line 5"),
        Line(LineKind.REMOVED, "line 6"),
        Line(LineKind.ADDED, "line six"),
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
