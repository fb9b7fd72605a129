"""A database that is asked in Cypher: the contract, and what all graph drivers share."""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from groundwire.database.base import Database, Parameters
from groundwire.database.ceiling import within
from groundwire.database.graph_admission import refusal
from groundwire.database.graph_catalog import GraphCatalog, Reciprocity, quote_name
from groundwire.database.graph_excluded import read_excluded
from groundwire.database.graph_facts import Ask, Facts
from groundwire.database.graph_reading import read_catalog
from groundwire.database.graph_reciprocity import measure
from groundwire.database.result import Result, ResultColumn
from groundwire.database.scope import Scope
from groundwire.database.session import check_text
from groundwire.database.url import DatabaseUrl, parse
from groundwire.database.watch import Watch
from groundwire.errors import QueryError, ReadOnlyError, UsageError
from groundwire.settings import Settings

if TYPE_CHECKING:
    from groundwire.query.cypher import Query

__all__ = ["LOAD_KEY", "CanNotify", "GraphDatabase", "Notification"]

T = TypeVar("T")

LOAD_KEY = "_load_id"
"""The property under which the loader keeps the id that a node had in its file. Nobody sees it."""

CATALOG_TIMES = 4
"""A catalog takes many statements: so many times the limit of one query for all of them."""

FRESH_SECONDS = 60.0
"""A catalog this young is not read again only because nodes or relationships were added."""


@dataclass(frozen=True, slots=True)
class Notification:
    """What the engine remarks on a statement without running it.

    `code` is the GQL status (`01N50` label, `01N51` relationship type, `01N52` property key that
    does not exist; `03N90` Cartesian product) or "" where the engine gives none. `offset` counts
    characters of the statement from 0, None where the engine gives no place.
    """

    code: str
    message: str
    offset: int | None = None


class CanNotify(ABC):
    """A database that remarks on names it does not know, and the like, before a statement runs."""

    @abstractmethod
    def notifications(
        self, statement: str, parameters: Parameters = None
    ) -> tuple[Notification, ...]:
        """The engine's remarks on one admitted statement, which is planned but not run.

        Raises:
            QueryError: as `Database.execute`.
        """


class GraphDatabase(Database):
    """A property graph behind one connection. A driver gives the abstract methods.

    All but `_stop` and `_disconnect` are called in the session's thread, one at a time.
    """

    language = "cypher"
    grace = 1.0
    """Seconds that the engine's own time limit gets before the watch stops the statement."""
    lazy_limit: ClassVar[bool] = True
    """As `Facts.lazy_limit`."""
    pause = 0.2
    """Seconds between two attempts to stop a statement."""

    def __init__(self, url: str, settings: Settings) -> None:
        self._url: DatabaseUrl = parse(url)
        super().__init__(self._url.masked, settings)
        self._scope = Scope((), (*settings.exclude, f"*.{LOAD_KEY}"))
        self._lock = threading.Lock()
        self._worker = ThreadPoolExecutor(1, "groundwire-graph")
        self._watch: Watch | None = None
        self._catalog: GraphCatalog | None = None
        self._decided: dict[tuple[str, str], Reciprocity] = {}
        self._read_at = 0.0
        self._closed = False

    @cached_property
    def functions(self) -> frozenset[str]:
        """Names, in small letters, of the functions that it has beyond Cypher's own."""
        return self._do(self.settings.query_timeout, self._read_functions)

    def execute(
        self,
        statement: str,
        parameters: Parameters = None,
        *,
        max_rows: int | None = None,
        timeout: float | None = None,
    ) -> Result:
        limit = self.settings.max_rows if max_rows is None else max_rows
        seconds = self.settings.query_timeout if timeout is None else timeout
        if limit < 0 or seconds <= 0:
            raise UsageError(
                f"max_rows={limit} and timeout={seconds} make no sense.",
                hint="Give a number of rows from 0 and a number of seconds above 0.",
            )
        query, values = self._prepare(statement, parameters)

        def work(watch: Watch) -> Result:
            self._admit(query, values, watch)
            started = time.perf_counter()
            columns, received = self._run(query, values, limit + 1, watch)
            rows = within(received, limit + 1, self.settings.max_bytes)
            elapsed = time.perf_counter() - started
            return Result(columns, tuple(rows[:limit]), len(rows) > limit, elapsed)

        return self._do(seconds, work)

    def cancel(self) -> None:
        watch = self._watch
        if watch is not None:
            watch.cancel()

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self._worker.shutdown()
            self._disconnect()

    def catalog(self, *, refresh: bool = False) -> GraphCatalog:
        """What may be read, measured; cached until labels, types or property keys change.

        Where only the number of nodes or relationships changed, a catalog that is a minute old
        is read again. `settings.exclude` is applied: `Label`, `TYPE`, `Label.property`, globs.

        Args:
            refresh: read it again even if nothing seems to have changed.
        """
        seconds = CATALOG_TIMES * self.settings.query_timeout
        return self._do(seconds, lambda watch: self._current(refresh, watch))

    def _current(self, refresh: bool, watch: Watch) -> GraphCatalog:
        names, counts = self._fingerprint(watch)
        version = f"{names} {counts}"
        cached = self._catalog
        if cached is not None and not refresh:
            young = time.monotonic() - self._read_at < FRESH_SECONDS
            if cached.version == version or (young and cached.version.startswith(names + " ")):
                return cached
        started = time.perf_counter()
        ask = self._asker(watch)
        facts = replace(self._read_facts(watch), lazy_limit=self.lazy_limit)
        excluded = None
        if self.settings.exclude:
            excluded = read_excluded(ask, facts, Scope((), self.settings.exclude))
            facts = replace(facts, keys=frozenset())  # it does not say what has a key
        facts = replace(facts, keys=facts.keys - {LOAD_KEY})
        catalog = read_catalog(ask, facts, self._scope, self.dialect, version)
        catalog = excluded.narrow(catalog) if excluded else catalog
        self._catalog = replace(catalog, seconds=time.perf_counter() - started)
        self._decided = {}
        self._read_at = time.monotonic()
        return self._catalog

    def measure_reciprocity(self, type_name: str, label: str, *, exact: bool = True) -> Reciprocity:
        """Count again how many relationships of a type between nodes of one label have a reverse.

        Args:
            exact: look at every one of them; else as the catalog does, at a sample of many.

        Raises:
            UsageError: the type does not join nodes of that label.
        """
        found = self.catalog().reciprocity_of(type_name, label)
        if found is None:
            raise UsageError(
                f"No relationship of the type {type_name} joins two nodes with the label {label}.",
                hint="Choose a type and a label of the catalog's `reciprocity`.",
            )
        return self._do(
            self.settings.query_timeout,
            lambda watch: measure(
                self._asker(watch),
                label,
                type_name,
                found.total,
                lazy_limit=self.lazy_limit,
                exact=exact or None,
            ),
        )

    def decide_reciprocity(self, found: Reciprocity, threshold: float) -> Reciprocity:
        """A measure of the catalog that says on which side of a threshold the fraction is.

        Where a sample cannot tell, all relationships are counted, once for each catalog; the
        sample is given back where that takes longer than a query may.
        """
        if not found.straddles(threshold):
            return found
        key = (found.type, found.label)
        if key not in self._decided:
            try:
                self._decided[key] = self.measure_reciprocity(*key)
            except QueryError:
                self._decided[key] = found
        return self._decided[key]

    def quote(self, name: str) -> str:
        """A stored name as a quoted identifier."""
        return quote_name(name)

    def _prepare(self, statement: str, parameters: Parameters) -> tuple[Query, dict[str, Any]]:
        """The parsed statement and its parameters by name.

        Raises:
            ReadOnlyError: not one statement, or one that does not only read.
            UsageError: the parameters have no names.
        """
        from groundwire.query.cypher import parse as parse_cypher

        if parameters is not None and not isinstance(parameters, Mapping):
            raise UsageError(
                "Cypher's parameters have names.", hint='Pass {"name": value} for $name.'
            )
        check_text(statement)
        query = parse_cypher(statement, self.functions)
        reason = refusal(query)
        if reason and query.statements:
            raise ReadOnlyError(reason, hint="Only one statement that reads can be run.")
        return query, dict(parameters or {})

    def _hides(self, owners: Iterable[str], key: str) -> bool:
        return key == LOAD_KEY or any(self._scope.hides_column("", owner, key) for owner in owners)

    def _asker(self, watch: Watch) -> Ask:
        """A function that runs a statement of our own: (text, parameters) → rows."""

        def ask(
            statement: str, parameters: Mapping[str, Any] | None = None
        ) -> list[tuple[Any, ...]]:
            return self._ask(statement, dict(parameters or {}), watch)

        return ask

    def _do(self, seconds: float, work: Callable[[Watch], T]) -> T:
        """Have one piece of work done; one at a time, and stopped when it has to be."""
        with self._lock:
            if self._closed:
                raise UsageError(f"{self.url} is closed.", hint="Connect again.")
            watch = Watch(seconds, self._stop, self.pause, self.grace)
            self._watch = watch
            try:
                return watch.run(self._worker, lambda: work(watch))
            finally:
                self._watch = None

    @abstractmethod
    def _admit(self, query: Query, values: dict[str, Any], watch: Watch) -> None:
        """Refuse what could not be parsed as a whole, unless the engine itself vouches for it."""

    @abstractmethod
    def _run(
        self, query: Query, values: dict[str, Any], rows: int, watch: Watch
    ) -> tuple[tuple[ResultColumn, ...], list[tuple[Any, ...]]]:
        """Run one admitted statement and fetch at most `rows` rows; leave no trace."""

    @abstractmethod
    def _ask(self, statement: str, values: dict[str, Any], watch: Watch) -> list[tuple[Any, ...]]:
        """All rows of a statement of our own."""

    @abstractmethod
    def _stop(self, attempt: int) -> None:
        """Stop what runs now, from another thread; called until it has ended."""

    @abstractmethod
    def _fingerprint(self, watch: Watch) -> tuple[str, str]:
        """Two texts without blanks: one changes with the names in the graph, one with its size."""

    @abstractmethod
    def _read_facts(self, watch: Watch) -> Facts:
        """What the engine itself counts and declares."""

    @abstractmethod
    def _read_functions(self, watch: Watch) -> frozenset[str]:
        """The functions beyond Cypher's own."""

    @abstractmethod
    def _disconnect(self) -> None:
        """Release the connection, if there is one."""
