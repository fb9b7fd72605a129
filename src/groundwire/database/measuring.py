"""What some databases can do to make measuring cheap: small mix-ins, and what they give."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from groundwire.database.catalog import Table

__all__ = [
    "CanListValues",
    "CanSample",
    "KeepsStatistics",
    "ReadsNumbers",
    "ServerFacts",
    "ValueReader",
]


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """What a server has counted or estimated of one column on its own account.

    `distinct` is the number of different values, `null_share` the share of rows without one,
    `common` lists (value as text, share of rows), the most frequent first; None or empty where the
    server does not say. `sampled` is the number of rows that it rests on.
    """

    statement: str
    seconds: float
    sampled: int
    distinct: float | None = None
    null_share: float | None = None
    common: tuple[tuple[str, float], ...] = ()


class KeepsStatistics(ABC):
    """A database that keeps statistics of its columns."""

    @abstractmethod
    def server_facts(self, table: Table, column: str) -> ServerFacts | None:
        """What is kept of one column; read from the server's catalogue, never from the rows.

        Raises:
            QueryError: as `Database.execute`.
        """


class CanSample(ABC):
    """A database that can read some rows spread over a whole table."""

    exact_rows: ClassVar[int] = 200_000
    """Rows up to which the whole of a table is counted as quickly as a sample of it."""

    @abstractmethod
    def sample(self, table: Table, source: str, listed: str, rows: int) -> str | None:
        """A SELECT of about `rows` rows, the same ones each time; None where it cannot be done.

        Args:
            table: what is sampled; its `row_estimate` is known.
            source: its name as it stands in a FROM clause.
            listed: the SELECT list.
            rows: how many are wanted.
        """


class ReadsNumbers(ABC):
    """A database that can tell in a condition whether a text reads as a number.

    `number_types` are the types to which such a text is cast, for whole and for broken numbers.
    """

    number_types: ClassVar[tuple[str, str]]

    @abstractmethod
    def reads_as_number(self, text: str, *, whole: bool = False) -> str:
        """A condition: the text expression is a decimal number, or a `whole` one, with a sign or
        blanks around it at most, and without an exponent.
        """


@dataclass(frozen=True, slots=True)
class ValueReader:
    """How the different values of one text column can be read, a text being equal only to itself.

    `whole` is a statement that walks an index from one value to the next, None where there is no
    such index. `blocks` is the size of the table, `part` the statement for some of them: those
    from `{first}` on and before `{last}`.
    """

    whole: str | None
    blocks: int
    part: str


class CanListValues(ABC):
    """A database in which the values of a column of a large table can be read part by part."""

    @abstractmethod
    def moment(self) -> str:
        """A text that stays the same while nothing at all is written."""

    @abstractmethod
    def value_reader(self, table: Table, column: str) -> ValueReader | None:
        """How to read the values of a column; None where it cannot be done.

        Raises:
            QueryError: as `Database.execute`.
        """
