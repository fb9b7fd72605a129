"""The contract that every database keeps. One file a database; one conformance suite for all.

What only some databases can do is declared by small mix-ins (`CanExplain`, `CanReportRights`),
so that a caller asks `isinstance(database, CanExplain)`, never for a dialect's name.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from types import TracebackType
from typing import Any, ClassVar, Literal, NamedTuple, Self

from groundwire.database.catalog import Catalog, Table
from groundwire.database.result import Result
from groundwire.errors import QueryError
from groundwire.settings import Settings

__all__ = [
    "CanExplain",
    "CanJudgeFunctions",
    "CanParse",
    "CanReportRights",
    "Database",
    "Mention",
    "Parameters",
    "Plan",
    "Rights",
    "SqlDatabase",
]

Parameters = Sequence[Any] | Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Plan:
    """What the planner says of a statement without running it.

    `cost` is in the server's own unit and `rows` is its estimate of the result; both are None
    where the server gives none. `text` is the plan for a person.
    """

    text: str
    cost: float | None = None
    rows: float | None = None


@dataclass(frozen=True, slots=True)
class Rights:
    """What the connected role may do beyond reading.

    `can_write` is true where the role could change data if nothing held it back; `superuser`
    where no right is checked at all. `details` are sentences for a person, `remedy` is a
    script that makes a role which can only read ("" where the engine has no roles).
    """

    role: str
    can_write: bool
    superuser: bool
    details: tuple[str, ...] = ()
    remedy: str = ""


class Database(ABC):
    """One connected database. Use as a context manager, or `close()` it.

    A Database may be used from several threads; statements on it run one at a time.
    """

    language: ClassVar[Literal["sql", "cypher"]]
    dialect: ClassVar[str]

    def __init__(self, url: str, settings: Settings) -> None:
        self.url = url
        """The URL with any password masked; safe to print."""
        self.settings = settings

    @abstractmethod
    def execute(
        self,
        statement: str,
        parameters: Parameters = None,
        *,
        max_rows: int | None = None,
        timeout: float | None = None,
    ) -> Result:
        """Run one statement read-only and fetch at most `max_rows` rows.

        One row more is asked of the server to know whether the result is cut; the text itself
        is never changed. The server stops the statement after `timeout` seconds. Whatever the
        statement did to its session is undone before the next one.

        Args:
            statement: one statement; a trailing `;` is allowed.
            parameters: values for `$1`, `$2`, … as a sequence (every SQL database), or for `$name`
                as a mapping (DuckDB, SQLite, graphs); never pasted into the text.
            max_rows: None = `settings.max_rows`.
            timeout: seconds; None = `settings.query_timeout`.

        Raises:
            ReadOnlyError: several statements, or one that does not only read.
            UnknownName: the database does not know a name in it.
            QueryTimeout: the time limit passed.
            Cancelled: `cancel()` was called.
            ConnectionLost: the database went away.
            QueryError: any other refusal of the database, with its code and message.
        """

    @abstractmethod
    def cancel(self) -> None:
        """Stop the statement that runs now, on the server. Callable from any thread."""

    @abstractmethod
    def close(self) -> None:
        """Stop what runs and release the connection. Closing twice is fine."""

    @abstractmethod
    def server_version(self) -> str:
        """The server's product and version, for a person: `PostgreSQL 18.4`."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class SqlDatabase(Database):
    """A database that is asked in SQL. `dialect` is sqlglot's name of its dialect.

    `null_order`: where a NULL sorts unless the statement says it, as the largest or the smallest
    value or last in either direction. `zero_divisor`: what a division by zero gives. `has_dates`:
    a date is a type of its own, so that a day which there is not is an error. `like_folds_case`:
    LIKE takes `a` for `A`. `sums_bigints_exactly`: their sum is no integer, and divides exactly.
    `takes_bare_columns`: a column that is neither grouped by nor aggregated comes from any row.
    `view_text`: a statement for the definition of the view `$2` in the schema `$1`.
    """

    language = "sql"
    null_order: ClassVar[Literal["largest", "smallest", "last"]]
    zero_divisor: ClassVar[Literal["error", "infinity", "null"]]
    has_dates: ClassVar[bool] = True
    like_folds_case: ClassVar[bool] = False
    sums_bigints_exactly: ClassVar[bool] = False
    takes_bare_columns: ClassVar[bool] = False
    view_text: ClassVar[str] = (
        "SELECT definition FROM pg_catalog.pg_views WHERE schemaname = $1 AND viewname = $2"
    )

    @abstractmethod
    def catalog(self, *, refresh: bool = False) -> Catalog:
        """What may be read, cached until the database's schema changes.

        `settings.schemas` and `settings.exclude` are applied: what they take away is absent.

        Args:
            refresh: read it again even if nothing seems to have changed.
        """

    def quote(self, name: str) -> str:
        """A stored name as a quoted identifier."""
        return '"' + name.replace('"', '""') + '"'

    def source(self, table: Table) -> str:
        """A stored table as it stands in a FROM clause: quoted, behind its schema."""
        name = self.quote(table.name)
        return f"{self.quote(table.schema)}.{name}" if table.schema else name


class CanExplain(ABC):
    """A database that plans a statement without running it."""

    @abstractmethod
    def explain(self, statement: str, parameters: Parameters = None) -> Plan:
        """Plan one admitted statement. Admission comes first: planning may run functions.

        Raises:
            QueryError: as `Database.execute`.
        """


class CanParse(ABC):
    """A database that can be asked whether a text is a statement, without planning it."""

    @abstractmethod
    def syntax_error(self, statement: str) -> QueryError | None:
        """Why its grammar does not take the text as one SELECT; None where it does.

        What is wrong for another reason, an unknown name for one, is no error of syntax.

        Raises:
            QueryTimeout: it takes too long.
        """


class CanReportRights(ABC):
    """A database whose roles have rights."""

    @abstractmethod
    def rights(self) -> Rights:
        """What the connected role could do beyond reading."""


class Mention(NamedTuple):
    """A name or operator of a statement that may stand for a call of a function.

    `kind`: a `function` is a name before a bracket; a `field` one behind a dot, which may be a
    function of the row (PostgreSQL); a `type` one where a type can stand; an `operator` as
    written; a `table` one that is read, with its `schema` where that is written. `name` is as
    stored: lower case unless quoted.
    """

    kind: Literal["function", "field", "type", "operator", "table"]
    name: str
    schema: str = ""


class CanJudgeFunctions(ABC):
    """A database that knows which of its functions do more than compute."""

    @abstractmethod
    def unsafe(self, mentions: Set[Mention]) -> dict[Mention, str]:
        """Which mentions a read-only query may not make, each with a sentence why.

        What is no function and hides none is not in the answer.
        """
