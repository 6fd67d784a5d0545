"""Request bodies as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any, Final

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

MAX_DEPTH: Final = 100  # lists and objects within each other; what reads them later goes this deep


class BoundedJSONParser(JSONParser):
    """JSON nested deeper than can be followed is a bad request, not a fault of ours."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        try:
            parsed: dict[str, Any] = super().parse(stream, media_type, parser_context)
        except RecursionError as error:
            raise ParseError(_TOO_DEEP) from error
        if is_too_deep(parsed):
            raise ParseError(_TOO_DEEP)
        return parsed


_TOO_DEEP: Final = "The JSON is nested too deeply."


def is_too_deep(value: Any) -> bool:
    """Whether a JSON value has more than ``MAX_DEPTH`` layers of lists and objects."""
    layer = [value]
    for _ in range(MAX_DEPTH + 1):
        layer = [
            part
            for outer in layer
            if isinstance(outer, dict | list)
            for part in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not layer:
            return False
    return True
