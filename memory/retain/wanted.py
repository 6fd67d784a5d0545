"""Items, checked and normalised, as the documents that are wanted. Pure. Raises ``InvalidMemory``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from unicodedata import normalize

from memory import ids
from memory.errors import InvalidMemory
from memory.facts.records import Mention
from memory.language.text import clean_text, content_hash, is_blank, normalise_source
from memory.retain import content
from memory.retain.content import Told
from memory.retain.items import ObservationScopes, RetainItem, ScopeRule, UpdateMode
from memory.tags import MAX_TAG_LENGTH

MAX_ITEMS = 10_000
MAX_NAME = 500  # code points of a document's name: four bytes each still fit a b-tree entry
MAX_TAGS = 100
MAX_CONTEXT = 2_000
MAX_METADATA, MAX_KEY, MAX_VALUE = 100, 200, 10_000
MAX_ENTITY, MAX_KIND, MAX_ENTITIES = 200, 60, 200
_BETWEEN_PARTS = 2  # line ends
_MADE = "memory-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What one item says. Its facts carry its time, context, metadata and tags."""

    told: Told
    said_at: datetime | None
    is_dated: bool  # the caller named the time
    context: str
    metadata: Mapping[str, str]
    tags: tuple[str, ...]
    mentions: tuple[Mention, ...]
    resolve: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A document as it shall be, or with ``APPEND`` what shall be added to it. Without a name of the
    caller's, ``is_named`` is False and ``name`` is made of what is said.

    Offsets of the turns in ``parts`` count the part's own text.
    """

    name: str
    mode: UpdateMode
    parts: tuple[Part, ...]
    scopes: ObservationScopes
    is_named: bool = True
    submitted_at: datetime | None = None

    @property
    def text(self) -> str:
        return ("\n" * _BETWEEN_PARTS).join(part.told.text for part in self.parts)

    @property
    def tags(self) -> tuple[str, ...]:
        return tuple(sorted({tag for part in self.parts for tag in part.tags}))

    def offsets(self, start: int = 0) -> list[tuple[int, Part]]:
        """Where each part begins in a document in which the first one begins at ``start``."""
        found = []
        for part in self.parts:
            found.append((start, part))
            start += len(part.told.text) + _BETWEEN_PARTS
        return found


def after(text: str) -> int:
    """Where a part begins that is added to a document's text."""
    return len(text) + _BETWEEN_PARTS


def read(
    items: Sequence[RetainItem], *, document_tags: Iterable[str] = (), now: datetime
) -> list[Wanted]:
    """The items of one name are one document, in their order. ``now``: when they were submitted."""
    if not items:
        raise InvalidMemory("There is no item to remember.")
    if len(items) > MAX_ITEMS:
        raise InvalidMemory(f"At most {MAX_ITEMS:,} items are retained at once.")
    common = tuple(document_tags)
    wanted: dict[str, Wanted] = {}
    for item in items:
        part = _part(item, common, now)
        name = _name(item, part)
        known = wanted.get(name)
        if known is None:
            scopes = observation_scopes(item.observation_scopes)
            wanted[name] = Wanted(
                name=name,
                mode=UpdateMode(item.update_mode),
                parts=(part,),
                scopes=scopes,
                is_named=item.document_name is not None,
                submitted_at=now,
            )
        elif item.document_name is not None:
            wanted[name] = replace(known, parts=(*known.parts, part))
    for document in wanted.values():
        if len(document.text) > content.MAX_LENGTH:
            raise InvalidMemory(f"A document is at most {content.MAX_LENGTH:,} characters long.")
    return list(wanted.values())


def tags(values: Iterable[str]) -> tuple[str, ...]:
    """Sorted, each once. Raises ``InvalidMemory`` for what is no tag."""
    cleaned = set()
    for value in values:
        if not isinstance(value, str) or is_blank(tag := clean_text(value)):
            raise InvalidMemory("A tag is a text that is not blank.")
        if len(tag) > MAX_TAG_LENGTH:
            raise InvalidMemory(f"A tag is at most {MAX_TAG_LENGTH} characters long.")
        cleaned.add(tag)
    if len(cleaned) > MAX_TAGS:
        raise InvalidMemory(f"A memory has at most {MAX_TAGS} tags.")
    return tuple(sorted(cleaned))


def metadata(values: Mapping[str, str]) -> dict[str, str]:
    if not isinstance(values, Mapping) or not all(
        isinstance(key, str) and isinstance(value, str) for key, value in values.items()
    ):
        raise InvalidMemory("Metadata is a mapping of texts to texts.")
    cleaned = {normalise_source(key): normalise_source(value) for key, value in values.items()}
    too_long = any(len(key) > MAX_KEY or len(value) > MAX_VALUE for key, value in cleaned.items())
    if too_long or len(cleaned) > MAX_METADATA:
        raise InvalidMemory(
            f"Metadata has at most {MAX_METADATA} entries, keys of at most {MAX_KEY} characters"
            f" and values of at most {MAX_VALUE:,}."
        )
    return cleaned


def _part(item: RetainItem, common: tuple[str, ...], now: datetime) -> Part:
    context = normalise_source(item.context or "").strip()
    if len(context) > MAX_CONTEXT:
        raise InvalidMemory(f"A context is at most {MAX_CONTEXT:,} characters long.")
    return Part(
        told=content.read(item.content),
        said_at=content.read_time(item.timestamp, now=now),
        is_dated=item.timestamp is not None,
        context=context,
        metadata=metadata(item.metadata or {}),
        tags=tags((*common, *(item.tags or ()))),
        mentions=_mentions(item.entities or ()),
        resolve=item.resolve_entities,
    )


def _mentions(given: Sequence[Mention]) -> tuple[Mention, ...]:
    if len(given) > MAX_ENTITIES:
        raise InvalidMemory(f"An item names at most {MAX_ENTITIES} entities.")
    named = [
        replace(mention, name=clean_text(mention.name), kind=clean_text(mention.kind))
        for mention in given
    ]
    if any(len(mention.kind) > MAX_KIND for mention in named):
        raise InvalidMemory(f"An entity's type is at most {MAX_KIND} characters long.")
    if any(is_blank(mention.name) or len(mention.name) > MAX_ENTITY for mention in named):
        raise InvalidMemory(f"An entity's name has 1 to {MAX_ENTITY} characters.")
    return tuple(named)


def _name(item: RetainItem, part: Part) -> str:
    if item.document_name is None:
        time = part.said_at.astimezone(UTC).isoformat() if part.is_dated and part.said_at else ""
        said = "\x1f".join(
            (*part.tags, time, part.context, normalize("NFC", part.told.text.strip()))
        )
        return _MADE + content_hash(said)[:32]
    name = clean_text(item.document_name)
    if not ids.is_id(name, most=MAX_NAME):
        raise InvalidMemory(f"A document's id has 1 to {MAX_NAME:,} characters {ids.NO_STEPS}.")
    return name


def observation_scopes(given: ObservationScopes) -> ObservationScopes:
    if isinstance(given, str):
        try:
            return ScopeRule(given)
        except ValueError as error:
            known = ", ".join(ScopeRule)
            raise InvalidMemory(
                f"Observation scopes are one of {known}, or lists of tags."
            ) from error
    return tuple(tags(scope) for scope in given)
