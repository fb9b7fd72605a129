"""The databases of the cases, and what a query gave on one of them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from groundwire.database import Database, Result, connect
from groundwire.errors import ConnectionLost, GroundwireError, ModelError, UsageError
from groundwire.settings import Settings

__all__ = ["MAX_ROWS", "Copies", "Databases", "Outcome", "resolve"]

MAX_ROWS = 100_000
"""Rows of a result that are compared at most; a gold with more cannot be scored."""

OPEN_AT_ONCE = 8

RECENT = 8
"""Outcomes that are kept: a case's golds, its draft and what was shown are each looked at again."""

RECENT_ROWS = 10_000
"""Rows of an outcome that is kept at most."""

FILES = {".sqlite": "sqlite", ".db": "sqlite", ".duckdb": "duckdb", ".kgl": "kglite"}
"""What a file in a folder of databases is, by its ending."""

Copies = Callable[[str, Settings], list[Database]]
"""From a database's URL, other databases of the same schema on which the golds run as well."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a query gave: a result, or the error that it met; an empty query gives neither."""

    query: str
    result: Result | None = None
    error: GroundwireError | None = None

    @property
    def rows(self) -> tuple[tuple[Any, ...], ...]:
        """The rows; none where it did not run."""
        return self.result.rows if self.result is not None else ()

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.result.columns) if self.result else ()

    @property
    def whole(self) -> bool:
        """It ran, and every row of it was fetched."""
        return self.result is not None and not self.result.truncated

    @property
    def empty(self) -> bool:
        """It ran and has no row."""
        return self.result is not None and not self.result.rows


def resolve(name: str, where: str = "") -> str:
    """The URL of a case's database.

    Args:
        name: a URL, which is taken as it is, or a name.
        where: a URL with `{database}` in it, or a folder that holds `NAME.sqlite` (`.db`,
            `.duckdb`, `.kgl`), be it in a folder of that name as Spider and BIRD have it.

    Raises:
        UsageError: nothing is found for the name, or it is empty.
    """
    if not name:
        raise UsageError("The case names no database.")
    if "://" in name:
        return name
    if "://" in where:
        return where.replace("{database}", name)
    if not where:
        raise UsageError(
            f"The database {name!r} is not a URL.",
            hint="Say where the databases are: --databases FOLDER, or a URL with {database}.",
        )
    folder = Path(where.replace("{database}", name))
    for file in (folder, folder / name, folder / name / name):
        for ending, scheme in FILES.items():
            path = file.parent / f"{file.name}{ending}"
            if _is_file(path):
                return f"{scheme}:///{path.resolve()}"
        if file.suffix in FILES and _is_file(file):
            return f"{FILES[file.suffix]}:///{file.resolve()}"
    raise UsageError(
        f"There is no database {name!r} in {where}.",
        hint="A file is looked for: " + ", ".join(f"{name}{ending}" for ending in FILES) + ".",
    )


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name that is too long for a file
        return False


class Databases:
    """The databases of a run, opened when first asked for. Use as a context manager.

    Args:
        where: as for `resolve`.
        settings: limits of every query; None = the defaults with `MAX_ROWS` rows.
        copies: makes the copies on which `test_suite` looks; None = none are made.
    """

    def __init__(
        self, where: str = "", settings: Settings | None = None, copies: Copies | None = None
    ) -> None:
        self.where = where
        self.settings = settings or replace(Settings(), max_rows=MAX_ROWS)
        self._make_copies = copies
        self._open: OrderedDict[str, Database] = OrderedDict()
        self._copies: OrderedDict[str, list[Database]] = OrderedDict()
        self._recent: OrderedDict[tuple[str, str], Outcome] = OrderedDict()

    def database(self, name: str) -> Database:
        """The database of a case.

        Raises:
            GroundwireError: as `resolve` and `connect`.
        """
        url = resolve(name, self.where)
        found = self._open.pop(url, None) or connect(url, self.settings)
        self._open[url] = found
        while len(self._open) > OPEN_AT_ONCE:
            self._open.popitem(last=False)[1].close()
        return found

    def copies(self, name: str) -> list[Database]:
        """Its perturbed copies, made once; none where none can be made.

        Raises:
            GroundwireError: they could not be made.
        """
        if self._make_copies is None:
            return []
        url = resolve(name, self.where)
        if url not in self._copies:
            self._copies[url] = self._make_copies(url, self.settings)
            while len(self._copies) > OPEN_AT_ONCE:
                _close_all(self._copies.popitem(last=False)[1])
        return self._copies[url]

    def run(self, name: str, query: str) -> Outcome:
        """Run a query on the database of a case, as `run`.

        A lost connection is opened anew and the query run again: the one before it may have been
        the reason.

        Raises:
            GroundwireError: the database itself cannot be had, whatever the query is.
        """
        if not query.strip():
            return Outcome(query)
        try:
            return run(self.database(name), query)
        except ConnectionLost:
            self._forget(name)
        try:
            return run(self.database(name), query)
        except ConnectionLost as error:
            self._forget(name)
            return Outcome(query, error=error)

    def recall(self, name: str, query: str) -> Outcome:
        """As `run`, but one of the last few queries is not run again.

        Raises:
            GroundwireError: as `run`.
        """
        key = (resolve(name, self.where), query)
        found = self._recent.pop(key, None) or self.run(name, query)
        if len(found.rows) <= RECENT_ROWS and not isinstance(found.error, ConnectionLost):
            self._recent[key] = found
        while len(self._recent) > RECENT:
            self._recent.popitem(last=False)
        return found

    def _forget(self, name: str) -> None:
        gone = self._open.pop(resolve(name, self.where), None)
        if gone is not None:
            gone.close()

    def close(self) -> None:
        """Close whatever is open."""
        _close_all(list(self._open.values()))
        for copies in self._copies.values():
            _close_all(copies)
        self._open.clear()
        self._copies.clear()

    def __enter__(self) -> Databases:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def run(database: Database, query: str) -> Outcome:
    """Run a query under the limits of the database's settings; what it does wrong is kept.

    Raises:
        OperatorError: the database cannot be asked, whatever the query is.
    """
    if not query.strip():
        return Outcome(query)
    try:
        return Outcome(query, database.execute(query))
    except (ModelError, UsageError) as error:
        return Outcome(query, error=error)


def _close_all(databases: list[Database]) -> None:
    for database in databases:
        database.close()
