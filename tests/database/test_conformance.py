"""What every SQL database does alike. `notimpl` marks what an engine lacks."""

from __future__ import annotations

import inspect
import json
import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module

import pytest

from groundwire.database import KINDS, CanExplain, Database, SqlDatabase, connect
from groundwire.errors import (
    Cancelled,
    GroundwireError,
    QueryError,
    QueryTimeout,
    ReadOnlyError,
    UnknownName,
    UsageError,
)
from tests.conftest import LIBRARY, NewDatabase

ENDLESS = """
WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 100000000000)
SELECT count(*) FROM numbers
"""
ONE_TO_FIVE = """
WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 5)
SELECT n FROM numbers ORDER BY n
"""


class TestResults:
    def test_rows_are_tuples_and_columns_have_names_and_types(self, sql_database: SqlDatabase):
        result = sql_database.execute('SELECT id, "fullName" FROM author ORDER BY id')
        assert result.rows[0] == (1, "Ursula K. Le Guin")
        assert [column.name for column in result.columns] == ["id", "fullName"]
        assert all(column.type for column in result.columns)
        assert result.elapsed > 0

    def test_two_columns_may_share_a_name(self, sql_database: SqlDatabase):
        result = sql_database.execute("SELECT 1 AS a, 2 AS a")
        assert [column.name for column in result.columns] == ["a", "a"]
        assert result.rows == ((1, 2),)

    def test_an_empty_result_still_has_columns(self, sql_database: SqlDatabase):
        result = sql_database.execute("SELECT id, price FROM book WHERE id < 0")
        assert [column.name for column in result.columns] == ["id", "price"]
        assert result.rows == ()
        assert not result.truncated

    @pytest.mark.parametrize(
        ("cap", "rows", "truncated"), [(0, 0, True), (4, 4, True), (5, 5, False), (6, 5, False)]
    )
    def test_a_cap_is_kept_and_said(self, sql_database: SqlDatabase, cap, rows, truncated):
        result = sql_database.execute(ONE_TO_FIVE, max_rows=cap)
        assert (len(result.rows), result.truncated) == (rows, truncated)

    def test_the_cap_is_a_setting(self, new_database: NewDatabase):
        with new_database.connect(max_rows=2) as database:
            assert database.execute(ONE_TO_FIVE).rows == ((1,), (2,))

    def test_a_capped_result_does_not_wait_for_the_rest(self, sql_database: SqlDatabase):
        started = time.perf_counter()
        endless = ENDLESS.replace("count(*)", "n")
        if sql_database.dialect == "duckdb":  # it materialises a recursive query
            endless = "SELECT * FROM range(100000000000)"
        elif sql_database.dialect == "postgres":
            endless = "SELECT 1 FROM pg_attribute a, pg_attribute b, pg_attribute c"
        result = sql_database.execute(endless, max_rows=3, timeout=20)
        assert result.truncated
        assert time.perf_counter() - started < 10

    def test_the_json_form_is_strict_json(self, sql_database: SqlDatabase):
        result = sql_database.execute("SELECT id, price, published FROM book ORDER BY id")
        form = json.loads(json.dumps(result.to_json(), allow_nan=False))
        assert form["rows"][0][:2] == [1, 9.99]
        assert form["row_count"] == 3
        assert form["truncated"] is False

    def test_the_json_form_of_a_timestamp_is_iso_8601(self, sql_database: SqlDatabase):
        result = sql_database.execute("SELECT published FROM book WHERE id = 2")
        (value,) = result.to_json()["rows"][0]
        assert value.replace(" ", "T") == "1968-11-01T12:30:00"


class TestStatements:
    @pytest.mark.parametrize(
        "text", ["SELECT 1;", "SELECT 1 ; ", "SELECT 1 -- one", "/* one */ SELECT 1;", "VALUES (1)"]
    )
    def test_one_statement_is_run_as_it_stands(self, sql_database: SqlDatabase, text):
        assert sql_database.execute(text).rows == ((1,),)

    def test_a_percent_sign_is_a_percent_sign(self, sql_database: SqlDatabase):
        text = "SELECT id FROM book WHERE note LIKE '%0\\%%' ESCAPE '\\' AND 7 % 4 = 3"
        assert sql_database.execute(text).rows == ((2,),)

    def test_numbered_parameters_are_bound_not_pasted(self, sql_database: SqlDatabase):
        text = "SELECT id, '$1' FROM author WHERE \"fullName\" = $1 AND id < $2"
        assert sql_database.execute(text, ["Nobody", 9]).rows == ((3, "$1"),)
        assert sql_database.execute(text, ["x' OR 'a' = 'a", 9]).rows == ()

    def test_a_wrong_number_of_parameters_is_a_query_error(self, sql_database: SqlDatabase):
        with pytest.raises(QueryError):
            sql_database.execute("SELECT id FROM author WHERE id = $1 AND id = $2", [1])
        assert sql_database.execute("SELECT 1").rows == ((1,),)

    @pytest.mark.parametrize("text", ["SELECT '\x00'", "SELECT '\ud800'"])
    def test_characters_that_are_no_text_are_refused(self, sql_database: SqlDatabase, text):
        with pytest.raises(QueryError, match="no text"):
            sql_database.execute(text)

    def test_limits_that_make_no_sense_are_refused(self, sql_database: SqlDatabase):
        with pytest.raises(UsageError):
            sql_database.execute("SELECT 1", max_rows=-1)
        with pytest.raises(UsageError):
            sql_database.execute("SELECT 1", timeout=0)


class TestReadOnly:
    @pytest.mark.parametrize(
        "text",
        [
            "",
            ";",
            "-- nothing",
            "SELECT 1; SELECT 2",
            "SELECT 1; DELETE FROM book",
            "INSERT INTO author VALUES (9, 'x', NULL, NULL)",
            "INSERT INTO author VALUES (9, 'x', NULL, NULL) RETURNING id",
            "UPDATE book SET price = 0",
            "DELETE FROM book",
            "DROP TABLE book",
            "DROP VIEW cheap_book",
            "CREATE TABLE t (a INTEGER)",
            "CREATE TEMP TABLE t (a INTEGER)",
            "CREATE TEMP VIEW author AS SELECT 1",
            "ALTER TABLE book ADD COLUMN x INTEGER",
            "CREATE INDEX i ON book (price)",
            "BEGIN",
            "COMMIT",
            "ROLLBACK",
            "ANALYZE",
            "VACUUM",
        ],
    )
    def test_whatever_is_no_single_read_is_refused(self, sql_database: SqlDatabase, text):
        with pytest.raises((ReadOnlyError, QueryError)) as caught:
            sql_database.execute(text)
        assert isinstance(caught.value, ReadOnlyError), caught.value
        assert caught.value.hint
        assert sql_database.execute("SELECT count(*), sum(price) > 0 FROM book").rows[0][0] == 3
        assert len(sql_database.catalog(refresh=True).tables) == 3

    def test_a_write_hidden_in_a_with_is_refused(self, sql_database: SqlDatabase):
        text = "WITH gone AS (DELETE FROM book RETURNING id) SELECT id FROM gone"
        with pytest.raises(QueryError):
            sql_database.execute(text)
        assert sql_database.execute("SELECT count(*) FROM book").rows == ((3,),)

    def test_explain_refuses_what_execute_refuses(self, sql_database: SqlDatabase):
        assert isinstance(sql_database, CanExplain)
        for text in ("", "SELECT 1; DELETE FROM book", "DELETE FROM book"):
            with pytest.raises(QueryError):
                sql_database.explain(text)
        assert sql_database.execute("SELECT count(*) FROM book").rows == ((3,),)


class TestErrors:
    @pytest.mark.parametrize(
        "text",
        [
            "SELECT * FROM missing_table",
            "SELECT missing_column FROM book",
            "SELECT b.missing_column FROM book AS b",
            "SELECT x.id FROM book AS b",
            "SELECT missing_function(id) FROM book",
            "SELECT * FROM missing_schema.book",
        ],
    )
    def test_an_unknown_name_is_an_unknown_name(self, sql_database: SqlDatabase, text):
        with pytest.raises(UnknownName, match=r"missing_\w+|x") as caught:
            sql_database.execute(text)
        assert caught.value.code
        assert caught.value.hint
        assert sql_database.execute("SELECT 1").rows == ((1,),)

    def test_wrong_syntax_is_a_query_error_in_the_servers_words(self, sql_database: SqlDatabase):
        with pytest.raises(QueryError, match="syntax error") as caught:
            sql_database.execute("SELECT id FORM book")
        assert type(caught.value) is QueryError
        assert caught.value.code

    @pytest.mark.notimpl("sqlite", reason="SQLite reads any text as a number")
    def test_a_value_of_a_wrong_type_is_a_query_error(self, sql_database: SqlDatabase):
        with pytest.raises(QueryError) as caught:
            sql_database.execute('SELECT CAST("fullName" AS INTEGER) FROM author')
        assert type(caught.value) is QueryError

    def test_a_closed_database_says_so(self, sql_database: SqlDatabase):
        sql_database.close()
        sql_database.close()
        with pytest.raises(UsageError, match="closed"):
            sql_database.execute("SELECT 1")
        with pytest.raises(UsageError, match="closed"):
            sql_database.catalog()


class TestStopping:
    def test_the_time_limit_stops_a_query(self, sql_database: SqlDatabase):
        started = time.perf_counter()
        with pytest.raises(QueryTimeout, match=r"after 0\.3 seconds") as caught:
            sql_database.execute(ENDLESS, timeout=0.3)
        assert 0.3 <= time.perf_counter() - started < 30
        assert caught.value.code
        assert sql_database.execute("SELECT 1").rows == ((1,),)

    def test_the_time_limit_is_a_setting(self, new_database: NewDatabase):
        with new_database.connect(query_timeout=0.3) as database, pytest.raises(QueryTimeout):
            database.execute(ENDLESS)

    def test_cancel_stops_a_query_from_another_thread(self, sql_database: SqlDatabase):
        timer = threading.Timer(0.3, sql_database.cancel)
        timer.start()
        with pytest.raises(Cancelled):
            sql_database.execute(ENDLESS, timeout=20)
        timer.join()
        assert sql_database.execute("SELECT 1").rows == ((1,),)

    def test_closing_stops_what_runs(self, sql_database: SqlDatabase):
        timer = threading.Timer(0.3, sql_database.close)
        timer.start()
        with pytest.raises(Cancelled):
            sql_database.execute(ENDLESS, timeout=20)
        timer.join()

    def test_cancel_of_nothing_does_nothing_later(self, sql_database: SqlDatabase):
        sql_database.cancel()
        assert sql_database.execute(ONE_TO_FIVE).rows[-1] == (5,)

    def test_ctrl_c_stops_a_query(self, sql_database: SqlDatabase):
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            sql_database.execute(ENDLESS, timeout=20)
        timer.join()
        assert sql_database.execute("SELECT 1").rows == ((1,),)

    def test_threads_take_turns(self, sql_database: SqlDatabase):
        def ask(number: int) -> object:
            return sql_database.execute(f"SELECT {number}, count(*) FROM book").rows

        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(ask, range(40))) == [((n, 3),) for n in range(40)]


class TestCatalog:
    def test_tables_and_views_with_their_exact_names(self, sql_database: SqlDatabase):
        tables = {table.name: table.kind for table in sql_database.catalog().tables}
        assert tables == {"author": "table", "book": "table", "cheap_book": "view"}

    def test_columns_keep_their_names_order_and_nullability(self, sql_database: SqlDatabase):
        book = sql_database.catalog().find("book")
        assert book is not None
        assert [(column.name, column.nullable) for column in book.columns] == [
            ("id", False),
            ("author_id", False),
            ("isbn", True),
            ("price", True),
            ("published", True),
            ("3pointplay", True),
            ("note", True),
        ]

    def test_types_are_exact(self, sql_database: SqlDatabase):
        book = sql_database.catalog().find("book")
        assert book is not None
        price, published = book.column("price"), book.column("published")
        assert price is not None
        assert published is not None
        assert price.type.replace(" ", "").lower() in ("numeric(10,2)", "decimal(10,2)")
        assert published.type.lower() in ("timestamp", "timestamp without time zone")

    def test_keys(self, sql_database: SqlDatabase):
        book = sql_database.catalog().find("book")
        assert book is not None
        assert book.primary_key == ("id",)
        assert book.unique_keys == (("isbn",),)
        (key,) = book.foreign_keys
        assert (key.columns, key.target_table, key.target_columns) == (
            ("author_id",),
            "author",
            ("id",),
        )
        assert key.target_schema == book.schema

    def test_keys_of_several_columns_keep_their_order(self, new_database: NewDatabase):
        new_database.fill(
            "CREATE TABLE p (a INTEGER, b INTEGER, c INTEGER, PRIMARY KEY (b, a), UNIQUE (c, a))",
            "CREATE TABLE f (x INTEGER, y INTEGER, FOREIGN KEY (x, y) REFERENCES p (b, a))",
            "CREATE UNIQUE INDEX i ON p (c, b)",
        )
        with new_database.connect() as database:
            p, f = database.catalog().find("p"), database.catalog().find("f")
        assert p is not None
        assert f is not None
        assert p.primary_key == ("b", "a")
        assert set(p.unique_keys) == {("c", "a"), ("c", "b")}
        assert f.foreign_keys[0].columns == ("x", "y")
        assert f.foreign_keys[0].target_columns == ("b", "a")

    def test_an_unqualified_name_is_found_along_the_search_path(self, sql_database: SqlDatabase):
        catalog = sql_database.catalog()
        assert catalog.search_path
        assert catalog.find("BOOK") is not None
        assert catalog.find("book", catalog.search_path[0]) is not None

    @pytest.mark.notimpl("duckdb", "sqlite", reason="quoted names match whatever their case")
    def test_a_quoted_name_matches_exactly(self, sql_database: SqlDatabase):
        assert sql_database.catalog().find("BOOK", quoted=True) is None

    @pytest.mark.notimpl("sqlite", reason="SQLite has one schema")
    def test_every_schema_is_read(self, new_database: NewDatabase):
        new_database.fill("CREATE SCHEMA sales", "CREATE TABLE sales.book (a INTEGER)", *LIBRARY)
        with new_database.connect() as database:
            catalog = database.catalog()
        assert "sales" in catalog.schemas
        assert len(catalog.schemas) == 2
        assert catalog.find("book", "sales") is not catalog.find("book")

    @pytest.mark.notimpl("sqlite", reason="SQLite keeps no comments")
    def test_comments(self, new_database: NewDatabase):
        new_database.fill(
            *LIBRARY,
            "COMMENT ON TABLE author IS 'Who wrote it'",
            "COMMENT ON COLUMN author.rank IS 'by sales'",
        )
        with new_database.connect() as database:
            author = database.catalog().find("author")
        assert author is not None
        assert author.comment == "Who wrote it"
        assert [column.comment for column in author.columns] == ["", "", "", "by sales"]

    @pytest.mark.notimpl("sqlite", reason="SQLite has no enums")
    def test_enum_values_in_their_order(self, new_database: NewDatabase):
        new_database.fill(
            "CREATE TYPE mood AS ENUM ('sad', 'o''k', 'happy, very')", "CREATE TABLE t (m mood)"
        )
        with new_database.connect() as database:
            table = database.catalog().find("t")
        assert table is not None
        assert table.columns[0].values == ("sad", "o'k", "happy, very")

    def test_rows_are_estimated_after_an_analysis(self, new_database: NewDatabase):
        new_database.fill(*LIBRARY, "ANALYZE")
        with new_database.connect() as database:
            book, view = database.catalog().find("book"), database.catalog().find("cheap_book")
        assert book is not None
        assert view is not None
        assert book.row_estimate == 3
        assert view.row_estimate is None

    def test_it_is_read_once(self, sql_database: SqlDatabase):
        assert sql_database.catalog() is sql_database.catalog()
        assert sql_database.catalog() is not sql_database.catalog(refresh=True)

    @pytest.mark.notimpl("duckdb", reason="an open DuckDB file cannot be changed; see test_duckdb")
    def test_it_is_read_again_when_the_schema_changed(self, new_database: NewDatabase):
        new_database.fill(*LIBRARY)
        with new_database.connect() as database:
            before = database.catalog()
            new_database.fill("ALTER TABLE book RENAME COLUMN note TO remark")
            after = database.catalog()
        assert before.version != after.version
        book = after.find("book")
        assert book is not None
        assert book.column("remark") is not None


class TestScope:
    def test_excluded_tables_and_columns_are_not_in_the_catalog(self, new_database: NewDatabase):
        new_database.fill(*LIBRARY)
        with new_database.connect(exclude=("cheap_*", "BOOK.isbn", "author.id")) as database:
            catalog = database.catalog()
        book, author = catalog.find("book"), catalog.find("author")
        assert book is not None
        assert author is not None
        assert [table.name for table in catalog.tables] == ["author", "book"]
        assert book.column("isbn") is None
        assert book.hidden_columns == 1
        assert book.unique_keys == ()
        assert book.foreign_keys == ()
        assert author.primary_key == ()

    def test_only_the_named_schemas_are_read(self, new_database: NewDatabase):
        new_database.fill(*LIBRARY)
        with new_database.connect(schemas=("elsewhere",)) as database:
            assert database.catalog().tables == ()


class TestExplaining:
    def test_a_plan_is_text_for_a_person(self, sql_database: SqlDatabase):
        assert isinstance(sql_database, CanExplain)
        plan = sql_database.explain("SELECT * FROM book WHERE id = $1", [1])
        assert plan.text

    @pytest.mark.notimpl("sqlite", reason="EXPLAIN QUERY PLAN has no numbers")
    def test_a_plan_estimates_rows(self, sql_database: SqlDatabase):
        assert isinstance(sql_database, CanExplain)
        assert sql_database.explain("SELECT * FROM book, author").rows is not None

    @pytest.mark.notimpl("duckdb", "sqlite", reason="their planners give no cost")
    def test_a_plan_has_a_cost(self, sql_database: SqlDatabase):
        assert isinstance(sql_database, CanExplain)
        assert (sql_database.explain("SELECT * FROM book").cost or 0) > 0

    def test_an_unknown_name_is_an_unknown_name(self, sql_database: SqlDatabase):
        assert isinstance(sql_database, CanExplain)
        with pytest.raises(UnknownName):
            sql_database.explain("SELECT * FROM missing_table")

    def test_planning_runs_nothing(self, sql_database: SqlDatabase):
        assert isinstance(sql_database, CanExplain)
        started = time.perf_counter()
        sql_database.explain(ENDLESS)
        assert time.perf_counter() - started < 30


def test_a_database_names_its_server(sql_database: SqlDatabase):
    assert any(character.isdigit() for character in sql_database.server_version())


def test_a_database_ends_with_its_block(new_database: NewDatabase):
    with new_database.connect() as database:
        database.execute("SELECT 1")
    with pytest.raises(UsageError):
        database.execute("SELECT 1")


@pytest.mark.parametrize("kind", ["duckdb", "sqlite", "postgresql"])
def test_methods_have_the_signatures_of_the_contract(kind):
    module, name, _ = KINDS[kind]
    driver = getattr(import_module(module), name)
    for base in (Database, SqlDatabase, *driver.__mro__):
        if base.__module__ != "groundwire.database.base":
            continue
        for method, wanted in inspect.getmembers(base, inspect.isfunction):
            if method.startswith("_"):
                continue
            given = inspect.signature(getattr(driver, method))
            assert given == inspect.signature(wanted), f"{name}.{method}"


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("oracle://host/db", "duckdb://"),
        ("sc://host", "kinds"),
        ("library.duckdb", "duckdb:///"),
        ("", "URL"),
        ("duckdb://library.duckdb", "three slashes"),
    ],
)
def test_a_url_that_is_not_served_is_a_usage_error(url, words):
    with pytest.raises(UsageError) as caught:
        connect(url)
    assert words in str(caught.value)
    assert isinstance(caught.value, GroundwireError)
