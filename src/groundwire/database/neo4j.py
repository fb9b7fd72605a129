"""Neo4j 5 over its official driver: read access mode, one transaction a statement, no retries.

The URL is the driver's, with the user, the password and the database in it:

    neo4j://user:password@host:7687/movies     routing, the database `movies`
    bolt://localhost                            one server, its default database

`+s` and `+ssc` behind the scheme encrypt. The time limit is the server's; a watch terminates the
transaction from a second connection when somebody cancels or the limit does not hold (a list of
tens of millions of elements can stop the server's own clock).
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha1
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit, urlunsplit
from uuid import uuid4

from groundwire.counted import counted
from groundwire.database.base import CanExplain, Parameters, Plan
from groundwire.database.graph import CanNotify, GraphDatabase, Notification
from groundwire.database.graph_facts import Facts
from groundwire.database.graph_neo4j_errors import translate, translate_opening
from groundwire.database.graph_neo4j_facts import NAMES, read_facts
from groundwire.database.graph_values import from_neo4j, type_name
from groundwire.database.result import ResultColumn
from groundwire.database.watch import Watch
from groundwire.errors import ReadOnlyError
from groundwire.settings import Settings

if TYPE_CHECKING:
    import neo4j

    from groundwire.query.cypher import Query

__all__ = ["Neo4j", "open_driver"]

TAG = "groundwire"
"""The key in a transaction's metadata by which it is found again to be terminated."""

TERMINATE = """SHOW TRANSACTIONS YIELD transactionId AS id, metaData AS data
WHERE data[$key] = $tag TERMINATE TRANSACTIONS id YIELD message RETURN message"""

COMPONENTS = """CALL dbms.components() YIELD name, versions, edition
RETURN name, versions[0], edition"""

FUNCTIONS = "SHOW FUNCTIONS YIELD name, isBuiltIn WHERE NOT isBuiltIn RETURN name"

FINGERPRINT = f"""{NAMES}
CALL {{ MATCH (n) RETURN count(n) AS nodes }} CALL {{ MATCH ()-[r]->() RETURN count(r) AS edges }}
RETURN labels, types, keys, nodes, edges"""

EXPLAIN = "EXPLAIN "

UNSAFE_STEPS = ("ProcedureCall", "LoadCSV", "TerminateTransactions", "Show")


class Neo4j(GraphDatabase, CanExplain, CanNotify):
    """A Neo4j server, one database of it."""

    dialect = "neo4j"

    def __init__(self, url: str, settings: Settings) -> None:
        super().__init__(url, settings)
        self._driver, self._database = open_driver(url, settings)
        self._tag = uuid4().hex

    def server_version(self) -> str:
        rows = self._do(self.settings.query_timeout, lambda watch: self._ask(COMPONENTS, {}, watch))
        _, version, edition = rows[0]
        return f"Neo4j {version} {edition.capitalize()}"

    def explain(self, statement: str, parameters: Parameters = None) -> Plan:
        root = self._summary(statement, parameters).plan or {}
        rows = root.get("args", {}).get("EstimatedRows")
        return Plan("\n".join(_plan_lines(root)), rows=rows)

    def notifications(
        self, statement: str, parameters: Parameters = None
    ) -> tuple[Notification, ...]:
        summary = self._summary(statement, parameters)
        shift = len(EXPLAIN)
        return tuple(
            Notification(
                status.gql_status,
                status.status_description,
                None if status.position is None else max(0, status.position.offset - shift),
            )
            for status in summary.gql_status_objects
            if status.is_notification
        )

    def _summary(self, statement: str, parameters: Parameters) -> neo4j.ResultSummary:
        query, values = self._prepare(statement, parameters)
        return self._do(
            self.settings.query_timeout, lambda watch: self._explained(query, values, watch)
        )

    def _explained(self, query: Query, values: dict[str, Any], watch: Watch) -> neo4j.ResultSummary:
        prefixed = any(statement.prefix for statement in query.statements)
        prefix = "" if prefixed else EXPLAIN
        with self._transaction(watch, shift=len(prefix)) as transaction:
            return transaction.run(prefix + query.text, values).consume()

    def _admit(self, query: Query, values: dict[str, Any], watch: Watch) -> None:
        if not query.errors:
            return
        summary = self._explained(query, values, watch)  # the server's own error, if any
        steps = {step["operatorType"].split("@")[0] for step in _steps(summary.plan or {})}
        if summary.query_type != "r" or any(step.startswith(UNSAFE_STEPS) for step in steps):
            raise ReadOnlyError(
                "The text could not be read, so nothing shows that it only reads: "
                + query.errors[0].sentence,
                hint="Write one plain statement that reads.",
            )

    def _run(
        self, query: Query, values: dict[str, Any], rows: int, watch: Watch
    ) -> tuple[tuple[ResultColumn, ...], list[tuple[Any, ...]]]:
        with self._transaction(watch, rows) as transaction:
            result = transaction.run(query.text, values)
            found = [
                tuple(from_neo4j(value, self._hides) for value in record.values())
                for record in result.fetch(rows)
            ]
            columns = tuple(
                ResultColumn(name, type_name(row[place] for row in found))
                for place, name in enumerate(result.keys())
            )
        return columns, found

    def _ask(self, statement: str, values: dict[str, Any], watch: Watch) -> list[tuple[Any, ...]]:
        with self._transaction(watch) as transaction:
            return [
                tuple(from_neo4j(value, self._hides) for value in record.values())
                for record in transaction.run(statement, values)
            ]

    @contextmanager
    def _transaction(
        self, watch: Watch, fetch_size: int = 1000, shift: int = 0
    ) -> Iterator[neo4j.Transaction]:
        """A transaction in read access mode that always ends in a rollback.

        `shift` characters were put before the statement: errors do not count them.
        """
        from neo4j import READ_ACCESS
        from neo4j.exceptions import DriverError, Neo4jError

        try:
            with (
                self._driver.session(
                    database=self._database, default_access_mode=READ_ACCESS, fetch_size=fetch_size
                ) as session,
                session.begin_transaction({TAG: self._tag}, watch.seconds) as transaction,
            ):
                yield transaction
                transaction.rollback()
        except (Neo4jError, DriverError, OSError) as error:
            raise translate(error, watch, self.url, shift) from error

    def _stop(self, attempt: int) -> None:
        from neo4j.exceptions import DriverError, Neo4jError

        try:
            with self._driver.session(database=self._database) as session:
                session.run(TERMINATE, key=TAG, tag=self._tag).consume()
        except (Neo4jError, DriverError, OSError):
            return  # the server is gone or busy: the next attempt follows

    def _fingerprint(self, watch: Watch) -> tuple[str, str]:
        ((*names, nodes, edges),) = self._ask(FINGERPRINT, {}, watch)
        names = [sorted(found) for found in names]
        return sha1(repr(names).encode()).hexdigest(), f"{nodes}/{edges}"

    def _read_facts(self, watch: Watch) -> Facts:
        return read_facts(self._asker(watch))

    def _read_functions(self, watch: Watch) -> frozenset[str]:
        return frozenset(name.lower() for (name,) in self._ask(FUNCTIONS, {}, watch))

    def _disconnect(self) -> None:
        self._driver.close()


def open_driver(url: str, settings: Settings) -> tuple[neo4j.Driver, str | None]:
    """A driver that was seen to answer, and the database that the URL names (None = default).

    Raises:
        Unreachable, AccessDenied, UsageError: as `groundwire.connect`.
    """
    import neo4j
    from neo4j.exceptions import DriverError, Neo4jError

    from groundwire.database.url import mask

    logging.getLogger("neo4j.notifications").setLevel(logging.ERROR)
    try:
        parts = urlsplit(url.strip())
    except ValueError as error:
        raise translate_opening(error, mask(url), None) from error
    authority = parts.netloc.rpartition("@")[2]
    database = unquote(parts.path.strip("/")) or None
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    driver = None
    try:
        driver = neo4j.GraphDatabase.driver(
            urlunsplit((parts.scheme, authority, "", parts.query, "")),
            auth=(user, password) if user else None,
            user_agent="groundwire",
            connection_timeout=settings.connect_timeout,
            connection_acquisition_timeout=2 * settings.connect_timeout,
            max_transaction_retry_time=0,
            liveness_check_timeout=10,
            telemetry_disabled=True,
        )
        with driver.session(database=database, default_access_mode=neo4j.READ_ACCESS) as session:
            session.run("RETURN 1").consume()
    except (Neo4jError, DriverError, OSError, ValueError) as error:
        if driver is not None:
            driver.close()
        raise translate_opening(error, mask(url), database) from error
    return driver, database


def _steps(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if plan:
        yield plan
        for child in plan.get("children", ()):
            yield from _steps(child)


def _plan_lines(plan: dict[str, Any], depth: int = 0) -> Iterator[str]:
    if plan:
        arguments = plan.get("args", {})
        name = plan["operatorType"].split("@")[0]
        details = f" {arguments['Details']}" if arguments.get("Details") else ""
        rows = arguments.get("EstimatedRows", 0.0)
        yield f"{'  ' * depth}{name}{details} (about {counted(round(rows), 'row')})"
        for child in plan.get("children", ()):
            yield from _plan_lines(child, depth + 1)
