"""Every reply of a model that was paid for, so that none is paid twice.

A line is `{"key", "model", "messages", "schema", "reply"}`; the key is the SHA-256 of model,
messages and schema. Lines are only ever added; one that a kill cut short is passed over.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from groundwire.draft.model import Message
from groundwire.errors import StorageError

__all__ = ["Journal", "append_line", "key_of", "whole_lines"]


def key_of(model: str, messages: Sequence[Message], schema: Mapping[str, Any] | None) -> str:
    """The key of a request: the same request has the same key in every process."""
    request = [model, [message.to_json() for message in messages], schema]
    text = json.dumps(request, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


class Journal:
    """The replies of a file, and where further ones are written. Safe between threads.

    Raises:
        StorageError: the file cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._replies: dict[str, dict[str, Any]] = {
            line["key"]: line["reply"] for line in whole_lines(path)
        }
        self._lock = threading.Lock()

    def find(self, key: str) -> dict[str, Any] | None:
        """The reply to a request as `Reply.to_json` has it, if it was paid for."""
        return self._replies.get(key)

    def add(
        self,
        key: str,
        model: str,
        messages: Sequence[Message],
        schema: Mapping[str, Any] | None,
        reply: dict[str, Any],
    ) -> None:
        """Keep a reply; it is on the disk when this returns.

        Raises:
            StorageError: it cannot be written.
        """
        line = {
            "key": key,
            "model": model,
            "messages": [message.to_json() for message in messages],
            "schema": schema,
            "reply": reply,
        }
        with self._lock:
            append_line(self.path, line)
            self._replies[key] = reply

    def __len__(self) -> int:
        return len(self._replies)


def append_line(path: Path, entry: Mapping[str, Any]) -> None:
    """Add a JSON line to a file, and see it to the disk.

    A line that a kill left unfinished is ended first, so that it spoils no other.

    Raises:
        StorageError: it cannot be written.
    """
    text = json.dumps(entry, ensure_ascii=False) + "\n"
    try:
        with path.open("ab+") as stream:
            if stream.tell() and not _ends_a_line(stream):
                text = "\n" + text
            stream.write(text.encode("utf-8", "surrogatepass"))
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:
        raise StorageError(f"{path} cannot be written: {error.strerror}.") from error


def whole_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file of JSON lines, without lines that a kill cut short; none if no file.

    Raises:
        StorageError: the file cannot be read.
    """
    try:
        data = path.read_bytes() if path.exists() else b""
    except OSError as error:
        raise StorageError(f"{path} cannot be read: {error}.") from error
    for line in data.split(b"\n"):
        if not line.strip():
            continue
        try:
            entry = json.loads(line.decode("utf-8", "surrogatepass"))
        except ValueError:  # cut short by a kill, perhaps within a character
            continue
        if isinstance(entry, dict):
            yield entry


def _ends_a_line(stream: Any) -> bool:
    stream.seek(-1, os.SEEK_END)
    return bool(stream.read(1) == b"\n")
