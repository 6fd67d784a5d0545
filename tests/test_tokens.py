from __future__ import annotations

import subprocess
import sys

import pytest

from memory.language.tokens import count_tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("hello world", 2),
        ("The overtime form is due on Friday.", 8),
        ("报销单", 3),
        ("<|endoftext|>", 7),  # plain text here, never the marker
    ],
)
def test_text_counts_as_cl100k_counts_it(text: str, tokens: int) -> None:
    assert count_tokens(text) == tokens


@pytest.mark.parametrize("run", ["a" * 9_000, "漢" * 6_000, "x1" * 100_000, "!" * 100_000])
def test_fc_62_run_without_a_space_is_counted(run: str) -> None:
    assert 0 < count_tokens(run) <= 3 * len(run)


def test_counting_imports_neither_litellm_nor_django() -> None:
    code = (
        "import sys; from memory.language.tokens import count_tokens; assert 'tiktoken' not in sys.modules; "
        "count_tokens('a'); assert not {'litellm', 'django'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
