"""Calls that no call shows: each is found on a real PostgreSQL, of both versions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from groundwire.database import SqlDatabase, connect
from groundwire.guard import Guard
from tests.fixture_pairs import read_pairs
from tests.guard.verdicts import differences
from tests.postgres_server import PostgresServer

FIXTURES = Path(__file__).parent / "fixtures"
LONG = "a_function_with_a_name_of_exactly_sixty_three_characters_in_it_"
ALWAYS = "LANGUAGE sql IMMUTABLE AS"
SCHEMA = f"""
CREATE TABLE log (n integer);
CREATE FUNCTION effect() RETURNS integer LANGUAGE plpgsql AS
    'BEGIN INSERT INTO public.log VALUES (1); RETURN 1; END';
CREATE FUNCTION effect(a integer) RETURNS boolean LANGUAGE sql AS 'SELECT public.effect() = a';
CREATE FUNCTION effect(a integer, b integer) RETURNS boolean LANGUAGE sql AS 'SELECT a = b';
CREATE FUNCTION contains(a integer, b integer) RETURNS boolean {ALWAYS} 'SELECT a >= b';
CREATE FUNCTION status(a integer) RETURNS integer LANGUAGE sql AS 'SELECT effect()';
CREATE TABLE item (price integer, status text);
INSERT INTO item VALUES (1, 'x'), (2, 'y');
CREATE FUNCTION row_effect(r item) RETURNS integer LANGUAGE sql AS 'SELECT effect()';
CREATE FUNCTION row_price(r item) RETURNS integer {ALWAYS} 'SELECT r.price';

CREATE OPERATOR @@@ (leftarg = integer, rightarg = integer, function = effect);
CREATE OPERATOR @-@ (leftarg = integer, rightarg = integer, function = effect);
CREATE OPERATOR ~~ (leftarg = integer, rightarg = integer, function = effect);
CREATE OPERATOR @> (leftarg = integer, rightarg = integer, function = contains);
CREATE TYPE mood AS ENUM ('low', 'high');
CREATE FUNCTION add_mood(a mood, b mood) RETURNS integer LANGUAGE sql AS 'SELECT effect()';
CREATE OPERATOR + (leftarg = mood, rightarg = mood, function = add_mood);
CREATE FUNCTION mood_number(a mood) RETURNS integer LANGUAGE sql AS 'SELECT effect()';
CREATE CAST (mood AS integer) WITH FUNCTION mood_number(mood);
CREATE TABLE person (name text, mood mood);
CREATE TYPE colour AS ENUM ('red', 'blue');
CREATE FUNCTION colour_text(a colour) RETURNS text LANGUAGE sql AS 'SELECT effect()::text';
CREATE CAST (colour AS text) WITH FUNCTION colour_text(colour) AS IMPLICIT;
CREATE TABLE paint (colour colour);

CREATE DOMAIN checked AS integer CHECK (effect(VALUE));
CREATE DOMAIN over_checked AS checked;
CREATE DOMAIN zip AS text CHECK (VALUE ~ '^[0-9]+$' AND length(VALUE) = 5);
CREATE TYPE pair AS (a checked, b integer);
CREATE TABLE stored (a checked);
CREATE FUNCTION takes_checked(a checked) RETURNS integer {ALWAYS} 'SELECT 1';

CREATE FUNCTION add_effect(a integer, b integer) RETURNS integer LANGUAGE sql
    AS 'SELECT effect() + a + b';
CREATE FUNCTION last(a integer) RETURNS integer LANGUAGE sql AS 'SELECT effect()';
CREATE FUNCTION multiply(a integer, b integer) RETURNS integer {ALWAYS} 'SELECT a * b';
CREATE AGGREGATE sum_effect(integer) (sfunc = add_effect, stype = integer, initcond = '0');
CREATE AGGREGATE end_effect(integer) (sfunc = multiply, stype = integer, finalfunc = last);
CREATE AGGREGATE product(integer) (sfunc = multiply, stype = integer, initcond = '1');
CREATE FUNCTION with_default(a integer, b integer DEFAULT effect()) RETURNS integer
    {ALWAYS} 'SELECT a';
CREATE FUNCTION {LONG}() RETURNS integer LANGUAGE sql AS 'SELECT effect()';
CREATE FUNCTION "1st"() RETURNS integer LANGUAGE sql AS 'SELECT effect()';
CREATE FUNCTION "Été"() RETURNS integer LANGUAGE sql AS 'SELECT effect()';
CREATE FUNCTION "ÉtÉ"() RETURNS integer LANGUAGE sql AS 'SELECT effect()';

CREATE VIEW seen AS SELECT effect() AS n;
CREATE VIEW seen_again AS SELECT n FROM (SELECT * FROM seen) AS s;
CREATE VIEW seen_locked AS SELECT 1 AS n WHERE pg_advisory_lock(1) IS NOT NULL;
CREATE VIEW seen_by_operator AS SELECT price AS n FROM item WHERE price @@@ 1;
CREATE VIEW seen_by_domain AS SELECT price::checked AS n FROM item;
CREATE MATERIALIZED VIEW kept AS SELECT n FROM seen WITH NO DATA;
CREATE VIEW over_kept AS SELECT n FROM kept;
CREATE VIEW ordinary AS SELECT price, random() AS roll, now() AS at FROM item WHERE price @> 1;
CREATE TABLE guarded_rows (n integer);
CREATE TABLE tenant_rows (n integer);
CREATE TABLE written_rows (n integer);
ALTER TABLE guarded_rows ENABLE ROW LEVEL SECURITY;
ALTER TABLE tenant_rows ENABLE ROW LEVEL SECURITY;
ALTER TABLE written_rows ENABLE ROW LEVEL SECURITY;
CREATE POLICY p ON guarded_rows USING (effect(n));
CREATE POLICY p ON tenant_rows USING (n::text = current_setting('my.tenant', true));
CREATE POLICY p ON written_rows FOR INSERT WITH CHECK (effect(n));
"""


class Place:
    """A database with the schema, as a role sees it that may read everything in it."""

    def __init__(self, server: PostgresServer) -> None:
        self.server = server
        self.url = server.create_database()
        self.name = self.url.split("?")[0].rpartition("/")[2]
        self.role = f"reader_{self.name}"
        self.run(
            f"CREATE ROLE {self.role} LOGIN",
            SCHEMA,
            f"CREATE VIEW seen_by_policy AS SELECT n FROM guarded_rows; "
            f"GRANT CREATE ON SCHEMA public TO {self.role}; "
            f"ALTER VIEW seen_by_policy OWNER TO {self.role}",
            f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {self.role}",
            "REFRESH MATERIALIZED VIEW kept",
            "TRUNCATE log",
        )

    def run(self, *statements: str) -> list[tuple[object, ...]]:
        with psycopg.connect(self.url, autocommit=True) as connection:
            for statement in statements:
                cursor = connection.execute(statement)  # type: ignore[call-overload]
            return cursor.fetchall() if cursor.description else []

    def drop(self) -> None:
        self.run(f"DROP OWNED BY {self.role}", f"DROP ROLE {self.role}")
        self.server.drop_database(self.url)


@pytest.fixture(params=["postgres_server", "installed_postgres_server"], scope="module")
def place(request: pytest.FixtureRequest) -> Iterator[Place]:
    place = Place(request.getfixturevalue(request.param))
    yield place
    place.drop()


@pytest.fixture
def database(place: Place) -> Iterator[SqlDatabase]:
    database = connect(place.server.url(place.name, place.role))
    assert isinstance(database, SqlDatabase)
    with database:
        yield database


def test_what_a_name_hides_counts_as_called(place: Place, database: SqlDatabase) -> None:
    guard = Guard(database)
    wrong = [
        difference
        for pair in read_pairs(FIXTURES / "hidden_calls.txt")
        for difference in differences(guard.check(pair.draft), pair)
    ]
    assert not wrong, "\n".join(wrong)
    assert place.run("SELECT count(*) FROM log") == [(0,)]


def test_what_is_admitted_can_be_run(database: SqlDatabase) -> None:
    for pair in read_pairs(FIXTURES / "hidden_calls.txt"):
        if pair.verdict == "admitted":
            database.execute(pair.draft)


def test_a_change_of_what_a_name_hides_is_noticed(place: Place, database: SqlDatabase) -> None:
    guard = Guard(database)
    assert guard.check("SELECT contains(1, 2)").ok
    place.run("ALTER FUNCTION contains(integer, integer) VOLATILE")
    try:
        assert not guard.check("SELECT contains(1, 2)").ok
        assert not guard.check("SELECT price FROM item WHERE price @> 1").ok
        assert not guard.check("SELECT price FROM ordinary").ok
    finally:
        place.run("ALTER FUNCTION contains(integer, integer) IMMUTABLE")
    assert guard.check("SELECT price FROM ordinary").ok


def test_a_view_that_is_replaced_between_two_drafts_is_judged_anew(
    place: Place, database: SqlDatabase
) -> None:
    guard, draft = Guard(database), "SELECT price FROM ordinary"
    body = "roll, now() AS at FROM item WHERE price @> 1"
    assert guard.check(draft).ok
    place.run(f"CREATE OR REPLACE VIEW ordinary AS SELECT price, effect()::float8 AS {body}")
    try:
        assert not guard.check(draft).ok
    finally:
        place.run(f"CREATE OR REPLACE VIEW ordinary AS SELECT price, random() AS {body}")
    assert guard.check(draft).ok


def test_a_policy_does_not_count_for_a_role_that_it_does_not_hold(place: Place) -> None:
    with connect(place.url) as database:
        assert Guard(database).check("SELECT n FROM guarded_rows").ok


EXTENSIONS = {
    "citext": ["SELECT 'a'::citext = 'A'", "SELECT count(DISTINCT name::citext) FROM person"],
    "pg_trgm": [
        "SELECT name FROM person WHERE name % 'ann'",
        "SELECT name <-> 'ann', similarity(name, 'ann') FROM person",
    ],
    "hstore": ["SELECT 'a=>1'::hstore -> 'a'", "SELECT hstore('a', '1') @> hstore('a', '1')"],
    "seg": ["SELECT '1'::seg && '0 .. 2'::seg"],
    "ltree": ["SELECT 'a.b'::ltree @> 'a.b.c'::ltree, nlevel('a.b')"],
    "intarray": ["SELECT ARRAY[1, 2] && ARRAY[2, 3], sort(ARRAY[2, 1])"],
    "unaccent": ["SELECT unaccent(name) FROM person"],
    "fuzzystrmatch": ["SELECT levenshtein(name, 'ann'), soundex(name) FROM person"],
    "uuid-ossp": ["SELECT uuid_generate_v4()"],
    "pgcrypto": ["SELECT encode(digest(name, 'sha256'), 'hex') FROM person"],
    "tsm_system_rows": ["SELECT price FROM item TABLESAMPLE system_rows(1)"],
}
REFUSED = {
    "dblink": ["SELECT * FROM dblink('dbname=x', 'SELECT 1') AS t(a integer)"],
    "tablefunc": [
        "SELECT * FROM crosstab('SELECT 1, 2, 3') AS t(a integer, b integer)",
        "SELECT * FROM connectby('item', 'a', 'b', '1', 0) AS t(a text, b text, c integer)",
    ],
    "xml2": ["SELECT * FROM xpath_table('price', 'status', 'item', '/a', 'true') AS t(a integer)"],
    "pg_stat_statements": ["SELECT query FROM pg_stat_statements"],
    "pageinspect": ["SELECT get_raw_page('item', 0)"],
    "pgrowlocks": ["SELECT * FROM pgrowlocks('item')"],
    "lo": ["SELECT lo_creat(1)"],
}


@pytest.fixture(scope="module")
def extended(installed_postgres_server: PostgresServer) -> Iterator[tuple[Place, set[str]]]:
    """The database with those extensions that the server has."""
    place = Place(installed_postgres_server)
    there = {str(name) for (name,) in place.run("SELECT name FROM pg_available_extensions")}
    there &= {*EXTENSIONS, *REFUSED}
    if not there:
        pytest.skip("the machine's PostgreSQL has no contrib modules")
    place.run(*(f'CREATE EXTENSION "{name}"' for name in sorted(there)))
    yield place, there
    place.drop()


def test_extensions_are_judged_by_what_they_do(extended: tuple[Place, set[str]]) -> None:
    place, there = extended
    with connect(place.server.url(place.name, place.role)) as database:
        guard = Guard(database)
        for name in sorted(there):
            for draft in EXTENSIONS.get(name, []):
                assert guard.check(draft).error is None, draft
            for draft in REFUSED.get(name, []):
                verdict = guard.check(draft)
                assert [f.code for f in verdict.findings][:1] == ["NOT_READ_ONLY"], draft
