"""Is a set of cases fit to measure with? What is wrong with its golds, and the cases without it.

As the Neo4j Text2Cypher set was audited in the corrector paper (section 4): golds that do not run,
that return nothing, or that answer one question differently are dropped; and more that published
sets were found to have (cut results, results that change from run to run, ids that stand twice).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from groundwire.bench.case import Case, Malformed
from groundwire.bench.comparison import Table, contains, in_order, order_columns, same_bag, table
from groundwire.bench.golds import chance_of_limit, has_order
from groundwire.bench.running import Databases, Outcome
from groundwire.database import Database, SqlDatabase
from groundwire.errors import GroundwireError, QueryTimeout

__all__ = ["KINDS", "NOTES", "Fault", "audit", "drop"]

KINDS = {
    "malformed": "the line is no case",
    "no_gold": "an answerable question has no gold query",
    "judged_wrong": "the set's own annotators judged the gold wrong",
    "duplicate_id": "another case before it has its id",
    "no_database": "its database cannot be asked",
    "no_rows": "its database has not one row",
    "fails": "the gold does not run",
    "timeout": "the gold takes longer than the time limit",
    "cut": "the gold has more rows than are compared",
    "empty": "the gold returns no row",
    "unstable": "the gold gives another result when it is run again",
    "contradiction": "two cases ask one question, and no gold of one agrees with one of the other",
    "nulls": "the gold returns nothing but NULL",
    "readings": "two golds of the case differ in more than in columns left out",
    "ties": "what a LIMIT of the gold leaves out is chance",
    "unordered": "the question asks for an order, and the gold has none",
}
"""What can be wrong, by kind. The last ones are notes."""

NOTES = frozenset({"nulls", "readings", "ties", "unordered"})
"""Kinds that are told, and for which nothing is dropped."""

QUOTED = re.compile(r"((?<!\w)'.*?'(?!\w)|\"[^\"]*\")")

_OF_CASE = frozenset({"no_database", "no_rows", "contradiction"})


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong with a case, or with one gold of it (`query`)."""

    id: str
    kind: str
    reason: str
    query: str = ""

    @property
    def note(self) -> bool:
        """Whether the case is kept all the same."""
        return self.kind in NOTES

    def to_json(self) -> dict[str, Any]:
        """`{"id", "kind", "reason", "query", "note"}`; `query` only where it is one gold."""
        of_gold = {"query": self.query} if self.query else {}
        return {
            "id": self.id,
            "kind": self.kind,
            "reason": self.reason,
            **of_gold,
            "note": self.note,
        }


def audit(
    cases: Sequence[Case | Malformed],
    databases: Databases,
    progress: Callable[[int, int], None] = lambda done, all: None,
) -> list[Fault]:
    """What is wrong with cases, in their order. Each gold is run twice.

    Args:
        progress: called with the cases looked at so far and the number of all.
    """
    faults: list[tuple[int, Fault]] = []
    groups: dict[tuple[str, str], list[tuple[int, Case]]] = {}
    seen: set[str] = set()
    for place, case in enumerate(cases):
        if isinstance(case, Malformed):
            faults.append((place, _of_line(case)))
        elif case.id in seen:
            faults.append(
                (place, Fault(case.id, "duplicate_id", f"The id {case.id} stands twice."))
            )
        else:
            seen.add(case.id)
            groups.setdefault((case.database, _plain(case.question)), []).append((place, case))
    done = len(faults)
    filled = _asked_once(databases)
    for group in groups.values():
        faults += _of_group(group, databases, filled)
        done += len(group)
        progress(done, len(cases))
    return [fault for _, fault in sorted(faults, key=lambda found: found[0])]


def drop(cases: Iterable[Case | Malformed], faults: Iterable[Fault]) -> list[Case]:
    """The cases without faulty golds, and without those of which no gold is left.

    Of several with one id the first is kept. Notes change nothing.
    """
    faults = list(faults)
    gone = {fault.id for fault in faults if fault.kind in _OF_CASE}
    bad = {(fault.id, fault.query) for fault in faults if fault.query and not fault.note}
    kept: dict[str, Case] = {}
    for case in cases:
        if isinstance(case, Malformed) or case.id in gone or case.id in kept:
            continue
        queries = tuple(query for query in case.queries if (case.id, query) not in bad)
        if queries or not case.answerable:
            kept[case.id] = replace(case, queries=queries)
    return list(kept.values())


def _plain(question: str) -> str:
    """The question without differences of blanks and case; what is quoted keeps its case."""
    parts = QUOTED.split(" ".join(question.split()))
    return "".join(part if place % 2 else part.casefold() for place, part in enumerate(parts))


@dataclass(frozen=True, slots=True)
class _Gold:
    """A gold that can be compared with."""

    query: str
    table: Table


def _of_line(line: Malformed) -> Fault:
    return Fault(line.id, line.kind, f"Line {line.number}: {line.reason}.")


def _of_group(
    group: list[tuple[int, Case]], databases: Databases, filled: Callable[[str], bool]
) -> Iterator[tuple[int, Fault]]:
    """The faults of the cases that ask one question."""
    usable: list[tuple[int, Case, list[_Gold]]] = []
    for place, case in group:
        try:
            if case.queries and not filled(case.database):
                yield place, Fault(case.id, "no_rows", "The database has not one row.")
                continue
            faults, golds = _of_golds(case, databases)
        except GroundwireError as error:
            reason = f"The database cannot be asked: {error}"
            yield place, Fault(case.id, "no_database", reason)
            continue
        yield from ((place, fault) for fault in faults)
        if golds:
            usable.append((place, case, golds))
    for place, case, golds in usable:
        other = next((them for _, them, theirs in usable if not _agree(golds, theirs, case)), None)
        if other is not None:
            reason = (
                f"The case {other.id} asks the same question, and its gold gives another answer."
            )
            yield place, Fault(case.id, "contradiction", reason)


def _of_golds(case: Case, databases: Databases) -> tuple[list[Fault], list[_Gold]]:
    """What is wrong with the golds of a case, and those with which nothing is.

    Raises:
        GroundwireError: the database cannot be asked.
    """
    faults: list[Fault] = []
    golds: list[_Gold] = []
    for query in case.queries:
        outcome = databases.run(case.database, query)
        fault = _of_outcome(case, outcome) or _of_repetition(case, outcome, databases)
        if fault is not None:
            faults.append(fault)
            continue
        golds.append(_Gold(query, table(outcome.rows, len(outcome.columns))))
        faults += _notes(case, outcome, databases)
    faults += _of_readings(case, golds)
    return faults, golds


def _of_outcome(case: Case, outcome: Outcome) -> Fault | None:
    if isinstance(outcome.error, QueryTimeout):
        return Fault(case.id, "timeout", f"The gold is stopped: {outcome.error}", outcome.query)
    if outcome.error is not None:
        return Fault(case.id, "fails", f"The gold fails: {outcome.error}", outcome.query)
    if not outcome.whole:
        reason = f"The gold has more than {len(outcome.rows):,} rows, too many to compare."
        return Fault(case.id, "cut", reason, outcome.query)
    if outcome.empty:
        return Fault(case.id, "empty", "The gold returns no row.", outcome.query)
    return None


def _of_repetition(case: Case, first: Outcome, databases: Databases) -> Fault | None:
    """A gold that uses chance, the clock, or an order that the database does not keep."""
    again = databases.run(case.database, first.query)
    if again.error is not None:
        return _of_outcome(case, again)
    if again.whole and _same(case, first, again, databases):
        return None
    reason = "The gold gives another result when it is run again."
    return Fault(case.id, "unstable", reason, first.query)


def _same(case: Case, first: Outcome, again: Outcome, databases: Databases) -> bool:
    one, other = (table(found.rows, len(found.columns)).rows for found in (first, again))
    if not case.order_matters:
        return same_bag(one, other, case.tolerance)
    keys = order_columns(case, first, databases.database(case.database).dialect)
    return in_order(one, other, keys, case.tolerance)


def _notes(case: Case, outcome: Outcome, databases: Databases) -> Iterator[Fault]:
    dialect = databases.database(case.database).dialect
    if all(value is None for row in outcome.rows for value in row):
        yield Fault(case.id, "nulls", "The gold returns nothing but NULL.", outcome.query)
    if case.order_matters and not has_order(outcome.query, case.language, dialect):
        reason = "The question asks for an order, and the gold has no ORDER BY."
        yield Fault(case.id, "unordered", reason, outcome.query)
    one = table(outcome.rows, len(outcome.columns)).rows
    for text in chance_of_limit(outcome.query, case.language, dialect):
        other = databases.run(case.database, text)
        if other.whole and not same_bag(
            one, table(other.rows, len(other.columns)).rows, case.tolerance
        ):
            reason = f"Which rows its LIMIT keeps is chance; as good are those of: {text}"
            yield Fault(case.id, "ties", reason, outcome.query)
            return


def _of_readings(case: Case, golds: list[_Gold]) -> Iterator[Fault]:
    """A note where two golds differ in more than in columns that an answer may leave out."""
    whole: list[_Gold] = []
    for gold in sorted(golds, key=lambda gold: -gold.table.width):
        if not any(contains(gold.table, wider.table, case.tolerance) for wider in whole):
            whole.append(gold)
    if len(whole) > 1:
        reason = f"Another accepted gold has a different result: {whole[1].query}"
        yield Fault(case.id, "readings", reason, whole[0].query)


def _agree(golds: list[_Gold], others: list[_Gold], case: Case) -> bool:
    """Whether some gold of one case has the result of some gold of another."""
    return any(
        one.query == other.query
        or (
            one.table.width == other.table.width
            and contains(other.table, one.table, case.tolerance)
        )
        for one in golds
        for other in others
    )


def _asked_once(databases: Databases) -> Callable[[str], bool]:
    """Whether a database has rows, by its name; a server that is away is not waited for again."""
    known: dict[str, bool | GroundwireError] = {}

    def filled(name: str) -> bool:
        if name not in known:
            try:
                known[name] = _has_rows(databases.database(name))
            except GroundwireError as error:
                known[name] = error
        found = known[name]
        if isinstance(found, GroundwireError):
            raise found
        return found

    return filled


def _has_rows(database: Database) -> bool:
    """Whether one table has a row, or the graph a node.

    Raises:
        GroundwireError: the database cannot be asked.
    """
    if not isinstance(database, SqlDatabase):
        return bool(database.execute("MATCH (n) RETURN 1 LIMIT 1").rows)
    tables = (table for table in database.catalog().tables if table.kind != "view")
    return any(
        database.execute(f"SELECT 1 FROM {database.source(table)} LIMIT 1").rows for table in tables
    )
