"""Asks the demo question the way a client would, and shows the answer on the terminal."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import Any
from urllib.parse import quote

from config.services.errors import ServiceError
from kb.demo.pages import load_questions

# This machine, whatever proxy the environment names.
_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def health(base: str) -> tuple[bool, dict[str, str]]:
    """Is everything up, and else what is missing."""
    try:
        with _opener.open(f"{base}/health", timeout=10):
            return True, {}
    except urllib.error.HTTPError as error:
        try:
            return False, dict(json.load(error).get("missing", {}))
        except ValueError:
            return False, {"web": f"The web answers with {error.code}."}
    except OSError:
        return False, {"web": "The web does not answer yet."}


def ask(base: str, key: str) -> str:
    """The first demo question's answer with its quotes, ready to print. Raises ``ServiceError``."""
    first = load_questions()[0]
    docs = _call(f"{base}/v1/kb/docs?q={quote(first.slug)}", key)["results"]
    page = next((doc for doc in docs if doc["slug"] == first.slug), None)
    if page is None:
        raise ServiceError(f"The demo page {first.slug} is missing: run manage.py install_demo")
    reply = _call(f"{base}/v1/kb/docs/{page['id']}/ask", key, {"question": first.question})
    lines = [f"“{page['title']}” was asked: {first.question}", "", f"  {reply['answer_text']}", ""]
    for citation in reply["citations"]:
        place = f"{citation['doc_title']} [{citation['char_start']}:{citation['char_end']}]"
        lines.append(f"  [{citation['n']}] “{citation['quote']}”")
        lines.append(f"      {place}")
    lines.append(f"  {reply['answer_kind']}, confidence {reply['confidence_score']}")
    return "\n".join(lines)


def _call(url: str, key: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    request = urllib.request.Request(
        url,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {key}", "Content-Type": "application/json"},
    )
    try:
        with _opener.open(request, timeout=120) as response:
            return dict(json.load(response))
    except urllib.error.HTTPError as error:
        said = error.read().decode(errors="replace")[:300]
        raise ServiceError(f"{url} answered {error.code}: {said}") from error
    except (OSError, ValueError) as error:
        raise ServiceError(f"{url} gave no answer: {error}") from error
