"""The seams' implementations, by dotted path in settings. Made once per process, on first use.

Changing ``settings.FOOTNOTE`` (tests do) makes them anew.
"""

from __future__ import annotations

from functools import cache
from typing import Any, cast

from django.conf import settings
from django.core.signals import setting_changed
from django.utils.module_loading import import_string

from memory.seams import Converter, Encoder, Extractor, Generator, Judge, Reranker


def _make(path: str) -> Any:
    return import_string(path)()


@cache
def encoder() -> Encoder:
    return cast(Encoder, _make(settings.FOOTNOTE["ENCODER"]))


@cache
def reranker() -> Reranker:
    return cast(Reranker, _make(settings.FOOTNOTE["RERANKER"]))


@cache
def generator() -> Generator:
    return cast(Generator, _make(settings.FOOTNOTE["GENERATOR"]))


@cache
def extractor() -> Extractor:
    return cast(Extractor, _make(settings.FOOTNOTE["EXTRACTOR"]))


@cache
def judges() -> tuple[Judge, ...]:
    """In the order in which they are asked: one that declines hands on to the next."""
    return tuple(cast(Judge, _make(path)) for path in settings.FOOTNOTE["JUDGES"])


@cache
def converter() -> Converter:
    return cast(Converter, _make(settings.FOOTNOTE["CONVERTER"]))


def _reload(*, setting: str, **_: Any) -> None:
    if setting == "FOOTNOTE":
        for made in (converter, encoder, extractor, reranker, generator, judges):
            made.cache_clear()


setting_changed.connect(_reload, dispatch_uid="memory.backends.registry")
