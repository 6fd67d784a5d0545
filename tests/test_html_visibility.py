from __future__ import annotations

import pytest

from kb.html_tree import Element
from kb.html_visibility import is_hidden


@pytest.mark.parametrize(
    "style",
    [
        "display:none",
        "DISPLAY : None !important",
        "color:red;display:/* a */none",
        "d\\69splay:none",
        "display:block;display:none",
        "display:none !important;display:block",
        "visibility:hidden",
        "visibility:collapse",
        "opacity:0",
        "opacity:.0",
        "opacity:0%",
        "font-size:0",
        "font-size: 0.0px",
        "height:0;overflow:hidden",
        "text-indent:-9999px",
        "position:absolute;left:-1000px",
        "clip:rect(0 0 0 0)",
        "clip:rect(0px,0px,0px,0px)",
        "clip-path:inset(50%)",
        "color:transparent",
        "color:rgba(0, 0, 0, 0)",
        "color:rgb(0 0 0 / 0%)",
        "transform:scale(0)",
    ],
)
def test_style_that_hides_is_seen(style: str) -> None:
    assert is_hidden(Element("p", {"style": style}))


@pytest.mark.parametrize(
    "style",
    [
        "",
        "display:block",
        "display:none;display:block",
        "opacity:0.5",
        "opacity:10%",
        "font-size:10px",
        "font-size:0.8em",
        "color:rgb(0,0,0)",
        "color:rgba(0,0,0,0.9)",
        "height:0",
        "overflow:hidden;height:10px",
        "left:-10px",
        "background:url('display:none')",
        "display",
        ";;:;",
    ],
)
def test_style_that_shows_is_left(style: str) -> None:
    assert not is_hidden(Element("p", {"style": style}))


def test_hidden_attribute_hides_whatever_its_value() -> None:
    assert is_hidden(Element("p", {"hidden": ""}))
    assert is_hidden(Element("p", {"hidden": "false"}))


def test_closed_dialog_is_hidden_and_open_one_is_not() -> None:
    assert is_hidden(Element("dialog"))
    assert not is_hidden(Element("dialog", {"open": ""}))
