"""Runs one kglite graph in a process of its own: `python -m groundwire.database.graph_worker FILE`.

kglite cannot stop a query from another thread, and holds reads on one graph to one at a time. In
its own process a query that runs away is ended by ending the process, and two connections read on
two cores. Requests and replies are pickles over standard input and output; the parent is trusted.

Requests: `("cypher", text, parameters, milliseconds, rows, passes)` and `("facts",)`. Replies:
`("ok", value)` or `("error", exception class, code, message)`; the first one says whether the file
could be opened.
"""

from __future__ import annotations

import os
import pickle
import sys
from typing import Any, BinaryIO

__all__ = ["main"]


def main() -> None:
    """Answer requests until standard input ends."""
    requests, replies = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not stand among the replies
    import kglite

    kglite.set_query_warning_policy("silent")
    failures = (kglite.KgError, ValueError, TypeError, OverflowError, OSError, MemoryError)
    graph: Any = None
    request: tuple[Any, ...] = ("open", sys.argv[1])
    while True:
        try:
            if request[0] == "open":
                graph = kglite.load(request[1])
                graph.read_only(True)
                value = None
            else:
                value = _cypher(graph, *request[1:]) if request[0] == "cypher" else _facts(graph)
            _send(replies, ("ok", value))
        except failures as error:
            code = getattr(error, "code", None) or ""
            _send(replies, ("error", type(error).__name__, str(code), str(error)))
        try:
            request = pickle.load(requests)
        except EOFError:
            return


def _send(replies: BinaryIO, reply: tuple[Any, ...]) -> None:
    pickle.dump(reply, replies, protocol=pickle.HIGHEST_PROTOCOL)
    replies.flush()


def _cypher(
    graph: Any,
    text: str,
    parameters: dict[str, Any],
    milliseconds: int,
    rows: int,
    disabled_passes: list[str],
) -> tuple[list[str], list[tuple[Any, ...]], list[str]]:
    """Columns, rows and the engine's warnings."""
    result = graph.cypher(
        text,
        params=parameters,
        timeout_ms=milliseconds,
        row_limit=rows,
        disabled_passes=disabled_passes,
        hide_structural_keys=True,
    )
    columns = list(result.columns)
    return (
        columns,
        [tuple(row[name] for name in columns) for row in result.to_list()],
        list(result.warnings),
    )


def _facts(graph: Any) -> dict[str, Any]:
    return {
        "schema": graph.schema(),
        "pairs": graph.label_pair_counts(),
        "schema_version": graph.schema_version,
        "constraints": graph.cypher("SHOW CONSTRAINTS").to_list(),
        "functions": [row["name"] for row in graph.cypher("SHOW FUNCTIONS").to_list()],
        "indexes": graph.cypher("SHOW INDEXES").to_list(),
    }


if __name__ == "__main__":
    main()
