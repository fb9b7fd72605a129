"""The one door through which Groundwire writes graphs: a writing session on either engine."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from groundwire.database.graph import LOAD_KEY
from groundwire.database.graph_kglite_names import MARK, STRUCTURAL, mangle_values, unmangle
from groundwire.database.url import DatabaseUrl, parse
from groundwire.errors import DriverMissing, QueryError, StorageError, UsageError
from groundwire.settings import Settings

__all__ = ["Writer", "open_writer"]


class Writer(Protocol):
    """Runs writing statements. `key` is the property under which a node's file id is kept."""

    key: str
    needs_label: bool

    def run(self, statement: str, rows: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
        """Run a statement that reads `$rows`; its own transaction."""

    def prepare(self, label: str) -> None:
        """Make nodes of a label quick to find by `key`."""


@contextmanager
def open_writer(url: str, settings: Settings) -> Iterator[Writer]:
    """A writing session; a kglite file is replaced as a whole when the block ends well.

    Raises:
        UsageError: the URL is of a kind that no graph is loaded into.
        DriverMissing: the extra with the driver is not installed.
        Unreachable, AccessDenied: as `groundwire.connect`.
        StorageError: the file cannot be written, or is no graph.
        QueryError: the engine refused a statement.
    """
    parsed = parse(url)
    schemes = ("neo4j", "bolt", "neo4j+s", "bolt+s", "neo4j+ssc", "bolt+ssc")
    if parsed.scheme == "kglite":
        manager = _kglite(parsed)
    elif parsed.scheme in schemes:
        manager = _neo4j(url, settings)
    else:
        raise UsageError(
            f"No graph is loaded into databases of the kind {parsed.scheme}://.",
            hint="Load into kglite:///file.kgl or neo4j://user:password@host.",
        )
    try:
        with manager as writer:
            yield writer
    except ImportError as error:
        if error.name not in ("neo4j", "kglite"):
            raise
        raise DriverMissing(
            f"The driver for {parsed.scheme}:// is not installed ({error}).",
            hint=f"Install it: pip install 'groundwire[{error.name}]'",
        ) from error


@dataclass
class _Neo4jWriter:
    session: Any
    key: str = LOAD_KEY
    needs_label: bool = False

    def run(self, statement: str, rows: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
        return [tuple(record.values()) for record in self.session.run(statement, rows=rows)]

    def prepare(self, label: str) -> None:
        self.session.run(
            f"CREATE CONSTRAINT IF NOT EXISTS FOR (n:{label}) REQUIRE n.`{self.key}` IS UNIQUE"
        ).consume()


@contextmanager
def _neo4j(url: str, settings: Settings) -> Iterator[Writer]:
    from neo4j.exceptions import DriverError, Neo4jError

    from groundwire.database.neo4j import open_driver

    driver, database = open_driver(url, settings)
    try:
        with driver, driver.session(database=database) as session:
            yield _Neo4jWriter(session)
    except (Neo4jError, DriverError) as error:
        code = getattr(error, "code", "") or ""
        raise QueryError(f"Neo4j refused to write: {error}", code=code) from error


@dataclass
class _KgliteWriter:
    graph: Any
    key: str = "id"
    needs_label: bool = True

    def run(self, statement: str, rows: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
        stored = [
            {**row, "properties": mangle_values(row["properties"])} if "properties" in row else row
            for row in rows
        ]
        result = self.graph.cypher(statement, params={"rows": stored}, timeout_ms=0)
        return [tuple(_read(value) for value in row.values()) for row in result.to_list()]

    def prepare(self, label: str) -> None:
        """Nothing: kglite finds nodes by `id` at once."""


def _read(value: Any) -> Any:
    if isinstance(value, list):
        return [_read(item) for item in value]
    if isinstance(value, dict):
        return {unmangle(key): item for key, item in value.items() if key not in STRUCTURAL}
    return value


@contextmanager
def _kglite(url: DatabaseUrl) -> Iterator[Writer]:
    import kglite

    path = url.path()
    if path is None:
        raise UsageError(
            f"The URL {url.masked} names no file.", hint="Write kglite:///path/to/graph.kgl."
        )
    if not path.parent.is_dir():
        raise StorageError(
            f"The folder {path.parent} does not exist.",
            hint=f"Make it first: mkdir -p {path.parent}",
        )
    try:
        graph = _opened(path)
        yield _KgliteWriter(graph)
        unfinished = path.with_name(f".{path.name}.{os.getpid()}")
        with warnings.catch_warnings():  # that a part is kept on the heap when it is mapped
            warnings.simplefilter("ignore", kglite.MappedFallbackWarning)
            graph.save(str(unfinished))
        unfinished.replace(path)
    except (kglite.FileError, OSError) as error:
        raise StorageError(
            f"{path} cannot be written: {error}", hint="Check the disk and the folder's rights."
        ) from error
    except kglite.KgError as error:
        raise QueryError(f"kglite refused to write: {error}") from error


def _opened(path: Path) -> Any:
    import kglite

    kglite.set_query_warning_policy("silent")
    if not path.exists():
        return kglite.KnowledgeGraph().set_schema_version(MARK)
    graph = kglite.load(str(path))
    if graph.schema_version != MARK:
        raise UsageError(
            f"{path} was not made by Groundwire, so nothing is added to it.",
            hint="Load into a new file.",
        )
    return graph
