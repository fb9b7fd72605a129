"""Pending prompts out and replies in, in the form of the providers' batch files.

A request line is `{"custom_id", "method", "url", "body"}`, a reply line `{"custom_id", "response":
{"status_code", "body"}, "error"}` (OpenAI, "Batch API", the input and output file). So a batch, or
a model that only another machine can reach, can be measured: export, have it answered, import;
again for the repairs, until nothing is pending.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from groundwire.bench.runs.folder import RunFolder
from groundwire.bench.runs.journal import whole_lines
from groundwire.bench.runs.recording import Request
from groundwire.draft.model import Message, Reply, estimate_tokens
from groundwire.draft.model.opening import read_specification
from groundwire.draft.model.settings import ModelSettings
from groundwire.errors import StorageError, UsageError

__all__ = ["Imported", "export_requests", "import_replies"]

URL = "/v1/chat/completions"
PENDING = "pending.jsonl"
"""In the folder of the run: the requests that were exported and have no reply yet."""


@dataclass(frozen=True, slots=True)
class Imported:
    """How many replies were read, and in a sentence each what could not be used."""

    replies: int
    unusable: tuple[str, ...]


def export_requests(
    folder: RunFolder, requests: Iterable[Request], path: Path, settings: ModelSettings
) -> int:
    """Write the requests, each once; how many there are.

    Raises:
        StorageError: the file cannot be written.
    """
    unique = {request.key: request for request in requests}
    name = read_specification(folder.configuration.drafter).name
    lines = [json.dumps(_line(request, name, settings)) for request in unique.values()]
    kept = [json.dumps(_kept(request)) for request in unique.values()]
    for file, text in ((path, lines), (folder.path / PENDING, kept)):
        try:
            file.write_text("".join(f"{line}\n" for line in text), encoding="utf-8")
        except OSError as error:
            raise StorageError(f"{file} cannot be written: {error.strerror}.") from error
    return len(unique)


def import_replies(folder: RunFolder, path: Path, settings: ModelSettings) -> Imported:
    """Read replies into the journal of a run. One that is there already is left as it is.

    Raises:
        UsageError: there is no such file, or nothing was exported.
    """
    if not path.is_file():
        raise UsageError(f"There is no file {path}.")
    asked = {line["key"]: _request(line) for line in whole_lines(folder.path / PENDING)}
    if not asked:
        raise UsageError(
            f"No prompt of the run in {folder.path} was exported.", hint="Export them first."
        )
    read, unusable = 0, []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            key, text, usage = _reply(line)
            request = asked[key]
        except KeyError as error:
            unusable.append(f"line {number}: {error} is not there or was not asked")
        except (ValueError, TypeError, IndexError) as error:
            unusable.append(f"line {number}: {error}")
        else:
            read += _keep(folder, request, text, usage, settings)
    return Imported(read, tuple(unusable))


def _line(request: Request, name: str, settings: ModelSettings) -> dict[str, Any]:
    body: dict[str, Any] = {
        "model": name,
        "messages": [message.to_json() for message in request.messages],
        "temperature": settings.temperature,
    }
    if request.schema is not None:
        title = request.schema.get("title", "reply")
        schema = {"name": title, "strict": True, "schema": dict(request.schema)}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    return {"custom_id": request.key, "method": "POST", "url": URL, "body": body}


def _kept(request: Request) -> dict[str, Any]:
    messages = [message.to_json() for message in request.messages]
    return {"key": request.key, "messages": messages, "schema": request.schema}


def _request(line: Mapping[str, Any]) -> Request:
    messages = tuple(Message(**message) for message in line["messages"])
    return Request(line["key"], messages, line["schema"])


def _reply(line: str) -> tuple[str, str, Mapping[str, Any]]:
    """(key, text, usage) of one line of replies.

    Raises:
        ValueError, KeyError, TypeError, IndexError: it is not one, or a failed one.
    """
    entry = json.loads(line)
    key = entry["custom_id"]
    if entry.get("error"):
        raise ValueError(f"{key}: the provider says {entry['error']}")
    response = entry["response"]
    if response.get("status_code", 200) != 200:
        raise ValueError(f"{key}: the provider answered {response['status_code']}")
    body = response["body"]
    choice = body["choices"][0]
    text = choice["message"]["content"]
    if not isinstance(text, str) or choice.get("finish_reason") == "length":
        raise ValueError(f"{key}: the reply is cut or has no text")
    return key, text, body.get("usage") or {}


def _keep(
    folder: RunFolder,
    request: Request,
    text: str,
    usage: Mapping[str, Any],
    settings: ModelSettings,
) -> int:
    if folder.journal.find(request.key) is not None:
        return 0
    prompt = int(usage.get("prompt_tokens", _estimated(request.messages)))
    completion = int(usage.get("completion_tokens", estimate_tokens(text)))
    name = folder.configuration.drafter
    reply = Reply(
        text=text,
        prompt_tokens=prompt,
        completion_tokens=completion,
        estimated="prompt_tokens" not in usage,
        cost=settings.cost(prompt, completion),
        model=name,
    )
    folder.journal.add(request.key, name, request.messages, request.schema, reply.to_json())
    return 1


def _estimated(messages: Sequence[Message]) -> int:
    return sum(estimate_tokens(message.content) for message in messages)
