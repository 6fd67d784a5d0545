"""axe-core in a browser tab: what would keep somebody from using a screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from importlib import resources
from typing import Any

from playwright.sync_api import Page

# Colours that are still on their way to the other scheme would be measured.
_RUN = """async () => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  await Promise.allSettled(document.getAnimations().map((one) => one.finished));
  return axe.run(document, {resultTypes: ['violations']});
}"""
GRAVE = ("serious", "critical")
WIDE = {"width": 1440, "height": 900}
NARROW = {"width": 390, "height": 844}


@cache
def _axe() -> str:
    return resources.files("axe_playwright_python").joinpath("axe.min.js").read_text()


def barriers(tab: Page, *, prepare: Callable[[], object] = lambda: None) -> Iterator[str]:
    """Grave findings on the screen as it is, wide and narrow, light and dark. One line each.

    ``prepare`` opens again what closes when a window changes its size.
    """
    tab.evaluate(_axe())
    for size in (WIDE, NARROW):
        tab.set_viewport_size(size)  # type: ignore[arg-type]
        prepare()
        for scheme in ("light", "dark"):
            tab.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            found = tab.evaluate(_RUN)
            for violation in found["violations"]:
                if violation["impact"] in GRAVE:
                    yield from _lines(violation, f"{size['width']} {scheme}")


def _lines(violation: dict[str, Any], where: str) -> Iterator[str]:
    for node in violation["nodes"]:
        summary = " ".join(node["failureSummary"].split())
        yield f"{where}: {violation['id']} at {node['target']}: {summary}"
