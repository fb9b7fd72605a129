"""What is particular to Neo4j: passwords, databases, the server's own limits and remarks."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from groundwire.database import connect
from groundwire.database.neo4j import Neo4j
from groundwire.errors import (
    AccessDenied,
    Cancelled,
    ConnectionLost,
    QueryError,
    QueryTimeout,
    ReadOnlyError,
    UnknownName,
    Unreachable,
    UsageError,
)
from groundwire.settings import Settings
from tests import neo4j_server as server_starter

pytestmark = pytest.mark.xdist_group("neo4j")

ENDLESS = "UNWIND range(1, 1000000000) AS x WITH x WHERE x % 7 = 3 RETURN count(x)"


@pytest.fixture
def database(neo4j_url: str):
    with connect(neo4j_url) as database:
        yield database


def running(url: str) -> list[str]:
    """The statements that the server runs now, but for this one."""
    from neo4j import GraphDatabase

    with GraphDatabase.driver(url) as driver:
        records, _, _ = driver.execute_query("SHOW TRANSACTIONS YIELD currentQuery AS q RETURN q")
    return [record["q"] for record in records if "SHOW TRANSACTIONS" not in record["q"]]


class TestConnecting:
    def test_nobody_there(self):
        settings = Settings(connect_timeout=1)
        with pytest.raises(Unreachable, match=r"127\.0\.0\.1:1"):
            Neo4j("bolt://127.0.0.1:1", settings)

    def test_a_wrong_password_is_told_and_not_shown(
        self, neo4j_auth_server: server_starter.Neo4jServer
    ):
        url = f"bolt://neo4j:wrong@127.0.0.1:{neo4j_auth_server.port}"
        with pytest.raises(AccessDenied) as caught:
            connect(url)
        assert "wrong" not in str(caught.value)
        assert "percent-encode" in caught.value.hint

    def test_a_password_with_a_blank_is_escaped(
        self, neo4j_auth_server: server_starter.Neo4jServer
    ):
        url = f"bolt://neo4j:open%20sesame@127.0.0.1:{neo4j_auth_server.port}"
        with connect(url) as database:
            assert database.execute("RETURN 1 AS x").rows == ((1,),)
            assert "sesame" not in database.url

    def test_no_password_where_one_is_wanted(self, neo4j_auth_server: server_starter.Neo4jServer):
        with pytest.raises(AccessDenied):
            connect(neo4j_auth_server.url)

    def test_the_database_stands_behind_the_host(self, neo4j_url: str):
        with connect(f"{neo4j_url}/neo4j") as database:
            assert database.execute("RETURN 1 AS x").rows == ((1,),)
        with pytest.raises(UsageError, match="nosuch"):
            connect(f"{neo4j_url}/nosuch")

    def test_routing(self, neo4j_url: str):
        with connect(neo4j_url.replace("bolt://", "neo4j://")) as database:
            assert database.execute("RETURN 1 AS x").rows == ((1,),)

    @pytest.mark.parametrize("url", ["bolt://[::1", "neo4j://host:port"])
    def test_a_senseless_url(self, url: str):
        with pytest.raises(UsageError):
            connect(url)

    def test_the_version(self, database: Neo4j):
        assert database.server_version() == f"Neo4j {server_starter.VERSION} Community"


class TestStopping:
    def test_a_cancelled_query_stops_on_the_server(self, database: Neo4j, neo4j_url: str):
        seen: list[Any] = []

        def watch_and_cancel() -> None:
            until = time.monotonic() + 20
            while not seen and time.monotonic() < until:
                seen.extend(q for q in running(neo4j_url) if "range(1, 1000000000)" in q)
            database.cancel()

        thread = threading.Thread(target=watch_and_cancel)
        thread.start()
        with pytest.raises(Cancelled):
            database.execute(ENDLESS, timeout=60)
        thread.join()
        assert seen
        until = time.monotonic() + 10
        while running(neo4j_url) and time.monotonic() < until:
            time.sleep(0.1)
        assert running(neo4j_url) == []

    def test_the_servers_own_limit_is_set(self, database: Neo4j, monkeypatch):
        monkeypatch.setattr(database, "grace", 30.0)  # the server's clock comes first
        with pytest.raises(QueryTimeout) as caught:
            database.execute(ENDLESS, timeout=0.5)
        assert "TimedOut" in caught.value.code

    def test_the_watch_stops_what_the_servers_clock_does_not(self, database: Neo4j, monkeypatch):
        monkeypatch.setattr(database, "grace", -4.5)  # the watch comes first
        with pytest.raises(QueryTimeout) as caught:
            database.execute(ENDLESS, timeout=5)
        assert "Terminated" in caught.value.code

    def test_too_much_memory_is_a_reason_of_its_own(self, database: Neo4j):
        with pytest.raises(QueryError, match="memory"):
            database.execute("UNWIND range(1, 100000000) AS x RETURN collect(x)", timeout=60)
        assert database.execute("RETURN 1 AS x").rows == ((1,),)


class TestReadAccessMode:
    def test_the_session_itself_refuses_writing(self, database: Neo4j, monkeypatch):
        monkeypatch.setattr("groundwire.database.graph.refusal", lambda query: "")
        with pytest.raises(ReadOnlyError, match="read access mode"):
            database.execute("CREATE (n) RETURN n")
        assert database.execute("MATCH (n) RETURN count(n)").rows == ((0,),)

    def test_a_text_that_we_cannot_read_runs_if_the_server_vouches_for_it(
        self, database: Neo4j, monkeypatch
    ):
        from dataclasses import replace

        from groundwire.query import cypher
        from groundwire.query.problem import Problem

        parse = cypher.parse

        def failing(text: str, functions: object = ()) -> cypher.Query:
            problem = Problem.at(text, 0, "It looks odd.")
            return replace(parse(text), errors=(problem,))

        monkeypatch.setattr(cypher, "parse", failing)
        assert database.execute("RETURN 1 AS x").rows == ((1,),)
        with pytest.raises(ReadOnlyError, match="looks odd"):
            database.execute("CALL db.labels() YIELD label RETURN label")


class TestErrors:
    def test_the_place_counts_the_callers_text(self, database: Neo4j):
        with pytest.raises(QueryError, match=r"line 1, column 10 \(offset: 9\)") as caught:
            database.execute("MATCH (n RETURN n")
        assert "EXPLAIN" not in caught.value.message
        assert caught.value.code == "Neo.ClientError.Statement.SyntaxError"

    def test_an_unknown_function_is_an_unknown_name(self, database: Neo4j):
        with pytest.raises(UnknownName, match="nosuch"):
            database.execute("RETURN nosuch(1)")

    def test_a_server_that_went_away(self, database: Neo4j, monkeypatch):
        from neo4j.exceptions import ServiceUnavailable

        def broken(*arguments: object, **options: object) -> None:
            raise ServiceUnavailable("gone")

        monkeypatch.setattr(database._driver, "session", broken)
        with pytest.raises(ConnectionLost, match="gone"):
            database.execute("RETURN 1")


class TestRemarks:
    def test_each_unknown_name_has_its_place(self, database: Neo4j):
        text = "MATCH (n:Persn)-[:KNOWZ]->(m), (q) RETURN n.nmae"
        found = {note.code: note for note in database.notifications(text)}
        assert text[found["01N50"].offset :].startswith("Persn")
        assert text[found["01N51"].offset :].startswith("KNOWZ")
        assert text[found["01N52"].offset :].startswith("nmae")
        assert "cartesian" in found["03N90"].message
        assert "EXPLAIN" not in found["03N90"].message

    def test_a_plan_is_a_tree_in_text(self, database: Neo4j):
        plan = database.explain("MATCH (n:Person)-[:KNOWS]->(m) RETURN m")
        assert plan.text.splitlines()[0].startswith("ProduceResults")
        assert plan.text.splitlines()[1].startswith("  ")
        assert plan.cost is None

    def test_the_driver_logs_no_remark(self, database: Neo4j, caplog):
        database.execute("MATCH (n:Persn) RETURN n.nmae")
        assert not caplog.records


class TestDeclared:
    def test_constraints_and_indexes_are_in_the_catalog(self, neo4j_url: str):
        from neo4j import GraphDatabase

        with GraphDatabase.driver(neo4j_url) as driver:
            for text in (
                "CREATE (:Town {name: 'A'})",
                "CREATE CONSTRAINT FOR (n:Town) REQUIRE n.code IS UNIQUE",
                "CREATE CONSTRAINT FOR (n:Nobody) REQUIRE n.x IS UNIQUE",
                "CREATE TEXT INDEX towns FOR (n:Town) ON (n.name)",
                "CREATE FULLTEXT INDEX words FOR (n:Town|City) ON EACH [n.name, n.text]",
            ):
                driver.execute_query(text)
        with connect(neo4j_url) as database:
            catalog = database.catalog()
        assert catalog.is_unique("Town", ["code", "name"])
        assert not catalog.is_unique("Town", ["name"])
        assert catalog.label("Nobody").count == 0
        kinds = {index.index_name: (index.kind, index.names) for index in catalog.indexes}
        assert kinds["towns"] == ("text", ("Town",))
        assert kinds["words"][0] == "fulltext"
        assert set(kinds["words"][1]) == {"Town", "City"}
