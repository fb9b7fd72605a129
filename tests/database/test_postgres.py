"""What only PostgreSQL has, on both of its versions."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

import psycopg
import pytest

from groundwire.database import SqlDatabase, connect
from groundwire.database.base import CanReportRights
from groundwire.database.postgres import PostgreSQL
from groundwire.errors import (
    AccessDenied,
    Cancelled,
    ConnectionLost,
    GroundwireError,
    QueryError,
    QueryTimeout,
    ReadOnlyError,
    Unreachable,
    UsageError,
)
from groundwire.settings import Settings
from tests.postgres_server import LOCKED_ROLE, PostgresServer

may_stop_servers = pytest.mark.skipif(
    os.name != "posix", reason="only POSIX can stop a process for a while"
)


@dataclass(frozen=True)
class Case:
    """A fresh database on a server."""

    server: PostgresServer
    url: str

    @property
    def name(self) -> str:
        return self.url.split("?")[0].rpartition("/")[2]

    def run(self, *statements: str) -> list[tuple[object, ...]]:
        """Run statements as the superuser; the rows of the last one, if it has any."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            for statement in statements:
                cursor = connection.execute(statement)  # type: ignore[call-overload]
            return cursor.fetchall() if cursor.description else []

    def connect(self, role: str = "", password: str = "", **settings: object) -> SqlDatabase:
        url = self.server.url(self.name, role, password)
        database = connect(url, Settings(**settings))  # type: ignore[arg-type]
        assert isinstance(database, SqlDatabase)
        return database


@pytest.fixture(params=["postgres", "postgres15"])
def case(request: pytest.FixtureRequest) -> Case:
    version = request.param
    server = "postgres_server" if version == "postgres" else "installed_postgres_server"
    return Case(request.getfixturevalue(server), request.getfixturevalue(f"{version}_url"))


@pytest.fixture(params=["postgres", "postgres15"], scope="module")
def shared(request: pytest.FixtureRequest) -> Iterator[Case]:
    """A database that nothing may change."""
    version = request.param
    server = request.getfixturevalue(
        "postgres_server" if version == "postgres" else "installed_postgres_server"
    )
    case = Case(server, server.create_database())
    case.run(
        "CREATE SEQUENCE s",
        "CREATE TABLE t (a INTEGER)",
        """CREATE FUNCTION write_it() RETURNS INTEGER LANGUAGE plpgsql AS
           $$BEGIN INSERT INTO t VALUES (1); RETURN 1; END$$""",
        """CREATE FUNCTION run_it(command TEXT) RETURNS INTEGER LANGUAGE plpgsql AS
           $$BEGIN EXECUTE command; RETURN 1; END$$""",
    )
    yield case
    state = case.run(
        "SELECT (SELECT count(*) FROM t), (SELECT last_value FROM s), "
        "(SELECT count(*) FROM pg_largeobject_metadata), "
        "(SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace)"
    )
    server.drop_database(case.url)
    assert state == [(0, 1, 0, 2)]


@pytest.fixture
def role(case: Case) -> Iterator[str]:
    """A role that may log in and nothing else."""
    name = f"visitor_{case.name}"
    case.run(f"CREATE ROLE {name} LOGIN")
    yield name
    case.run(f"DROP OWNED BY {name}", f"DROP ROLE {name}")


class TestConnecting:
    def test_no_server_is_unreachable(self):
        with pytest.raises(Unreachable) as caught:
            connect("postgresql://me:secret@127.0.0.1:1/d")
        assert caught.value.hint
        assert "secret" not in str(caught.value)

    def test_an_unknown_host_is_unreachable(self):
        with pytest.raises(Unreachable):
            connect("postgresql://me@host.invalid/d")

    def test_a_wrong_password_is_access_denied(self, case: Case):
        with pytest.raises(AccessDenied) as caught:
            case.connect(LOCKED_ROLE, "open barley")
        assert "barley" not in str(caught.value)

    def test_no_password_is_access_denied(self, case: Case):
        with pytest.raises(AccessDenied):
            case.connect(LOCKED_ROLE)

    def test_the_right_password_connects(self, case: Case):
        with case.connect(LOCKED_ROLE, "open sesame") as database:
            assert database.execute("SELECT current_user").rows == ((LOCKED_ROLE,),)
            assert "sesame" not in database.url

    def test_an_unknown_role_is_access_denied(self, case: Case):
        with pytest.raises(AccessDenied):
            case.connect("nobody_of_this_name")

    def test_a_missing_database_is_unreachable_by_its_name(self, case: Case):
        with pytest.raises(Unreachable, match="no such database"):
            connect(case.server.url("missing"))

    def test_a_wrong_url_is_a_usage_error(self):
        with pytest.raises(UsageError):
            connect("postgresql://host/d?nonsense=1")

    def test_the_other_spelling_of_the_scheme_works(self, case: Case):
        with connect(case.url.replace("postgresql://", "postgres://")) as database:
            assert database.execute("SELECT 1").rows == ((1,),)


class TestLosingTheServer:
    def test_a_server_that_dies_mid_query_is_a_lost_connection(self, case: Case):
        with case.connect() as database:
            process = backend(database)
            killer = threading.Timer(
                0.3, case.server.run, (f"SELECT pg_terminate_backend({process})",)
            )
            killer.start()
            with pytest.raises(ConnectionLost) as caught:
                database.execute("SELECT pg_sleep(20)")
            killer.join()
            assert caught.value.code == "57P01"
            assert database.execute("SELECT 1").rows == ((1,),)

    def test_a_connection_that_died_while_idle_is_made_anew(self, case: Case):
        with case.connect() as database:
            case.server.run(f"SELECT pg_terminate_backend({backend(database)})")
            time.sleep(0.1)
            assert database.execute("SELECT 1").rows == ((1,),)

    def test_a_query_cancelled_by_somebody_else_says_so(self, case: Case):
        with case.connect() as database:
            process = backend(database)
            other = threading.Timer(0.3, case.server.run, (f"SELECT pg_cancel_backend({process})",))
            other.start()
            with pytest.raises(Cancelled, match="on the server"):
                database.execute("SELECT pg_sleep(20)")
            other.join()

    @may_stop_servers
    @pytest.mark.parametrize(("text", "delay"), [("SELECT 1", 0), ("SELECT pg_sleep(20)", 0.2)])
    def test_a_frozen_server_does_not_hold_a_query_forever(
        self, case: Case, monkeypatch, text, delay
    ):
        monkeypatch.setattr(PostgreSQL, "grace", 0.2)
        monkeypatch.setattr(PostgreSQL, "pause", 0.2)
        with case.connect() as database:
            process = backend(database)
            freezer = threading.Timer(delay, os.kill, (process, signal.SIGSTOP))
            freezer.start()
            if not delay:
                freezer.join()
            started = time.perf_counter()
            try:
                with pytest.raises(QueryTimeout):
                    database.execute(text, timeout=0.5)
                assert time.perf_counter() - started < 10
            finally:
                freezer.join()
                os.kill(process, signal.SIGCONT)
            assert database.execute("SELECT 2").rows == ((2,),)


class TestSession:
    @pytest.mark.parametrize(
        ("disturb", "ask", "answer"),
        [
            (
                "SELECT set_config('search_path', 'elsewhere', false)",
                "SELECT current_schema()",
                "public",
            ),
            (
                "SELECT set_config('work_mem', '64kB', false)",
                "SELECT current_setting('work_mem')",
                "4MB",
            ),
            (
                "SELECT pg_advisory_lock(42)",
                "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'",
                0,
            ),
            (
                "SELECT set_config('my.secret', 'x', false)",
                "SELECT current_setting('my.secret', true)",
                None,
            ),
            (
                "SELECT run_it('PREPARE p AS SELECT 1')",
                "SELECT count(*) FROM pg_prepared_statements WHERE name = 'p'",
                0,
            ),
            (
                "SELECT run_it('DECLARE c CURSOR WITH HOLD FOR SELECT 1')",
                "SELECT count(*) FROM pg_cursors WHERE name = 'c'",
                0,
            ),
            ("SELECT run_it('LISTEN x')", "SELECT count(*) FROM pg_listening_channels()", 0),
            (
                "SELECT run_it('SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE')",
                "SELECT current_setting('transaction_read_only')",
                "on",
            ),
            (f"SELECT run_it('SET ROLE {LOCKED_ROLE}')", "SELECT current_user", "postgres"),
            (
                "SELECT run_it('SET standard_conforming_strings = off')",
                "SELECT length('\\n')",
                2,
            ),
        ],
    )
    def test_nothing_that_a_query_does_to_its_session_stays(
        self, shared: Case, disturb, ask, answer
    ):
        with shared.connect() as database:
            database.execute(disturb)
            ((given,),) = database.execute(ask).rows
        assert (given or None) == (answer or None)

    def test_a_database_with_old_string_rules_reads_strings_as_the_guard_does(self, case: Case):
        case.run(f"ALTER DATABASE {case.name} SET standard_conforming_strings = off")
        with case.connect() as database:
            assert database.execute("SELECT '\\', 'x'").rows == (("\\", "x"),)

    @pytest.mark.parametrize(
        "text",
        [
            "SELECT run_it('CREATE TEMP TABLE mine (a INTEGER)')",
            "SELECT run_it('SET TRANSACTION READ WRITE')",
            "SELECT set_config('transaction_read_only', 'off', true)",
            "SELECT set_config('default_transaction_read_only', 'off', false), nextval('s')",
            "SELECT nextval('s')",
            "SELECT write_it()",
            "SELECT * FROM t FOR UPDATE",
            "SELECT lo_create(4242)",
        ],
    )
    def test_a_function_that_writes_is_stopped_by_the_server(self, shared: Case, text):
        with shared.connect() as database:
            if "lo_create" in text and "PostgreSQL 15" in database.server_version():
                database.execute(text)  # it takes effect there, until the rollback
            else:
                with pytest.raises(ReadOnlyError):
                    database.execute(text)

    @pytest.mark.parametrize(
        "text",
        [
            "SET TRANSACTION READ WRITE",
            "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE",
            "COMMIT AND CHAIN",
            "PREPARE p AS SELECT 1",
            "DECLARE c CURSOR WITH HOLD FOR SELECT 1",
            "LISTEN x",
            "NOTIFY x",
            "DO $$BEGIN END$$",
            "COPY (SELECT 1) TO STDOUT",
            "COPY (SELECT 1) TO PROGRAM 'touch /tmp/groundwire-was-here'",
            "EXPLAIN ANALYZE SELECT 1",
            "SHOW search_path",
            "SELECT 1 INTO TABLE t2",
            "CREATE TABLE t2 AS SELECT 1",
            "LOCK TABLE pg_class",
            "WITH new AS (SELECT 1) INSERT INTO t SELECT * FROM new",
        ],
    )
    def test_what_is_no_select_is_not_even_tried(self, shared: Case, text):
        with shared.connect() as database, pytest.raises(ReadOnlyError) as caught:
            database.execute(text)
        assert caught.value.code == "NOT_READ_ONLY"

    def test_a_write_in_a_with_is_refused_before_it_runs(self, shared: Case):
        with shared.connect() as database, pytest.raises(ReadOnlyError, match="changes data"):
            database.execute("WITH i AS (INSERT INTO t VALUES (1) RETURNING a) SELECT * FROM i")

    def test_named_parameters_are_a_usage_error(self, case: Case):
        with case.connect() as database, pytest.raises(UsageError, match="named"):
            database.execute("SELECT $1", {"a": 1})

    def test_text_that_is_not_utf8_is_a_query_error(self, case: Case):
        name = f"ascii_{case.name}"
        case.server.run(
            f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'"
        )
        url = case.server.url(name)
        with connect(url) as database, pytest.raises(QueryError) as caught:
            database.execute("SELECT convert_from('\\xff'::bytea, 'SQL_ASCII')")
        case.server.drop_database(url)
        assert caught.value.code == "22021"

    def test_a_table_that_the_role_may_not_read_is_access_denied(self, case: Case, role: str):
        case.run("CREATE TABLE secret (a INTEGER)")
        with case.connect(role) as database, pytest.raises(AccessDenied) as caught:
            database.execute("SELECT * FROM secret")
        assert caught.value.code == "42501"
        assert "GRANT" in caught.value.hint


CHANGES = (
    "ALTER TABLE t RENAME TO t2",
    "ALTER TABLE t RENAME COLUMN a TO b",
    "ALTER TABLE t ADD COLUMN c INTEGER",
    "ALTER TABLE t DROP COLUMN a",
    "ALTER TABLE t ALTER COLUMN a SET NOT NULL",
    "ALTER TABLE t ADD PRIMARY KEY (a)",
    "CREATE UNIQUE INDEX ON t (a)",
    "COMMENT ON COLUMN t.a IS 'new'",
    "COMMENT ON TABLE t IS 'new'",
    "ALTER TYPE mood ADD VALUE 'happy'",
    "ALTER TYPE mood RENAME VALUE 'sad' TO 'blue'",
    "ALTER TYPE mood RENAME TO temper",
    "CREATE VIEW v AS SELECT 1 AS one",
    "ALTER SCHEMA s RENAME TO s2",
    "DROP TABLE s.u",
    "ALTER TABLE t SET SCHEMA s",
)


class TestCatalog:
    def test_every_kind_of_table_is_told_apart_and_partitions_are_left_out(self, case: Case):
        case.run(
            "CREATE TABLE plain (a INTEGER)",
            "CREATE VIEW seen AS SELECT * FROM plain",
            "CREATE MATERIALIZED VIEW kept AS SELECT 1 AS one",
            "CREATE UNIQUE INDEX ON kept (one)",
            "CREATE TABLE parted (a INTEGER, made DATE) PARTITION BY RANGE (made)",
            "CREATE TABLE parted_2020 PARTITION OF parted "
            "FOR VALUES FROM ('2020-01-01') TO ('2021-01-01')",
            "INSERT INTO parted SELECT i, '2020-05-05' FROM generate_series(1, 50) AS i",
            "ANALYZE parted_2020",
            "CREATE FOREIGN DATA WRAPPER nowhere",
            "CREATE SERVER there FOREIGN DATA WRAPPER nowhere",
            "CREATE FOREIGN TABLE abroad (a INTEGER) SERVER there",
        )
        with case.connect() as database:
            catalog = database.catalog()
        assert {table.name: table.kind for table in catalog.tables} == {
            "abroad": "foreign table",
            "kept": "materialized view",
            "parted": "partitioned table",
            "plain": "table",
            "seen": "view",
        }
        parted, kept = catalog.find("parted"), catalog.find("kept")
        assert parted is not None
        assert kept is not None
        assert parted.row_estimate == 50
        assert kept.unique_keys == (("one",),)

    def test_types_are_in_the_servers_own_words(self, case: Case):
        case.run(
            "CREATE TYPE mood AS ENUM ('sad', 'ok')",
            "CREATE DOMAIN short AS VARCHAR(3)",
            "CREATE DOMAIN feeling AS mood",
            "CREATE TABLE t (a NUMERIC(10,2), b TIMESTAMPTZ(3), c TEXT[], d mood, e short,"
            " f mood[], g feeling, h BIT(4), i INTERVAL DAY TO SECOND)",
        )
        with case.connect() as database:
            (t,) = database.catalog().tables
        assert [(column.type, column.values) for column in t.columns] == [
            ("numeric(10,2)", ()),
            ("timestamp(3) with time zone", ()),
            ("text[]", ()),
            ("mood", ("sad", "ok")),
            ("short", ()),
            ("mood[]", ("sad", "ok")),
            ("feeling", ("sad", "ok")),
            ("bit(4)", ()),
            ("interval day to second", ()),
        ]

    def test_arrays_of_own_types_are_arrays(self, case: Case):
        case.run("CREATE TYPE mood AS ENUM ('sad', 'very ok')")
        with case.connect() as database:
            for _ in range(2):
                result = database.execute("SELECT '{sad,\"very ok\",NULL}'::mood[], 'sad'::mood")
                assert result.rows == ((["sad", "very ok", None], "sad"),)
                assert [column.type for column in result.columns] == ["mood[]", "mood"]

    def test_indexes_that_are_no_keys_are_not_taken_for_keys(self, case: Case):
        case.run(
            "CREATE TABLE t (a INTEGER, b TEXT, c INTEGER)",
            "CREATE UNIQUE INDEX ON t (a) WHERE b = 'x'",
            "CREATE UNIQUE INDEX ON t (lower(b))",
            "CREATE UNIQUE INDEX ON t (c) INCLUDE (a)",
        )
        with case.connect() as database:
            (t,) = database.catalog().tables
        assert t.unique_keys == (("c",),)

    def test_only_what_the_role_may_read_is_in_the_catalog(self, case: Case, role: str):
        case.run(
            "CREATE SCHEMA closed",
            "CREATE TABLE closed.a (x INTEGER)",
            f"GRANT SELECT ON closed.a TO {role}",
            "CREATE TABLE hidden (x INTEGER)",
            "CREATE TABLE open (x INTEGER PRIMARY KEY, y INTEGER)",
            f"GRANT SELECT ON open TO {role}",
            "CREATE TABLE partly (x INTEGER REFERENCES open, salary INTEGER)",
            f"GRANT SELECT (x) ON partly TO {role}",
        )
        with case.connect(role) as database:
            catalog = database.catalog()
        shown = {table.name: [c.name for c in table.columns] for table in catalog.tables}
        assert shown == {"open": ["x", "y"], "partly": ["x"]}

    def test_every_change_of_the_schema_is_noticed(self, case: Case):
        for change in CHANGES:
            case.run(
                "DROP SCHEMA IF EXISTS s, s2 CASCADE",
                "DROP SCHEMA public CASCADE",
                "CREATE SCHEMA public",
                "CREATE TYPE mood AS ENUM ('sad', 'ok')",
                "CREATE TABLE t (a INTEGER, m mood)",
                "CREATE SCHEMA s",
                "CREATE TABLE s.u (a INTEGER)",
            )
            with case.connect() as database:
                before = database.catalog()
                case.run(change)
                assert database.catalog() is not before, change

    def test_a_change_that_began_before_is_noticed_when_it_is_committed(self, case: Case):
        with case.connect() as database, psycopg.connect(case.url) as other:
            other.execute("CREATE TABLE begun (a INTEGER)")
            with other.transaction():
                other.execute("CREATE TABLE inside (a INTEGER)")
            assert database.catalog().tables == ()
            other.commit()
            assert [table.name for table in database.catalog().tables] == ["begun", "inside"]

    def test_a_change_while_the_session_was_lost_is_noticed(self, case: Case):
        with case.connect() as database:
            assert database.catalog().tables == ()
            case.run(
                "CREATE TABLE t (a INTEGER)",
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE application_name = 'groundwire' AND datname = current_database()",
            )
            assert len(database.catalog().tables) == 1

    def test_a_new_grant_is_noticed(self, case: Case, role: str):
        case.run("CREATE TABLE t (a INTEGER)")
        with case.connect(role) as database:
            assert database.catalog().tables == ()
            case.run(f"GRANT SELECT ON t TO {role}")
            assert len(database.catalog().tables) == 1

    def test_new_rows_are_no_change_of_the_schema(self, case: Case):
        case.run("CREATE TABLE t (a INTEGER)")
        with case.connect() as database:
            before = database.catalog()
            with psycopg.connect(case.url, autocommit=True) as other:
                other.execute("INSERT INTO t VALUES (1)")
                other.execute("CREATE TEMP TABLE mine (a INTEGER PRIMARY KEY)")
                assert database.catalog() is before


class TestRights:
    def rights(self, case: Case, role: str):
        with case.connect(role) as database:
            assert isinstance(database, CanReportRights)
            return database.rights()

    def test_a_superuser_can_write(self, case: Case):
        rights = self.rights(case, "")
        assert rights.superuser
        assert rights.can_write

    def test_a_role_that_only_reads_cannot_write(self, case: Case, role: str):
        case.run("CREATE TABLE t (a INTEGER)", f"GRANT SELECT ON t TO {role}")
        rights = self.rights(case, role)
        assert (rights.role, rights.can_write, rights.superuser) == (role, False, False)
        assert rights.details == ()

    @pytest.mark.parametrize(
        ("grant", "words"),
        [
            ("GRANT INSERT ON t TO {role}", "INSERT on 1 table, such as public.t"),
            ("GRANT UPDATE (a) ON t TO {role}", "UPDATE"),
            ("GRANT TRUNCATE ON t TO {role}", "TRUNCATE"),
            ("ALTER TABLE t OWNER TO {role}", "owns 1 table"),
            ("GRANT CREATE ON SCHEMA public TO {role}", "create objects in schema public"),
            ("GRANT pg_write_all_data TO {role}", "pg_write_all_data"),
            ("GRANT pg_execute_server_program TO {role}", "pg_execute_server_program"),
            ("ALTER ROLE {role} CREATEROLE", "CREATEROLE"),
            ("ALTER ROLE {role} CREATEDB", "CREATEDB"),
        ],
    )
    def test_a_role_that_could_write_is_told(self, case: Case, role: str, grant, words):
        case.run("CREATE TABLE t (a INTEGER)", grant.format(role=role))
        rights = self.rights(case, role)
        assert rights.can_write
        assert any(words in detail for detail in rights.details), rights.details

    def test_rights_of_a_role_that_it_may_become_count(self, case: Case, role: str):
        writer = f"writer_{case.name}"
        case.run(
            "CREATE TABLE t (a INTEGER)",
            f"CREATE ROLE {writer}",
            f"GRANT DELETE ON t TO {writer}",
            f"ALTER ROLE {role} NOINHERIT",
            f"GRANT {writer} TO {role}",
        )
        try:
            assert self.rights(case, role).can_write
        finally:
            case.run(f"DROP OWNED BY {writer}", f"DROP ROLE {writer}")

    def test_reading_files_of_the_server_is_told_but_is_no_writing(self, case: Case, role: str):
        case.run(f"GRANT pg_read_server_files TO {role}")
        rights = self.rights(case, role)
        assert not rights.can_write
        assert any("pg_read_server_files" in detail for detail in rights.details)

    def test_the_remedy_makes_a_role_that_reads_and_cannot_write(self, case: Case):
        case.run('CREATE SCHEMA "My Schema"', 'CREATE TABLE "My Schema"."T" (a INTEGER)')
        remedy = self.rights(case, "").remedy
        case.run(*filter(None, remedy.split("\n")))
        try:
            rights = self.rights(case, "groundwire_reader")
            assert (rights.can_write, rights.details) == (False, ())
            with case.connect("groundwire_reader") as database:
                assert database.execute('SELECT * FROM "My Schema"."T"').rows == ()
        finally:
            case.run("DROP OWNED BY groundwire_reader", "DROP ROLE groundwire_reader")


def test_the_cost_ceiling_can_be_read_from_a_plan(case: Case):
    case.run("CREATE TABLE t AS SELECT i FROM generate_series(1, 1000) AS i", "ANALYZE t")
    with case.connect() as database:
        assert isinstance(database, PostgreSQL)
        one = database.explain("SELECT * FROM t WHERE i = $1", [5])
        many = database.explain("SELECT * FROM t AS a, t AS b")
    assert one.rows == 1
    assert many.rows == 1_000_000
    assert one.cost is not None
    assert many.cost is not None
    assert many.cost > one.cost
    assert "Seq Scan" in many.text


def backend(database: SqlDatabase) -> int:
    ((process,),) = database.execute("SELECT pg_backend_pid()").rows
    assert isinstance(process, int)
    return process


def test_every_error_has_a_code_and_says_who_must_act(case: Case):
    with case.connect() as database, pytest.raises(GroundwireError) as caught:
        database.execute("SELECT 1/0")
    assert caught.value.to_json()["code"] == "22012"
    assert caught.value.who == "model"
