"""A reranking service, through litellm: Cohere, Jina, Voyage, a local server, and others."""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings

from memory.backends.completions import TRIES, litellm_module
from memory.backends.rerankers.scores import shares
from memory.errors import RerankerFailed
from memory.seams import KnownScores

_AT_ONCE = 100  # passages of one call; services refuse more


class HostedReranker:
    """Known by the model's name in litellm's notation, such as ``cohere/rerank-v3.5``. Its floor is the
    setting's, None where nobody measured one."""

    def __init__(self, model: str = "", *, floor: float | None = None) -> None:
        self.name = model or settings.FOOTNOTE["RERANKER_MODEL"]
        self.floor = floor if model else settings.FOOTNOTE["RERANKER_FLOOR"]

    def score(
        self, query: str, passages: Sequence[str], *, known: Sequence[KnownScores] = ()
    ) -> list[float]:
        """Raises ``RerankerFailed``: also for scores that are missing, doubled or no numbers."""
        found: list[float] = []
        for at in range(0, len(passages), _AT_ONCE):
            batch = list(passages[at : at + _AT_ONCE])
            found += self._ask(query, batch)
        return shares(found, expected=len(passages))

    def _ask(self, query: str, passages: list[str]) -> list[float]:
        litellm = litellm_module()
        options = {"timeout": settings.FOOTNOTE["LLM_TIMEOUT"], "max_retries": 0}
        if base := settings.FOOTNOTE["RERANKER_API_BASE"]:
            options["api_base"] = base
        for attempt in range(1, TRIES + 1):
            try:
                reply = litellm.rerank(
                    model=self.name,
                    query=query,
                    documents=passages,
                    top_n=len(passages),
                    return_documents=False,
                    **options,
                )
            except Exception as error:
                if attempt == TRIES:
                    # The message may quote the passages: only the class is kept.
                    raise RerankerFailed(f"{self.name}: {type(error).__name__}") from None
            else:
                return _in_order(reply.results, len(passages))
        raise AssertionError("unreachable")


def _in_order(results: object, count: int) -> list[float]:
    """Services answer best first, each result with the place of its passage."""
    scores: dict[int, float] = {}
    if not isinstance(results, list):
        raise RerankerFailed("a reply without results")
    for one in results:
        scores[int(one["index"])] = float(one["relevance_score"])
    if sorted(scores) != list(range(count)) or len(results) != count:
        raise RerankerFailed(f"{len(results)} results for {count} passages")
    return [scores[place] for place in range(count)]
