"""The SQL guard on public gold queries and recorded model queries, on a real PostgreSQL.

For gold: how many were changed or refused, and every finding. For recorded queries: how many run
and match gold before and after the guard, with no model. With the price of the guard per query.
"""

from __future__ import annotations

import os
import statistics
from collections import Counter
from collections.abc import Iterable

from benchmarks.sql_sets import Statement, gold, loaded, recorded
from groundwire.database import SqlDatabase
from groundwire.errors import GroundwireError
from groundwire.guard import Guard, Verdict

Row = tuple[object, ...]


def main() -> None:
    """Print the figures; `GROUNDWIRE_BENCH_STEP=n` takes every n-th query only."""
    step = int(os.environ.get("GROUNDWIRE_BENCH_STEP", "1"))
    with loaded() as databases:
        _golds([s for s in gold() if s.database][::step], databases)
        _recorded(list(recorded())[::step], databases)


def _golds(golds: list[Statement], databases: dict[tuple[str, str], SqlDatabase]) -> None:
    outcomes: Counter[tuple[str, str]] = Counter()
    findings: Counter[tuple[str, str]] = Counter()
    milliseconds, probes = [], []
    for statement in golds:
        verdict = _check(statement, databases)
        outcomes[statement.set, verdict.outcome] += 1
        milliseconds.append(verdict.seconds * 1000)
        probes.append(verdict.probes)
        for finding in verdict.findings:
            findings[finding.check, finding.severity] += 1
            print(f"  {statement.set}/{statement.database} {finding.severity} {finding.check}:")
            print(f"    {statement.question}\n    {statement.text}\n    -> {finding.message}")
            if verdict.query != statement.text:
                print(f"    => {verdict.query}")
    print("gold:", dict(outcomes))
    print("gold findings:", dict(findings))
    _price("gold", milliseconds, probes)


def _recorded(
    statements: Iterable[Statement], databases: dict[tuple[str, str], SqlDatabase]
) -> None:
    counts: Counter[tuple[str, str]] = Counter()
    milliseconds, probes = [], []
    for statement in statements:
        database = databases[statement.set, statement.database]
        verdict = _check(statement, databases)
        milliseconds.append(verdict.seconds * 1000)
        probes.append(verdict.probes)
        before = _rows(statement.text, database)
        after = _rows(verdict.query, database) if verdict.ok else None
        wanted = _rows(statement.gold, database) if statement.gold else None
        writer = statement.set
        counts[writer, "queries"] += 1
        counts[writer, "run before"] += before is not None
        counts[writer, "run after"] += after is not None
        if statement.gold:
            matched, matches = _same(before, wanted), _same(after, wanted)
            counts[writer, "match before"] += matched
            counts[writer, "match after"] += matches
            counts[writer, "wrong shown before"] += before is not None and not matched
            counts[writer, "wrong shown after"] += after is not None and not matches
            if matched != matches:
                print(f"  {'harmed' if matched else 'helped'}: {statement.question}")
                print(f"    {statement.text}\n    {verdict.outcome}: {verdict.query}")
                for finding in verdict.findings:
                    print(f"    {finding.severity} {finding.check}: {finding.message}")
    for (writer, what), count in sorted(counts.items()):
        print(f"recorded {writer}: {what} {count}")
    _price("recorded", milliseconds, probes)


def _check(statement: Statement, databases: dict[tuple[str, str], SqlDatabase]) -> Verdict:
    guard = Guard(databases[statement.set, statement.database])
    return guard.check(statement.text, statement.question)


def _rows(text: str, database: SqlDatabase) -> Counter[Row] | None:
    try:
        return Counter(map(tuple, database.execute(text).rows))
    except GroundwireError:
        return None


def _same(rows: Counter[Row] | None, wanted: Counter[Row] | None) -> bool:
    return rows is not None and rows == wanted


def _price(name: str, milliseconds: list[float], probes: list[int]) -> None:
    last = statistics.quantiles(milliseconds, n=100)[98]
    middle = statistics.median(milliseconds)
    mean = statistics.mean(probes)
    print(f"{name}: {middle:.1f} ms median, {last:.1f} ms p99; {mean:.2f} probes a query")


if __name__ == "__main__":
    main()
