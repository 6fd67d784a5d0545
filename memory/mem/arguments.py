"""The flags of ``mem``. What does not parse is refused before anything is read."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from memory.dates import parse_datetime
from memory.errors import InvalidTime
from memory.language.text import normalise_source
from memory.levels import Level
from memory.mem.failures import Failed, bad_flags
from memory.retain.items import UNSET
from memory.tags import TagMatch

MOST_HITS = 1_000
FORMATS = ("human", "json")

EXIT_CODES = (
    "Exit codes: 0 done, also where nothing was good enough to be shown; 1 refused or faults found; "
    "2 bad flags; 3 unknown project, document, member or corpus; 4 the database cannot be reached, or "
    "is not set up; 5 no hits, with --fail-on-abstain. Failures are one line on stderr, with --format "
    "json a JSON object."
)

NO_ACTION = (
    "Say what to do: query, retain, corpus, verify, forget, banks or stats. mem --help says more."
)


def refuse_broken_text(options: argparse.Namespace) -> None:
    """Raises ``Failed`` for what the shell gave as bytes that are no UTF-8. Paths may be such."""
    for given in _texts(vars(options).values()):
        if any("\ud800" <= character <= "\udfff" for character in given):
            shown = normalise_source(given)
            raise Failed(bad_flags(f"“{shown}” is no text in UTF-8."))


def _texts(values: Iterable[Any]) -> Iterator[str]:
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, list | tuple):
            yield from _texts(value)


def add_actions(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXIT_CODES
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    _add_query(actions)
    _add_retain(actions)
    _add_corpus(actions)
    _add_verify(actions)
    _add_forget(actions)
    _common(actions.add_parser("banks", help="the projects that can be opened"))
    stats = _common(actions.add_parser("stats", help="what a project holds, in numbers"))
    _project(stats)


def _add_query(actions: Any) -> None:
    query = _common(actions.add_parser("query", help="look something up in a project"))
    _project(query)
    query.add_argument("text", metavar="TEXT", help="the question, or words of it")
    query.add_argument(
        "--levels",
        type=levels,
        default=(Level.L1, Level.L2),
        metavar="L1,L2",
        help="L0 raw passages, L1 facts, L2 observations, R reference docs; default: L1,L2",
    )
    query.add_argument("--k", type=hits, default=5, metavar="5", help="hits at most; default: 5")
    query.add_argument(
        "--min-score",
        type=score,
        metavar="0-1",
        help="relevance floor in place of the reranker's own; 0 switches it off",
    )
    query.add_argument(
        "--tags", type=words, metavar="A,B", help="only memories with these, and untagged ones"
    )
    query.add_argument(
        "--tags-match",
        type=match,
        default=TagMatch.ANY,
        metavar="any",
        help=f"{', '.join(TagMatch)}: any and all let untagged memories through; default: any",
    )
    query.add_argument(
        "--tag-groups",
        type=from_json,
        metavar="JSON",
        help="conditions with and, or, not, as docs/api-memory.md has them; not with --tags",
    )
    query.add_argument(
        "--at", type=time, metavar="ISO", help="what 'last month' counts from; default: now"
    )
    query.add_argument("--trace", action="store_true", help="what each arm found, with timings")
    query.add_argument(
        "--fail-on-abstain", action="store_true", help="exit 5 where no hit is shown"
    )


def _add_retain(actions: Any) -> None:
    retain = _common(
        actions.add_parser("retain", help="take something into a project, which is made if need be")
    )
    _project(retain, with_private=True)
    source = retain.add_mutually_exclusive_group()
    source.add_argument("text", nargs="?", metavar="TEXT", help="or - for standard input")
    source.add_argument("--file", type=Path, metavar="PATH", help="a file of UTF-8 text to take in")
    retain.add_argument("--document", metavar="NAME", help="what it replaces when it comes again")
    retain.add_argument("--context", default="", help="where it comes from, in a few words")
    retain.add_argument(
        "--timestamp", type=timestamp, metavar="ISO", help="when it was said, or 'unset'"
    )
    retain.add_argument(
        "--tags", type=words, default=(), metavar="A,B", help="for the document and its memories"
    )
    retain.add_argument(
        "--metadata",
        type=pair,
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="goes with its memories; repeatable",
    )


def _add_corpus(actions: Any) -> None:
    corpus = actions.add_parser("corpus", help="reference docs of a project (level R)")
    steps = corpus.add_subparsers(dest="step", metavar="STEP", required=True)
    add = _common(steps.add_parser("add", help="make or replace a corpus from a tree of files"))
    _project(add)
    add.add_argument("name", metavar="NAME", help="of the corpus; the same name replaces it")
    add.add_argument("path", type=Path, metavar="PATH", help="a folder or zip archive")
    add.add_argument(
        "--base-uri",
        default="",
        metavar="URI",
        help="leads the sources' addresses; default: file://",
    )
    _project(_common(steps.add_parser("list", help="the corpora of a project")))
    remove = _common(steps.add_parser("remove", help="delete a corpus with all its sections"))
    _project(remove)
    remove.add_argument("name", metavar="NAME", help="of the corpus")


def _add_forget(actions: Any) -> None:
    forget = _common(actions.add_parser("forget", help="remove a document, or a whole project"))
    _project(forget)
    what = forget.add_mutually_exclusive_group(required=True)
    what.add_argument("--document", metavar="NAME", help="this one, with what rests on it alone")
    what.add_argument("--all", action="store_true", help="the project with all that it holds")
    forget.add_argument("--yes", action="store_true", help="do it; without this it is only said")


def _add_verify(actions: Any) -> None:
    verify = _common(actions.add_parser("verify", help="check what recall relies on; 1 on faults"))
    _project(verify, default="every one that can be opened")
    verify.add_argument(
        "--edges", action="store_true", help="ends, levels, weights, cycles; none to R"
    )
    verify.add_argument(
        "--vectors", action="store_true", help="one each, of the encoder that is set"
    )
    verify.add_argument(
        "--keywords", action="store_true", help="every memory in the keyword index, with all terms"
    )
    verify.add_argument(
        "--chunks", action="store_true", help="texts against their documents and hashes"
    )
    verify.add_argument(
        "--observations", action="store_true", help="what they say and count against their sources"
    )
    verify.add_argument("--all", action="store_true", help="all five; the default")


def _common(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    parser.add_argument(
        "--tenant", metavar="SLUG", help="the organisation; needed where there are several"
    )
    parser.add_argument("--user", metavar="NAME", help="act as this user; default: the first admin")
    parser.add_argument(
        "--format",
        choices=FORMATS,
        default=FORMATS[0],
        help="lines for people, or one JSON object; default: human",
    )
    return parser


def _project(
    parser: argparse.ArgumentParser, *, default: str = "", with_private: bool = False
) -> None:
    about = f"the bank's name; default: {default}" if default else "the bank's name"
    parser.add_argument("--project", required=not default, metavar="NAME", help=about)
    access = parser.add_mutually_exclusive_group()
    access.add_argument(
        "--shared", action="store_true", help="the shared one, where a private one has its name"
    )
    if with_private:
        access.add_argument(
            "--private", action="store_true", help="one that is yours alone, made if need be"
        )


# -- values: each raises ArgumentTypeError with a sentence ---------------------------------------


def levels(value: str) -> tuple[Level, ...]:
    """In the order given, each once, in any case."""
    try:
        found = tuple(dict.fromkeys(Level(part.strip().upper()) for part in value.split(",")))
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{value!r} is no list of {', '.join(Level)} with commas between."
        ) from None
    return found


def hits(value: str) -> int:
    try:
        number = int(value)
    except ValueError:
        number = 0
    if not 1 <= number <= MOST_HITS:
        raise argparse.ArgumentTypeError(f"{value!r} is no whole number from 1 to {MOST_HITS}.")
    return number


def score(value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not 0.0 <= number <= 1.0:
        raise argparse.ArgumentTypeError(f"{value!r} is no number from 0 to 1.")
    return number


def words(value: str) -> tuple[str, ...]:
    return tuple(stripped for part in value.split(",") if (stripped := part.strip()))


def match(value: str) -> TagMatch:
    try:
        return TagMatch(value)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{value!r} is none of {', '.join(TagMatch)}.") from None


def from_json(value: str) -> Any:
    try:
        return json.loads(value)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"This is no JSON: {error}.") from None
    except RecursionError:
        raise argparse.ArgumentTypeError("The JSON is nested too deeply.") from None


def time(value: str) -> datetime:
    try:
        return parse_datetime(value)
    except InvalidTime as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def timestamp(value: str) -> datetime | str:
    return UNSET if value == UNSET else time(value)


def pair(value: str) -> tuple[str, str]:
    key, equals, text = value.partition("=")
    if not equals or not key.strip():
        raise argparse.ArgumentTypeError(f"{value!r} is not KEY=VALUE.")
    return key.strip(), text
