"""Counting tokens the way the limits count them: cl100k_base. Pure; reads one local file once.

The encoding's table is the one that litellm ships. litellm itself takes seconds to import, so its
folder is found without importing it, and tiktoken never looks for the table on the network.
"""

from __future__ import annotations

import os
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tiktoken

ENCODING = "cl100k_base"


def count_tokens(text: str) -> int:
    """Tokens of ``text``. Markers such as ``<|endoftext|>`` are plain text here."""
    return len(_encoding().encode_ordinary(text))


def clip_tokens(text: str, most: int) -> str:
    """The beginning of ``text`` that ``most`` tokens spell, without half a character at its end."""
    encoding = _encoding()
    spelt = b"".join(encoding.decode_tokens_bytes(encoding.encode_ordinary(text)[:most]))
    return spelt.decode("utf-8", errors="ignore")


@cache
def _encoding() -> tiktoken.Encoding:
    folder = _tokenizer_folder()
    if folder is not None:
        os.environ.setdefault("TIKTOKEN_CACHE_DIR", str(folder))
    import tiktoken  # here, since importing it takes a while and few processes count

    return tiktoken.get_encoding(ENCODING)


def _tokenizer_folder() -> Path | None:
    spec = find_spec("litellm")
    for location in (spec.submodule_search_locations if spec else None) or ():
        folder = Path(location) / "litellm_core_utils" / "tokenizers"
        if folder.is_dir():
            return folder
    return None
