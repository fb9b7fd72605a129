"""A real HTTP server on the loopback that speaks OpenAI's chat and embeddings and plays faults.

    with ModelServer() as server:
        server.play(fails(500), says("SELECT 1"))
        model = open_model(f"openai:test@{server.url}")

Each request takes the next step of the script; `server.requests` keeps the bodies, `server.paths`
where they were sent. A `says` step answers in the form that the request wants: whole or streamed,
as text, JSON or a tool call; an `embeds` step gives texts with the same words like vectors. What
stands in `server.refuses` (`temperature`, `response_format`, `tools`, `stream_options`) is refused
with HTTP 400 without using up a step, as servers do that do not know it.
"""

from __future__ import annotations

import json
import re
import select
import socket
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from zlib import crc32

Body = dict[str, Any]
Step = Callable[["Handler", Body], None]

PROMPT_TOKENS, COMPLETION_TOKENS = 120, 7


class ModelServer:
    """The server. Use as a context manager."""

    def __init__(self) -> None:
        self.script: deque[Step] = deque()
        self.requests: list[Body] = []
        self.paths: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.times: list[float] = []
        self.refuses: set[str] = set()
        self.gone_clients = threading.Semaphore(0)
        """Released once for each client that hung up while it was kept waiting."""
        self.stopping = threading.Event()
        self._http = _Server(("127.0.0.1", 0), Handler)
        self._http.model_server = self  # type: ignore[attr-defined]
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)

    @property
    def url(self) -> str:
        """Base URL as OpenAI clients want it."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def play(self, *steps: Step) -> None:
        """Add steps for the requests to come."""
        self.script.extend(steps)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stopping.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is part of the play; anything else is shown."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    @property
    def owner(self) -> ModelServer:
        owner: ModelServer = self.server.model_server  # type: ignore[attr-defined]
        return owner

    def do_POST(self) -> None:
        owner = self.owner
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        owner.requests.append(body)
        owner.paths.append(self.path)
        owner.headers.append(dict(self.headers))
        owner.times.append(time.monotonic())
        refused = sorted(owner.refuses & body.keys())
        try:
            if refused:
                refuses_parameter(refused[0])(self, body)
            elif owner.script:
                owner.script.popleft()(self, body)
            else:
                fails(418, "the script of the test has no step left")(self, body)
        except (BrokenPipeError, ConnectionResetError):
            owner.gone_clients.release()
            self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:
        """Keep the test output quiet."""

    def send_body(
        self,
        content: bytes,
        status: int = 200,
        kind: str = "application/json",
        headers: dict[str, str] | None = None,
        length: int | None = None,
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content) if length is None else length))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def start_stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True

    def send_event(self, event: Body | str) -> None:
        text = event if isinstance(event, str) else json.dumps(event)
        self.wfile.write(f"data: {text}\n\n".encode())
        self.wfile.flush()

    def wait_for_hang_up(self, seconds: float) -> None:
        """Stay silent until the client goes away, the test ends or the time is over."""
        until = time.monotonic() + seconds
        while time.monotonic() < until and not self.owner.stopping.is_set():
            readable, _, _ = select.select([self.connection], [], [], 0.01)
            if readable and not self.connection.recv(1, socket.MSG_PEEK):
                raise ConnectionResetError
        self.close_connection = True


# --- steps -----------------------------------------------------------------------------------


def says(content: str | Body, *, usage: bool = True, finish: str | None = "stop") -> Step:
    """A reply: a text, or an object that is sent as JSON or as the arguments of the tool."""

    def step(handler: Handler, body: Body) -> None:
        text = content if isinstance(content, str) else json.dumps(content)
        if body.get("stream"):
            _stream(handler, body, _pieces(text), usage, finish)
        else:
            handler.send_body(json.dumps(_completion(body, text, usage, finish)).encode())

    return step


def cuts(content: str) -> Step:
    """Half of a reply, then the connection closes."""

    def step(handler: Handler, body: Body) -> None:
        handler.close_connection = True
        if body.get("stream"):
            handler.start_stream()
            for piece in _pieces(content[: len(content) // 2]):
                handler.send_event(_chunk({"content": piece}))
            return
        whole = json.dumps(_completion(body, content, usage=True, finish="stop")).encode()
        handler.send_body(whole[: len(whole) // 2], length=len(whole))

    return step


def stalls(seconds: float = 60.0, *, after: Iterable[str] = ()) -> Step:
    """Silence; in a stream after these pieces."""

    def step(handler: Handler, body: Body) -> None:
        if body.get("stream"):
            handler.start_stream()
            for piece in after:
                handler.send_event(_chunk({"content": piece}))
        handler.wait_for_hang_up(seconds)

    return step


def drips(seconds: float = 60.0) -> Step:
    """A reply that never ends: a blank every few milliseconds, so that no read times out."""

    def step(handler: Handler, body: Body) -> None:
        handler.send_body(b" ", length=10_000_000)
        until = time.monotonic() + seconds
        while time.monotonic() < until and not handler.owner.stopping.is_set():
            handler.wfile.write(b" ")
            time.sleep(0.005)
        handler.close_connection = True

    return step


def fails(
    status: int,
    message: str = "the server has a bad day",
    *,
    code: str = "",
    kind: str = "server_error",
    headers: dict[str, str] | None = None,
) -> Step:
    """An error in OpenAI's form."""

    def step(handler: Handler, body: Body) -> None:
        error = {"error": {"message": message, "type": kind, "param": None, "code": code or None}}
        handler.send_body(json.dumps(error).encode(), status, headers=headers)

    return step


def limits_rate(retry_after: float | None = None, *, as_date: bool = False) -> Step:
    """HTTP 429, with or without Retry-After in seconds or as an HTTP date."""
    headers = {}
    if retry_after is not None:
        date = formatdate(time.time() + retry_after, usegmt=True)
        headers["Retry-After"] = date if as_date else f"{retry_after:g}"
    return fails(429, "Rate limit reached", code="rate_limit_exceeded", headers=headers)


def has_no_quota(status: int = 429) -> Step:
    """The account is empty."""
    message = "You exceeded your current quota, please check your plan and billing details."
    return fails(status, message, code="insufficient_quota", kind="insufficient_quota")


def overflows() -> Step:
    """The prompt is longer than the context."""
    message = "This model's maximum context length is 4096 tokens. However, you requested 9000."
    return fails(400, message, code="context_length_exceeded", kind="invalid_request_error")


def refuses_parameter(name: str) -> Step:
    """A parameter that the model does not support."""
    message = f"Unsupported parameter: '{name}' is not supported with this model."
    return fails(400, message, code="unsupported_parameter", kind="invalid_request_error")


def sends(content: str, kind: str = "application/json", status: int = 200) -> Step:
    """These very characters as the HTTP body."""

    def step(handler: Handler, body: Body) -> None:
        handler.send_body(content.encode(), status, kind)

    return step


def embeds(*, dimensions: int = 64, missing: int = 0, reversed_order: bool = False) -> Step:
    """Vectors that count the words of each text; the last `missing` ones do not come."""

    def step(handler: Handler, body: Body) -> None:
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        rows = [
            {"object": "embedding", "index": at, "embedding": _bag_of_words(text, dimensions)}
            for at, text in enumerate(texts)
        ]
        rows = rows[: len(rows) - missing]
        reply = {"object": "list", "model": "test", "data": rows[::-1] if reversed_order else rows}
        handler.send_body(json.dumps(reply | {"usage": _usage()}).encode())

    return step


# --- OpenAI's forms --------------------------------------------------------------------------


def _completion(body: Body, text: str, usage: bool, finish: str | None) -> Body:
    message: Body = {"role": "assistant", "content": text}
    if body.get("tools") and text.lstrip().startswith("{"):
        function = {"name": body["tools"][0]["function"]["name"], "arguments": text}
        call = {"id": "call_1", "type": "function", "function": function}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
        finish = "tool_calls"
    choice = {"index": 0, "message": message, "finish_reason": finish}
    completion = _envelope("chat.completion") | {"choices": [choice]}
    return completion | {"usage": _usage()} if usage else completion


def _stream(
    handler: Handler, body: Body, pieces: list[str], usage: bool, finish: str | None
) -> None:
    handler.start_stream()
    for piece in pieces:
        handler.send_event(_chunk({"content": piece}))
    handler.send_event(_chunk({}, finish))
    if usage and body.get("stream_options", {}).get("include_usage"):
        handler.send_event(_envelope("chat.completion.chunk") | {"choices": [], "usage": _usage()})
    handler.send_event("[DONE]")


def _chunk(delta: Body, finish: str | None = None) -> Body:
    choice = {"index": 0, "delta": {"role": "assistant"} | delta, "finish_reason": finish}
    return _envelope("chat.completion.chunk") | {"choices": [choice]}


def _envelope(kind: str) -> Body:
    return {"id": "chatcmpl-1", "object": kind, "created": 1, "model": "test"}


def _bag_of_words(text: str, dimensions: int) -> list[float]:
    vector = [0.0] * dimensions
    for word in re.findall(r"\w+", text.lower()):
        vector[crc32(word.encode()) % dimensions] += 1.0
    return vector


def _usage() -> Body:
    return {
        "prompt_tokens": PROMPT_TOKENS,
        "completion_tokens": COMPLETION_TOKENS,
        "total_tokens": PROMPT_TOKENS + COMPLETION_TOKENS,
    }


def _pieces(text: str) -> list[str]:
    return [text[at : at + 6] for at in range(0, len(text), 6)]
