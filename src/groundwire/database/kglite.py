"""kglite: the embedded graph. A `.kgl` file is read in a process of its own, read-only.

Traps that this module closes (kglite 0.21.2; `tests/database/graph/test_kglite_traps.py`):

* `a; b` runs both and LOAD CSV reads files, read-only or not: nothing runs that
  `graph_admission` does not admit, and nothing that our parser cannot read.
* Passes of its optimizer change answers: those are disabled (`graph_kglite_passes`).
* Every node answers to keys that nobody stored: see `graph_kglite_names`.
* A query cannot be stopped from another thread: its process is ended and started again.
* Plain Cypher that its parser lacks is put into its own spelling: see `graph_rewrite`.
"""

from __future__ import annotations

import re
from hashlib import sha1
from importlib import metadata, util
from typing import TYPE_CHECKING, Any

from groundwire.counted import counted
from groundwire.database.base import CanExplain, Parameters, Plan
from groundwire.database.graph import CanNotify, GraphDatabase, Notification
from groundwire.database.graph_facts import Facts
from groundwire.database.graph_kglite_facts import read_facts
from groundwire.database.graph_kglite_names import MARK, mangle_values, unmangle
from groundwire.database.graph_kglite_passes import disabled_passes
from groundwire.database.graph_kglite_process import Failed, Gone, Worker
from groundwire.database.graph_kglite_values import Reader
from groundwire.database.graph_rewrite import result_names, rewrite
from groundwire.database.graph_values import type_name
from groundwire.database.result import ResultColumn
from groundwire.database.watch import Watch, stopped, timed_out
from groundwire.errors import (
    ConnectionLost,
    GroundwireError,
    QueryError,
    ReadOnlyError,
    StorageError,
    UnknownName,
    UsageError,
)
from groundwire.settings import Settings

if TYPE_CHECKING:
    from groundwire.query.cypher import Query

__all__ = ["KGLite"]

ALL_ROWS = 1_000_000_000

QUOTED = re.compile(r"'(\w+)'")
"""A name in a remark of kglite."""


class KGLite(GraphDatabase, CanExplain, CanNotify):
    """A graph file of kglite."""

    dialect = "kglite"
    lazy_limit = False
    pause = 0.05

    def __init__(self, url: str, settings: Settings) -> None:
        super().__init__(url, settings)
        if util.find_spec("kglite") is None:
            raise ModuleNotFoundError("No module named 'kglite'", name="kglite")
        path = self._url.existing_file()
        if path is None:
            raise UsageError(
                f"The URL {self.url} names no file.", hint="Write kglite:///path/to/graph.kgl."
            )
        self._path = path.resolve()
        self._process: Worker | None = None
        self._stamp = ""
        self._facts: dict[str, Any] = {}
        self._open()

    def server_version(self) -> str:
        return f"kglite {metadata.version('kglite')}"

    def explain(self, statement: str, parameters: Parameters = None) -> Plan:
        rows = self._explained(statement, parameters)[1]
        estimates = [row[2] for row in rows if row[2] is not None]
        lines = (
            f"{step} {operation}" + ("" if n is None else f" (about {counted(n, 'row')})")
            for step, operation, n in rows
        )
        return Plan("\n".join(lines), rows=float(estimates[-1]) if estimates else None)

    def notifications(
        self, statement: str, parameters: Parameters = None
    ) -> tuple[Notification, ...]:
        return tuple(
            Notification(_gql_status(warning), QUOTED.sub(_unmangled, warning))
            for warning in self._explained(statement, parameters)[2]
        )

    def _explained(self, statement: str, parameters: Parameters) -> tuple[Any, ...]:
        query, values = self._prepare(statement, parameters)

        def work(watch: Watch) -> tuple[Any, ...]:
            self._admit(query, values, watch)
            self._follow_file()
            prefixed = any(word == "EXPLAIN" for word in query.statements[0].prefix)
            return self._cypher(query, values, ALL_ROWS, watch, "" if prefixed else "EXPLAIN ")

        return self._do(self.settings.query_timeout, work)

    def _admit(self, query: Query, values: dict[str, Any], watch: Watch) -> None:
        if query.errors:
            problem = query.errors[0]
            raise QueryError(
                f"{problem.sentence} (line {problem.line}, column {problem.column})",
                code="SYNTAX",
            )

    def _run(
        self, query: Query, values: dict[str, Any], rows: int, watch: Watch
    ) -> tuple[tuple[ResultColumn, ...], list[tuple[Any, ...]]]:
        self._follow_file()
        names, found, _ = self._cypher(query, values, rows, watch)
        names = result_names(query) or names
        columns = tuple(
            ResultColumn(name, type_name(row[place] for row in found))
            for place, name in enumerate(names)
        )
        return columns, found

    def _ask(self, statement: str, values: dict[str, Any], watch: Watch) -> list[tuple[Any, ...]]:
        from groundwire.query.cypher import parse

        rows: list[tuple[Any, ...]] = self._cypher(parse(statement), values, ALL_ROWS, watch)[1]
        return rows

    def _cypher(
        self, query: Query, values: dict[str, Any], rows: int, watch: Watch, prefix: str = ""
    ) -> tuple[list[str], list[tuple[Any, ...]], list[str]]:
        """Columns, rows in plain values, and the engine's warnings."""
        if self._marked:
            values = {name: mangle_values(value) for name, value in values.items()}
        milliseconds = max(1, round(watch.seconds * 1000))
        passes = disabled_passes(query)
        try:
            worker = self._process or self._open()
            text = prefix + rewrite(query, marked=self._marked)
            names, found, warnings = worker.call("cypher", text, values, milliseconds, rows, passes)
        except Failed as error:
            raise _translate(error, watch) from error
        except Gone as error:
            self._process = None
            raise stopped(watch, "it did not stop by itself") or ConnectionLost(
                f"The process that held {self.url} ended: {error}.",
                hint="Ask again; the file is opened anew. Does the query need too much memory?",
            ) from error
        reader = Reader(self._hides, self._marked, self._stored)
        return names, [tuple(reader.read(value) for value in row) for row in found], warnings

    @property
    def _marked(self) -> bool:
        return bool(self._facts["schema_version"] == MARK)

    @property
    def _stored(self) -> dict[str, Any]:
        return {
            name: kind["properties"] for name, kind in self._facts["schema"]["node_types"].items()
        }

    def _open(self) -> Worker:
        self._stamp = self._file_stamp()
        try:
            self._process = Worker(self._path)
            self._facts = self._process.call("facts")
        except (Failed, Gone) as error:
            self._process = None
            raise StorageError(
                f"The file {self._path} is not a kglite graph: {error}",
                hint="`groundwire graph load` makes one from nodes and relationships.",
            ) from error
        return self._process

    def _file_stamp(self) -> str:
        try:
            status = self._path.stat()
        except FileNotFoundError:
            return self._stamp  # removed under us: what is open stays readable
        return f"{status.st_dev}-{status.st_ino}-{status.st_mtime_ns}-{status.st_size}"

    def _follow_file(self) -> None:
        """Open the file anew where it was replaced, or where its process was ended."""
        process = self._process
        if process is not None and (process.ended or self._file_stamp() != self._stamp):
            self._disconnect()
        if self._process is None:
            self._open()

    def _stop(self, attempt: int) -> None:
        worker = self._process
        if worker is not None:
            worker.kill()

    def _fingerprint(self, watch: Watch) -> tuple[str, str]:
        self._follow_file()
        return sha1(self._stamp.encode()).hexdigest(), "0"

    def _read_facts(self, watch: Watch) -> Facts:
        return read_facts(self._facts, self._asker(watch), self._marked)

    def _read_functions(self, watch: Watch) -> frozenset[str]:
        return frozenset(name.lower() for name in self._facts["functions"])

    def _disconnect(self) -> None:
        if self._process is not None:
            self._process.close()
            self._process = None


def _translate(error: Failed, watch: Watch) -> GroundwireError:
    message = error.message.splitlines()[0].removeprefix("Cypher execution error: ")
    if error.kind == "CypherTimeoutError":
        return timed_out(watch, "its time limit passed.", error.code)
    if error.kind == "ReadOnlyError":
        return ReadOnlyError(message, hint="Only statements that read can be run.", code=error.code)
    if message.startswith("Unknown "):
        return UnknownName(message.split(". Available:")[0], code=error.code)
    if message.startswith("Missing parameter"):
        return QueryError(message, hint="Give every $parameter a value.", code=error.code)
    return QueryError(message, hint="kglite may lack what Neo4j has here.", code=error.code)


def _unmangled(quoted: re.Match[str]) -> str:
    return f"'{unmangle(quoted[1])}'"


def _gql_status(warning: str) -> str:
    """The GQL status that Neo4j gives for the same remark."""
    for words, status in (
        ("unknown node label", "01N50"),
        ("unknown relationship type", "01N51"),
        ("property", "01N52"),
    ):
        if words in warning:
            return status
    return ""
