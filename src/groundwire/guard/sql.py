"""The guard's order for SQL: parse, read-only, names, planner."""

from __future__ import annotations

from dataclasses import replace

from groundwire.database.base import Parameters, SqlDatabase
from groundwire.errors import ModelError, QueryError, ReadOnlyError, UnknownName
from groundwire.guard.checks.sql.ambiguous_column import ambiguous_column
from groundwire.guard.checks.sql.hidden_columns import hidden_columns
from groundwire.guard.checks.sql.misplaced_column import misplaced_column
from groundwire.guard.checks.sql.undefined_alias import undefined_alias
from groundwire.guard.checks.sql.unknown_column import unknown_column
from groundwire.guard.checks.sql.unknown_table import unknown_table
from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Evidence, Finding, Verdict
from groundwire.guard.names import Names
from groundwire.guard.planner import planner
from groundwire.guard.read_only import read_only
from groundwire.query.edits import apply
from groundwire.query.problem import Problem
from groundwire.query.sql import parse, uses

__all__ = ["check_sql"]

NAME_CHECKS = (
    unknown_table,
    undefined_alias,
    unknown_column,
    misplaced_column,
    ambiguous_column,
    hidden_columns,
)
"""In this order; each is a function of the context and gives findings."""


def check_sql(
    text: str, database: SqlDatabase, question: str | None, parameters: Parameters = None
) -> Verdict:
    """Judge one SQL draft. Raises OperatorError when the database cannot be asked."""
    query = parse(text, database.dialect)
    if not query.ok:
        findings = tuple(_malformed(problem) for problem in query.errors)
        malformed = QueryError(findings[0].message, hint="Write one SELECT statement.", code="SYN1")
        return Verdict("refused", text, text, findings, error=malformed)
    findings = tuple(read_only(query, database))
    if findings:
        writes = ReadOnlyError(
            findings[0].message, hint="Only one statement that reads can be run here."
        )
        return Verdict("refused", text, text, findings, error=writes)
    findings = tuple(_names(text, database, question))
    unrepaired = [finding for finding in findings if not finding.edits]
    if unrepaired:
        return _refused(text, findings, unrepaired[0])
    repaired = apply(text, [edit for finding in findings for edit in finding.edits])
    if findings:
        remaining = tuple(_names(repaired, database, question))
        if remaining:
            kept = tuple(replace(finding, edits=(), action="refused") for finding in findings)
            return _refused(text, kept, remaining[0])
    problem = planner(repaired, database, parameters)
    if problem is not None:
        finding, error = problem
        return Verdict(
            "refused", text, text, (*findings, replace(finding, span=(0, len(text)))), error=error
        )
    return Verdict("repaired" if findings else "admitted", text, repaired, findings)


def _names(text: str, database: SqlDatabase, question: str | None) -> list[Finding]:
    query = parse(text, database.dialect)
    catalog = database.catalog()
    names = Names(database, catalog)
    context = SqlContext(query, uses(query, names.lookup), names, catalog, database, question)
    return [finding for check in NAME_CHECKS for finding in check(context)]


def _refused(text: str, findings: tuple[Finding, ...], reason: Finding) -> Verdict:
    kind: type[ModelError] = UnknownName if reason.code.startswith("SCH") else QueryError
    error = kind(reason.message, hint="Use the names of the catalog.", code=reason.code)
    return Verdict("refused", text, text, findings, error=error)


def _malformed(problem: Problem) -> Finding:
    return Finding(
        code="SYN1",
        check="parse",
        severity="fault",
        span=(problem.offset, problem.offset),
        message=problem.sentence,
        evidence=(Evidence(sentence="The text was read with the grammar of the dialect."),),
        action="refused",
    )
