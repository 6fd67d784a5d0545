"""What a model is shown of a bank: one line of JSON for each memory, under a short id of its own."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

from memory.hits import Hit
from memory.reflecting.looking import shown
from memory.reflecting.quoting import passage_of
from memory.reflecting.records import KnownModel
from memory.types import Passage


@dataclass(slots=True)
class Shown:
    """Ids and what they stand for: ``M1`` a memory, ``K1`` a mental model. Nothing else may be cited."""

    hits: dict[str, Hit] = field(default_factory=dict)
    models: dict[str, KnownModel] = field(default_factory=dict)
    _names: dict[UUID | str, str] = field(default_factory=dict)

    def __contains__(self, name: str) -> bool:
        return name in self.hits or name in self.models

    def show_hits(self, hits: Sequence[Hit]) -> str:
        return "\n".join(
            json.dumps(shown(hit) | {"id": self._of_hit(hit)}, ensure_ascii=False) for hit in hits
        )

    def show_models(self, models: Sequence[KnownModel]) -> str:
        return "\n".join(
            json.dumps(
                {
                    "id": self._of_model(one),
                    "mental_model": one.title,
                    "content": one.content,
                    "fresh": one.is_fresh,
                },
                ensure_ascii=False,
            )
            for one in models
        )

    def passages(self, bank_id: UUID) -> dict[str, Passage]:
        """Everything that was shown, by id, numbered from 1."""
        found: dict[str, Passage] = {}
        for name, hit in self.hits.items():
            found[name] = passage_of(len(found) + 1, hit)
        for name, model in self.models.items():
            found[name] = Passage(
                number=len(found) + 1,
                doc_id=bank_id,
                doc_title=model.title,
                revision=0,
                chunk_id=bank_id,
                text=model.content,
                char_start=0,
            )
        return found

    def _of_hit(self, hit: Hit) -> str:
        name = self._names.setdefault(hit.id, f"M{len(self.hits) + 1}")
        self.hits.setdefault(name, hit)
        return name

    def _of_model(self, model: KnownModel) -> str:
        name = self._names.setdefault(model.id, f"K{len(self.models) + 1}")
        self.models.setdefault(name, model)
        return name
