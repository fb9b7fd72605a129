"""What is measured in the stored data of a relational database, asked with small statements.

Exact on small tables and where a key of the catalog decides. On large ones the server's own
statistics are believed, else a sample with its interval. Facts are kept per database until its
catalog changes or they are older than `settings.statistics_age`. Only what the catalog shows is
ever asked about, so that nothing excluded is touched.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from groundwire.database.base import Parameters, SqlDatabase
from groundwire.database.catalog import Catalog, Table
from groundwire.database.kept import kept_facts
from groundwire.database.listing import Listing, listing
from groundwire.database.measuring import CanSample, KeepsStatistics, ReadsNumbers, ServerFacts
from groundwire.database.result import Result
from groundwire.database.shares import share_interval, unseen_pairs

__all__ = ["Ask", "Fact", "Numbers", "Statistics"]

Ask = Callable[..., Result | None]
"""(statement, parameters, rows=…) → the answer, None where the budget is spent or none came."""

SAMPLE_ROWS = 20_000
"""Rows of a sample from which a share is estimated: within 0.7 percent of it, 95 times in 100."""
UNIQUE_SAMPLE = 200_000
"""Rows of a sample that is searched for two alike."""
SORTED_ROWS = 1_000_000
"""Rows up to which a whole table is searched for two alike."""
MEETING_VALUES = 2_000
"""Values of a large column that are looked for in another one."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A measured value. `statement` is "" where the catalog already knew.

    `sampled` is the number of rows looked at where that was not the whole table, 0 where it is
    the server's own estimate of unknown making. `interval` is then the range in which the measured
    share lies, 95 times in 100: of rows without a value (`nulls`), of rows that repeat another
    (`is_unique`), of values that are met (`containment`).
    """

    value: Any
    statement: str = ""
    seconds: float = 0.0
    sampled: int | None = None
    interval: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Numbers:
    """How the texts of a column read: how many there are, how many are numbers, whole ones, and
    the fewest and most characters.
    """

    values: int
    numbers: int
    whole: int
    shortest: int
    longest: int

    @property
    def all(self) -> bool:
        """Every text is a number."""
        return 0 < self.values == self.numbers


class Statistics:
    """The facts of one database as its `catalog` stands, asked through `ask`.

    Each is None where nobody can say: the budget is spent, the database cannot tell, or the
    catalog does not show the column.
    """

    def __init__(self, database: SqlDatabase, ask: Ask, catalog: Catalog) -> None:
        self.database = database
        self._ask = ask
        self._catalog = catalog
        self._facts = kept_facts(database, catalog)

    # -- facts ---------------------------------------------------------------------------

    def is_unique(self, table: Table, columns: tuple[str, ...]) -> Fact | None:
        """Whether no two rows share values of these columns (rows with a NULL in them aside).

        Two rows alike in a sample decide; that all are different is exact up to a million rows,
        and beyond that said of a sample (`sampled`, `interval`).
        """
        wanted = set(columns)
        keys = [table.primary_key, *table.unique_keys]
        if any(key and set(key) <= wanted for key in keys):
            return Fact(True)
        return self._kept("is_unique", table, columns, lambda: self._measure_unique(table, columns))

    def nulls(self, table: Table, column: str) -> Fact | None:
        """(rows that have no value there, rows)."""
        return self._kept("nulls", table, (column,), lambda: self._measure_nulls(table, column))

    def row_count(self, table: Table) -> Fact | None:
        """The rows of a table; the server's estimate where that is a large one."""
        if self._is_large(table):
            return Fact(table.row_estimate, sampled=0)
        return self._kept("rows", table, (), lambda: self._counted(table))

    def holds(self, table: Table, column: str, value: Any) -> Fact | None:
        """Whether any row has that value there. That none has is asked anew for each draft, or
        said by all values of the column while nothing at all has been written.
        """
        source, name = self.database.source(table), self.database.quote(column)
        statement = f"SELECT 1 FROM {source} WHERE {name} = $1 LIMIT 1"

        def measure() -> Fact | None:
            if isinstance(value, str) and (known := self._known(table, column, value)) is not None:
                return known
            return self._fact(statement, lambda result: bool(result.rows), [value])

        return self._kept("holds", table, (column,), measure, value, keep=lambda fact: fact.value)

    def containment(
        self, table: Table, column: str, other: Table, other_column: str
    ) -> Fact | None:
        """(different values of a column that the other column holds too, all its values).

        Of a large table only some of the values are looked for.
        """
        if other.column(other_column) is None:
            return None
        return self._kept(
            "containment",
            table,
            (column,),
            lambda: self._measure_containment(table, column, other, other_column),
            other.schema,
            other.name,
            other_column,
        )

    def extremes(self, table: Table, column: str) -> Fact | None:
        """(least value, greatest value) of a column."""
        name = self.database.quote(column)
        statement = f"SELECT min({name}), max({name}) FROM {self.database.source(table)}"
        return self._kept(
            "extremes",
            table,
            (column,),
            lambda: self._fact(statement, lambda result: result.rows[0]),
        )

    def distinct(self, table: Table, column: str) -> Fact | None:
        """The number of different values of a column; on a large table the server's estimate."""
        facts = self.server_facts(table, column) if self._is_large(table) else None
        if facts is not None and facts.distinct is not None:
            return Fact(round(facts.distinct), facts.statement, facts.seconds, facts.sampled)
        name = self.database.quote(column)
        statement = f"SELECT count(DISTINCT {name}) FROM {self.database.source(table)}"
        return self._kept(
            "distinct",
            table,
            (column,),
            lambda: self._fact(statement, lambda result: result.rows[0][0]),
        )

    def numbers(self, table: Table, column: str) -> Fact | None:
        """How the texts of a column read (`Numbers`), over the whole table. None for databases
        that cannot tell. A sample of a large table decides where it holds something else.
        """
        if not isinstance(self.database, ReadsNumbers):
            return None
        return self._kept("numbers", table, (column,), lambda: self._measure_numbers(table, column))

    def server_facts(self, table: Table, column: str) -> ServerFacts | None:
        """What the server keeps of a column; read from its catalogue, which costs no probe."""
        if not isinstance(self.database, KeepsStatistics) or table.column(column) is None:
            return None
        key = ("server", table.schema, table.name, column)
        if (held := self._facts.get(key)) is None:
            held = (self.database.server_facts(table, column),)
            self._facts.put(key, held)
        found: ServerFacts | None = held[0]
        return found

    def values(self, table: Table, column: str, wanted: str | None = None) -> Listing | None:
        """All different values of a column of a large table, where they are few; those before
        `wanted` is met are enough.

        Those of a column without an index are read within the budgets of several drafts.
        """
        facts = self.server_facts(table, column) if self._is_large(table) else None
        most = self.database.settings.value_budget
        if facts is None or facts.distinct is None or facts.distinct > most:
            return None
        return listing(self.database, self._catalog, table, column, self._ask, wanted)

    # -- measuring -----------------------------------------------------------------------

    def _known(self, table: Table, column: str, value: str) -> Fact | None:
        """What is known of a text without a look for it in a large table."""
        facts = self.server_facts(table, column) if self._is_large(table) else None
        if facts is not None and any(common == value for common, _ in facts.common):
            return Fact(True, facts.statement, facts.seconds, facts.sampled)
        listed = self.values(table, column, value)
        if listed is None or (value not in listed.values and not listed.is_exact(self.database)):
            return None
        return Fact(value in listed.values, listed.statement, listed.seconds)

    def _measure_unique(self, table: Table, columns: tuple[str, ...]) -> Fact | None:
        exact = self._exact_rows
        if not self._is_large(table):
            present = f" WHERE {self._present(columns)}"
            fact = self._alike(columns, self._first(table, columns, exact + 1, present))
            if fact is None or not fact.value[0] or fact.value[1] <= exact:
                return None if fact is None else Fact(fact.value[0], fact.statement, fact.seconds)
        rows, spread = table.row_estimate or exact, self._spread(table, columns, UNIQUE_SAMPLE)
        if spread is not None:
            fact = self._alike(columns, spread)
            if fact is None or not fact.value[0]:
                return fact and Fact(False, fact.statement, fact.seconds)
            facts = self.server_facts(table, columns[0]) if len(columns) == 1 else None
            if facts is not None and _repeats(facts, rows):
                return Fact(False, facts.statement, facts.seconds, facts.sampled)
            if rows > SORTED_ROWS:
                bound = unseen_pairs(fact.value[1], rows)
                return Fact(True, fact.statement, fact.seconds, fact.value[1], (0.0, bound))
        whole = self._alike(columns, self._first(table, columns))
        return whole and Fact(whole.value[0], whole.statement, whole.seconds)

    def _alike(self, columns: tuple[str, ...], rows: str) -> Fact | None:
        """(no two of these rows are alike, how many rows those are)."""
        listed = self._listed(columns)
        statement = (
            f"SELECT max(n), sum(n) FROM (SELECT count(*) AS n FROM ({rows}) r "
            f"WHERE {self._present(columns)} GROUP BY {listed}) g"
        )
        return self._fact(
            statement, lambda result: ((result.rows[0][0] or 0) < 2, int(result.rows[0][1] or 0))
        )

    def _measure_nulls(self, table: Table, column: str) -> Fact | None:
        name, exact = self.database.quote(column), self._exact_rows
        counting = f"SELECT count(*) - count({name}), count(*) FROM "
        if not self._is_large(table):
            known = table.row_estimate is not None
            source = self.database.source(table)
            if not known:
                source = f"({self._first(table, (column,), exact + 1)}) r"
            fact = self._fact(counting + source, lambda result: result.rows[0])
            if fact is None or known or fact.value[1] <= exact:
                return fact
        none = f"SELECT 1 FROM {self.database.source(table)} WHERE {name} IS NULL LIMIT 1"
        fact = self._fact(none, lambda result: result.rows)
        rows = table.row_estimate
        if fact is None or rows is None:
            return None
        if not fact.value:
            return Fact((0, rows), fact.statement, fact.seconds)
        return self._null_share(table, column, rows, counting)

    def _null_share(self, table: Table, column: str, rows: int, counting: str) -> Fact | None:
        facts = self.server_facts(table, column)
        if facts is not None and facts.null_share is not None and facts.sampled:
            found, seen = round(facts.null_share * facts.sampled), facts.sampled
            statement, seconds = facts.statement, facts.seconds
        else:
            spread = self._spread(table, (column,), SAMPLE_ROWS)
            source = self.database.source(table) if spread is None else f"({spread}) r"
            fact = self._fact(counting + source, lambda result: result.rows[0])
            if fact is None or spread is None or not fact.value[1]:
                return fact
            (found, seen), statement, seconds = fact.value, fact.statement, fact.seconds
        # There is one, or this would not be asked.
        estimate = max(1, round(rows * found / seen))
        return Fact((estimate, rows), statement, seconds, seen, share_interval(found, seen))

    def _measure_containment(
        self, table: Table, column: str, other: Table, other_column: str
    ) -> Fact | None:
        left, right = self.database.quote(column), self.database.quote(other_column)
        spread = None
        if self._is_large(table):
            spread = self._spread(table, (column,), MEETING_VALUES)
        rows = spread or f"SELECT {left} FROM {self.database.source(table)}"
        statement = (
            f"SELECT count(CASE WHEN EXISTS (SELECT 1 FROM {self.database.source(other)} o "
            f"WHERE o.{right} = d.v) THEN 1 END), count(*) FROM "
            f"(SELECT DISTINCT {left} AS v FROM ({rows}) r WHERE {left} IS NOT NULL) d"
        )
        fact = self._fact(statement, lambda result: result.rows[0])
        if fact is None or spread is None:
            return fact
        met, tried = fact.value
        return Fact((met, tried), statement, fact.seconds, tried, share_interval(met, tried))

    def _measure_numbers(self, table: Table, column: str) -> Fact | None:
        spread = self._spread(table, (column,), SAMPLE_ROWS) if self._is_large(table) else None
        if spread is not None:
            fact = self._count_numbers(column, spread)
            if fact is None or not fact.value.all:
                return fact and Fact(fact.value, fact.statement, fact.seconds, fact.value.values)
        return self._count_numbers(column, self._first(table, (column,)))

    def _count_numbers(self, column: str, rows: str) -> Fact | None:
        assert isinstance(self.database, ReadsNumbers)
        name = self.database.quote(column)
        number = self.database.reads_as_number(name)
        whole = self.database.reads_as_number(name, whole=True)
        statement = (
            f"SELECT count({name}), count(CASE WHEN {number} THEN 1 END), "
            f"count(CASE WHEN {whole} THEN 1 END), min(length({name})), max(length({name})) "
            f"FROM ({rows}) r"
        )
        return self._fact(
            statement, lambda result: Numbers(*(count or 0 for count in result.rows[0]))
        )

    def _counted(self, table: Table) -> Fact | None:
        statement = f"SELECT count(*) FROM {self.database.source(table)}"
        return self._fact(statement, lambda result: result.rows[0][0])

    # -- statements ----------------------------------------------------------------------

    @property
    def _exact_rows(self) -> int:
        database = self.database
        return database.exact_rows if isinstance(database, CanSample) else CanSample.exact_rows

    def _is_large(self, table: Table) -> bool:
        """It is known to have more rows than are counted lightly."""
        return (table.row_estimate or 0) > self._exact_rows

    def _spread(self, table: Table, columns: tuple[str, ...], rows: int) -> str | None:
        """A SELECT of some rows from all over a table."""
        if not isinstance(self.database, CanSample) or table.row_estimate is None:
            return None
        return self.database.sample(table, self.database.source(table), self._listed(columns), rows)

    def _first(
        self, table: Table, columns: tuple[str, ...], most: int | None = None, where: str = ""
    ) -> str:
        """A SELECT of all rows; of the first ones where it is not known how many there are."""
        whole = f"SELECT {self._listed(columns)} FROM {self.database.source(table)}{where}"
        return whole if most is None or table.row_estimate is not None else f"{whole} LIMIT {most}"

    def _listed(self, columns: tuple[str, ...]) -> str:
        return ", ".join(map(self.database.quote, columns))

    def _present(self, columns: tuple[str, ...]) -> str:
        return " AND ".join(f"{self.database.quote(name)} IS NOT NULL" for name in columns)

    def _kept(
        self,
        kind: str,
        table: Table,
        columns: tuple[str, ...],
        measure: Callable[[], Fact | None],
        *more: Any,
        keep: Callable[[Fact], bool] = lambda fact: True,
    ) -> Fact | None:
        if any(table.column(name) is None for name in columns):
            return None
        key = (kind, table.schema, table.name, *columns, *map(repr, more))
        held: Fact | None = self._facts.get(key)
        if held is None:
            held = measure()
            if held is not None and keep(held):
                self._facts.put(key, held)
        return held

    def _fact(
        self, statement: str, read: Callable[[Result], Any], parameters: Parameters = None
    ) -> Fact | None:
        result = self._ask(statement, parameters, rows=2)
        if result is None:
            return None
        return Fact(read(result), statement, result.elapsed)


def _repeats(facts: ServerFacts, rows: int) -> bool:
    """The server has far fewer different values than rows: its estimates are within a tenth."""
    present = rows * (1 - (facts.null_share or 0.0))
    return facts.distinct is not None and facts.distinct < 0.8 * present
