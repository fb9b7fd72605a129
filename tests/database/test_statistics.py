"""Facts of stored data: exact on small tables, the server's or a sample's on large ones."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from groundwire.database import SqlDatabase, Table, statistics
from groundwire.database.measuring import CanSample
from groundwire.database.result import Result
from groundwire.database.statistics import Fact, Statistics
from tests.conftest import NewDatabase

MANY = 6_000


class Asker:
    """Asks the database and remembers what was asked."""

    def __init__(self, database: SqlDatabase) -> None:
        self.database = database
        self.asked: list[str] = []

    def __call__(self, statement: str, parameters: object = None, *, rows: int = 10) -> Result:
        self.asked.append(statement)
        return self.database.execute(statement, parameters, max_rows=rows)  # type: ignore[arg-type]


class Measured:
    """The statistics of one table of a database."""

    def __init__(self, database: SqlDatabase, table: str) -> None:
        self.asker = Asker(database)
        self.table = self.of(table)

    @property
    def statistics(self) -> Statistics:
        """As the guard makes them for a draft."""
        database = self.asker.database
        return Statistics(database, self.asker, database.catalog())

    def of(self, name: str) -> Table:
        found = self.asker.database.catalog().find(name)
        assert found is not None
        return found


@pytest.fixture
def small(new_database: NewDatabase) -> Callable[..., Measured]:
    new_database.fill(
        "CREATE TABLE parent (id integer PRIMARY KEY, code text)",
        "CREATE TABLE child (parent_id integer, name text, weight text, secret text)",
        "INSERT INTO parent VALUES (1, 'a'), (2, 'b'), (3, NULL)",
        "INSERT INTO child VALUES (1, 'x', '10', 's'), (1, 'y', ' 2.5', 's'), (9, NULL, '-7', 's')",
    )

    def measured(table: str, **settings: object) -> Measured:
        return Measured(new_database.connect(**settings), table)

    return measured


@pytest.fixture
def large(new_database: NewDatabase, monkeypatch: pytest.MonkeyPatch) -> Measured:
    """A table that counts as large, with columns that differ in how often a value comes again."""
    digits = " UNION ALL ".join(f"SELECT {i} AS d" for i in range(10))
    number = "a.d + 10 * b.d + 100 * c.d + 1000 * e.d"
    new_database.fill(
        "CREATE TABLE big (id integer, half integer, code text, hole integer, full_text text)",
        f"INSERT INTO big SELECT n, n % {MANY // 2}, 'c' || (n % 7), "
        "CASE WHEN n % 4 = 0 THEN NULL ELSE n END, "
        "CASE WHEN n = 5000 THEN 'n/a' ELSE '' || n END "
        f"FROM (SELECT {number} AS n FROM ({digits}) a, ({digits}) b, ({digits}) c, "
        f"({digits}) e) x "
        f"WHERE n < {MANY}",
        "CREATE TABLE few (half integer)",
        f"INSERT INTO few SELECT id FROM big WHERE id < {MANY // 4}",
        "ANALYZE",
    )
    if new_database.engine == "sqlite":
        new_database.fill("CREATE INDEX by_id ON big (id)", "CREATE INDEX by_code ON big (code)")
        new_database.fill("ANALYZE")
    monkeypatch.setattr(CanSample, "exact_rows", 1_000)
    for name, rows in (("UNIQUE_SAMPLE", 2_000), ("SAMPLE_ROWS", 2_000), ("SORTED_ROWS", 3_000)):
        monkeypatch.setattr(statistics, name, rows)
    database = new_database.connect()
    monkeypatch.setattr(type(database), "exact_rows", 1_000)
    measured = Measured(database, "big")
    assert measured.table.row_estimate is not None
    assert measured.table.row_estimate > 1_000
    return measured


def value(fact: Fact | None) -> object:
    assert fact is not None
    return fact.value


def test_a_declared_key_is_unique_without_a_question(small: Callable[..., Measured]) -> None:
    measured = small("parent")
    fact = measured.statistics.is_unique(measured.table, ("id", "code"))
    assert fact == Fact(True)
    assert not measured.asker.asked


def test_a_column_is_unique_if_no_value_comes_again(small: Callable[..., Measured]) -> None:
    measured = small("child")
    assert value(measured.statistics.is_unique(measured.table, ("parent_id",))) is False
    assert value(measured.statistics.is_unique(measured.table, ("name",))) is True
    assert value(measured.statistics.is_unique(measured.table, ("parent_id", "name"))) is True


def test_rows_without_a_value_are_counted(small: Callable[..., Measured]) -> None:
    measured = small("child")
    fact = measured.statistics.nulls(measured.table, "name")
    assert value(fact) == (1, 3)
    assert fact is not None
    assert fact.statement in measured.asker.asked
    assert fact.sampled is None


def test_small_facts_are_exact(small: Callable[..., Measured]) -> None:
    measured = small("child")
    facts, child, parent = measured.statistics, measured.table, measured.of("parent")
    assert value(facts.row_count(child)) == 3
    assert value(facts.distinct(child, "parent_id")) == 2
    assert value(facts.extremes(child, "parent_id")) == (1, 9)
    assert value(facts.holds(child, "name", "x")) is True
    assert value(facts.holds(child, "name", "X")) is False
    assert value(facts.containment(child, "parent_id", parent, "id")) == (1, 2)


def test_texts_that_are_all_numbers_are_told(small: Callable[..., Measured]) -> None:
    measured = small("child")
    numbers = value(measured.statistics.numbers(measured.table, "weight"))
    assert numbers == statistics.Numbers(values=3, numbers=3, whole=2, shortest=2, longest=4)
    assert numbers.all
    assert not value(measured.statistics.numbers(measured.table, "name")).all  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "is_number", "is_whole"),
    [
        ("12", True, True),
        ("+12", True, True),
        (" -3 ", True, True),
        ("2.5", True, False),
        (".5", True, False),
        ("5.", True, False),
        ("", False, False),
        (".", False, False),
        ("-", False, False),
        ("1,000", False, False),
        ("1.2.3", False, False),
        ("1e5", False, False),
        ("12a", False, False),
        ("--1", False, False),
        ("1-2", False, False),
    ],
)
def test_what_reads_as_a_number(
    sql_database: SqlDatabase, text: str, is_number: bool, is_whole: bool
) -> None:
    number = sql_database.reads_as_number("t.v")  # type: ignore[attr-defined]
    whole = sql_database.reads_as_number("t.v", whole=True)  # type: ignore[attr-defined]
    found = sql_database.execute(
        f"SELECT CASE WHEN {number} THEN 1 ELSE 0 END, CASE WHEN {whole} THEN 1 ELSE 0 END "
        "FROM (SELECT CAST($1 AS varchar(20)) AS v) t",
        [text],
    )
    assert found.rows[0] == (int(is_number), int(is_whole))


def test_a_fact_is_asked_once_for_all_drafts(small: Callable[..., Measured]) -> None:
    measured = small("child")
    first = measured.statistics.nulls(measured.table, "name")
    database = measured.asker.database
    other = Statistics(database, measured.asker, database.catalog())
    assert other.nulls(measured.table, "name") == first
    assert len(measured.asker.asked) == 1


def test_a_fact_that_is_too_old_is_asked_again(small: Callable[..., Measured]) -> None:
    measured = small("child", statistics_age=0.0)
    measured.statistics.nulls(measured.table, "name")
    measured.statistics.nulls(measured.table, "name")
    assert len(measured.asker.asked) == 2


def test_that_a_value_is_absent_is_never_kept(small: Callable[..., Measured]) -> None:
    measured = small("child")
    for _ in range(2):
        measured.statistics.holds(measured.table, "name", "absent")
        measured.statistics.holds(measured.table, "name", "x")
    assert len(measured.asker.asked) == 3


def test_a_changed_catalog_makes_facts_anew(
    small: Callable[..., Measured], new_database: NewDatabase
) -> None:
    measured = small("child")
    if new_database.engine == "duckdb":
        measured.asker.database.close()
        pytest.skip("DuckDB lets nobody write while it is open for reading")
    measured.statistics.nulls(measured.table, "name")
    new_database.fill(
        "CREATE TABLE another (a integer)", "INSERT INTO child VALUES (4, NULL, '', '')"
    )
    assert value(measured.statistics.nulls(measured.table, "name")) == (2, 4)


def test_nothing_is_asked_of_an_excluded_column(small: Callable[..., Measured]) -> None:
    whole = small("child").table
    measured = small("child", exclude=("child.secret",))
    facts = measured.statistics
    for table in (whole, measured.table):
        for fact in (
            facts.nulls(measured.table, "secret"),
            facts.is_unique(measured.table, ("name", "secret")),
            facts.holds(measured.table, "secret", "s"),
            facts.numbers(measured.table, "secret"),
            facts.distinct(measured.table, "secret"),
            facts.extremes(measured.table, "secret"),
            facts.containment(measured.table, "name", measured.table, "secret"),
            facts.server_facts(measured.table, "secret"),
        ):
            assert fact is None, table
    assert not measured.asker.asked


def test_two_alike_in_a_sample_decide(large: Measured) -> None:
    fact = large.statistics.is_unique(large.table, ("code",))
    assert value(fact) is False
    assert fact is not None
    assert fact.sampled is None
    assert len(large.asker.asked) == 1


def test_a_large_unique_column_is_told_with_what_a_sample_can_miss(large: Measured) -> None:
    fact = large.statistics.is_unique(large.table, ("id",))
    assert value(fact) is True
    assert fact is not None
    assert fact.sampled
    assert fact.sampled < MANY
    assert fact.interval is not None
    assert 0 < fact.interval[1] < 0.1


def test_a_value_that_comes_twice_is_not_taken_for_unique(large: Measured) -> None:
    assert value(large.statistics.is_unique(large.table, ("half",))) is False


def test_the_share_of_missing_values_lies_in_the_stated_interval(large: Measured) -> None:
    fact = large.statistics.nulls(large.table, "hole")
    assert fact is not None
    nulls, rows = fact.value
    assert abs(nulls / rows - 0.25) < 0.05
    assert fact.sampled
    assert fact.interval is not None
    assert fact.interval[0] <= nulls / rows <= fact.interval[1]


def test_that_no_value_is_missing_is_exact(large: Measured) -> None:
    fact = large.statistics.nulls(large.table, "id")
    assert fact is not None
    assert fact.value[0] == 0
    assert fact.sampled is None


def test_few_values_of_a_large_column_are_looked_for(large: Measured) -> None:
    fact = large.statistics.containment(large.table, "half", large.of("few"), "half")
    assert fact is not None
    met, values = fact.value
    assert fact.interval is not None
    assert fact.interval[0] <= 0.5 <= fact.interval[1]
    assert met < values < MANY


def test_one_text_among_many_is_seen_in_the_whole_table(large: Measured) -> None:
    assert not value(large.statistics.numbers(large.table, "full_text")).all  # type: ignore[attr-defined]


def test_the_server_says_how_many_values_differ(large: Measured) -> None:
    fact = large.statistics.distinct(large.table, "code")
    assert fact is not None
    assert 6 <= fact.value <= 8
    assert fact.sampled
    assert not large.asker.asked
