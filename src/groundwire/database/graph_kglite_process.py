"""The parent's side of `graph_worker`: a process that is started when wanted and can be killed."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path
from typing import IO, Any, cast

__all__ = ["Failed", "Gone", "Worker"]


class Failed(Exception):
    """kglite refused: the name of its exception class, its code, its message."""

    def __init__(self, kind: str, code: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.code = code
        self.message = message


class Gone(Exception):
    """The process ended before it answered."""


class Worker:
    """A kglite graph in another process.

    Raises:
        Failed: the file could not be opened.
        Gone: the process did not start.
    """

    def __init__(self, path: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "groundwire.database.graph_worker", str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C in a terminal is the parent's business
        )
        self._requests = cast(IO[bytes], self._process.stdin)
        self._replies = cast(IO[bytes], self._process.stdout)
        self._reply()

    def call(self, *request: Any) -> Any:
        """Send a request and wait for its value.

        Raises:
            Failed: kglite refused.
            Gone: the process was killed, or died.
        """
        try:
            pickle.dump(request, self._requests, protocol=pickle.HIGHEST_PROTOCOL)
            self._requests.flush()
        except OSError as error:
            raise Gone(str(error)) from error
        return self._reply()

    def _reply(self) -> Any:
        try:
            state, *content = pickle.load(self._replies)
        except (EOFError, OSError, pickle.UnpicklingError) as error:
            self.close()
            raise Gone("the process that holds the graph ended") from error
        if state == "error":
            raise Failed(*content)
        return content[0]

    @property
    def ended(self) -> bool:
        """The process was killed, or died."""
        return self._process.poll() is not None

    def kill(self) -> None:
        """End the process now, from any thread."""
        self._process.kill()

    def close(self) -> None:
        """End the process and wait until it is gone."""
        self._process.kill()
        self._process.wait()
        self._replies.close()
        try:
            self._requests.close()
        except OSError:  # a request that was never read
            return
