"""A small server that speaks the chat API, so that tests run the real client without a network."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Say:
    """One reply: text with status 200, an error with another status, or silence."""

    text: str = ""
    status: int = 200
    is_silent: bool = False


@dataclass
class ChatServer:
    """Gives ``replies`` in order, the last one for ever. ``requests`` are the bodies it got."""

    replies: list[Say]
    requests: list[dict[str, Any]] = field(default_factory=list)
    url: str = ""
    closing: threading.Event = field(default_factory=threading.Event)

    def next_reply(self) -> Say:
        return self.replies[min(len(self.requests), len(self.replies)) - 1]


@contextmanager
def serving(*replies: Say) -> Iterator[ChatServer]:
    chat = ChatServer(list(replies))

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            chat.requests.append(json.loads(self.rfile.read(length)))
            reply = chat.next_reply()
            if reply.is_silent:
                chat.closing.wait(30)
                return
            named = chat.requests[-1]["model"]
            body = _completion(reply.text, named) if reply.status == 200 else _error(reply.status)
            payload = json.dumps(body).encode()
            self.send_response(reply.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(payload)))
            self.end_headers()
            self.wfile.write(payload)

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    chat.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield chat
    finally:
        chat.closing.set()
        server.shutdown()
        thread.join()
        server.server_close()


def _completion(text: str, model: str) -> dict[str, Any]:
    return {
        "id": "chat-1",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text},
                "finish_reason": "stop",
            }
        ],
        "usage": {"prompt_tokens": 120, "completion_tokens": 30, "total_tokens": 150},
    }


def _error(status: int) -> dict[str, Any]:
    return {"error": {"message": f"status {status}", "type": "error", "code": str(status)}}
