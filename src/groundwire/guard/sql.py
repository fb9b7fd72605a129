"""The guard's order for SQL: parse, read-only, names, statistics, planner."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from groundwire.database.base import Parameters, SqlDatabase
from groundwire.database.statistics import Statistics
from groundwire.errors import ModelError, QueryError, ReadOnlyError, UnknownName
from groundwire.guard.checks.sql.ambiguous_column import ambiguous_column
from groundwire.guard.checks.sql.arbitrary_column import arbitrary_column
from groundwire.guard.checks.sql.average_of_averages import average_of_averages
from groundwire.guard.checks.sql.count_of_rows import count_of_rows
from groundwire.guard.checks.sql.date_boundary import date_boundary
from groundwire.guard.checks.sql.division_by_zero import division_by_zero
from groundwire.guard.checks.sql.duplicate_rows import duplicate_rows
from groundwire.guard.checks.sql.fan_out import fan_out
from groundwire.guard.checks.sql.hidden_columns import hidden_columns
from groundwire.guard.checks.sql.integer_division import integer_division
from groundwire.guard.checks.sql.join_keys import join_keys
from groundwire.guard.checks.sql.literal_not_stored import literal_not_stored
from groundwire.guard.checks.sql.literal_type import literal_type
from groundwire.guard.checks.sql.misplaced_column import misplaced_column
from groundwire.guard.checks.sql.missing_join import missing_join
from groundwire.guard.checks.sql.name_not_unique import name_not_unique
from groundwire.guard.checks.sql.negation_drops_null import negation_drops_null
from groundwire.guard.checks.sql.not_in_null import not_in_null
from groundwire.guard.checks.sql.null_comparison import null_comparison
from groundwire.guard.checks.sql.null_first import null_first
from groundwire.guard.checks.sql.outer_join_undone import outer_join_undone
from groundwire.guard.checks.sql.self_join_pairs import self_join_pairs
from groundwire.guard.checks.sql.sum_distinct import sum_distinct
from groundwire.guard.checks.sql.text_order import text_order
from groundwire.guard.checks.sql.ties_at_limit import ties_at_limit
from groundwire.guard.checks.sql.undefined_alias import undefined_alias
from groundwire.guard.checks.sql.unknown_column import unknown_column
from groundwire.guard.checks.sql.unknown_table import unknown_table
from groundwire.guard.checks.sql.unprompted_limit import unprompted_limit
from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Finding, Verdict
from groundwire.guard.names import Names
from groundwire.guard.planner import planner
from groundwire.guard.probes import Probes
from groundwire.guard.read_only import read_only
from groundwire.guard.switches import switched_on, unfixed
from groundwire.guard.unread import unread
from groundwire.query.edits import Edit
from groundwire.query.revision import Revision
from groundwire.query.sql import Query, parse, uses

__all__ = ["CHECKS", "NAME_CHECKS", "check_sql", "sql_context"]

Check = Callable[[SqlContext], list[Finding]]

NAME_CHECKS: tuple[Check, ...] = (
    unknown_table,
    undefined_alias,
    unknown_column,
    misplaced_column,
    ambiguous_column,
    hidden_columns,
)
"""All see the same text; what they repair must leave nothing for them to find."""

CHECKS: tuple[Check, ...] = (
    literal_type,
    literal_not_stored,
    date_boundary,
    text_order,
    join_keys,
    missing_join,
    self_join_pairs,
    outer_join_undone,
    fan_out,
    count_of_rows,
    integer_division,
    name_not_unique,
    arbitrary_column,
    sum_distinct,
    duplicate_rows,
    not_in_null,
    null_comparison,
    null_first,
    division_by_zero,
    negation_drops_null,
    ties_at_limit,
    unprompted_limit,
    average_of_averages,
)
"""Checks that ask the database, the likeliest fault first: that is how the budget is spent. Each
sees the text with the repairs of those before it."""


def check_sql(
    text: str, database: SqlDatabase, question: str | None, parameters: Parameters = None
) -> Verdict:
    """Judge one SQL draft. Raises OperatorError when the database cannot be asked."""
    query = parse(text, database.dialect)
    refused = _refused_unread(query, database)
    if refused is not None:
        return refused
    probes = Probes(database)
    judged = _Judged(sql_context(query, database, probes, question, parameters))
    revision, findings = Revision.of(text), unfixed(judged.names(text), database.settings)
    unrepaired = [finding for finding in findings if not finding.edits]
    if unrepaired:
        return _refused(text, findings, unrepaired[0])
    if findings:
        revision = revision.revise(edit for finding in findings for edit in finding.edits)
        remaining = judged.names(revision.text)
        if remaining:
            kept = [replace(finding, edits=(), action="refused") for finding in findings]
            return _refused(text, kept, remaining[0])
    unchecked = []
    for check in switched_on(CHECKS, database.settings):
        turned_away = probes.turned_away
        found = unfixed(check(judged.context(revision.text)), database.settings)
        if probes.turned_away > turned_away:
            unchecked.append(check.__name__)
        findings += [_in_draft(finding, revision) for finding in found]
        revision = revision.revise(edit for finding in found for edit in finding.edits)
    verdict = _verdict(text, revision, findings, database, parameters)
    return replace(verdict, probes=probes.count, unchecked=tuple(unchecked))


def sql_context(
    query: Query,
    database: SqlDatabase,
    probes: Probes,
    question: str | None = None,
    parameters: Parameters = None,
) -> SqlContext:
    """What the checks see of a text that could be read."""
    catalog = database.catalog()
    names = Names(database, catalog)
    known, statistics = uses(query, names.lookup), Statistics(database, probes.ask, catalog)
    return SqlContext(
        query, known, names, catalog, database, probes, statistics, question, parameters
    )


class _Judged:
    """What the checks see of the text as it stands, read anew where a repair changed it."""

    def __init__(self, draft: SqlContext) -> None:
        self._known = draft

    def context(self, text: str) -> SqlContext:
        known = self._known
        if known.query.text != text:
            query = parse(text, known.query.dialect)
            self._known = replace(known, query=query, uses=uses(query, known.names.lookup))
        return self._known

    def names(self, text: str) -> list[Finding]:
        context = self.context(text)
        return [finding for check in NAME_CHECKS for finding in check(context)]


def _refused_unread(query: Query, database: SqlDatabase) -> Verdict | None:
    """A draft that is refused before anything is asked of the database."""
    if not query.ok:
        return unread(query, database)
    text = query.text
    findings = list(read_only(query, database))
    if findings:
        writes = ReadOnlyError(
            findings[0].message, hint="Only one statement that reads can be run here."
        )
        return Verdict("refused", text, text, tuple(findings), error=writes)
    return None


def _verdict(
    text: str,
    revision: Revision,
    findings: list[Finding],
    database: SqlDatabase,
    parameters: Parameters,
) -> Verdict:
    faults = [finding for finding in findings if finding.severity == "fault" and not finding.edits]
    if faults:
        return _refused(text, findings, faults[0])
    problem = planner(revision.text, database, parameters)
    if problem is not None:
        finding, error = problem
        whole = replace(finding, span=(0, len(text)))
        return Verdict("refused", text, text, (*findings, whole), error=error)
    outcome = "repaired" if revision.text != text else "admitted"
    choices = tuple(choice for finding in findings for choice in finding.choices)
    return Verdict(outcome, text, revision.text, tuple(findings), choices)  # type: ignore[arg-type]


def _refused(text: str, findings: list[Finding], reason: Finding) -> Verdict:
    """Refused for one finding, or `asked` where that finding has choices for the person."""
    kind: type[ModelError] = UnknownName if reason.code.startswith("SCH") else QueryError
    hint = "Write the query so that this does not happen."
    if reason.choices:
        hint = "Choose one."
    elif kind is UnknownName:
        hint = "Use the names of the catalog."
    error = kind(reason.message, hint=hint, code=reason.code)
    outcome = "asked" if reason.choices else "refused"
    return Verdict(
        outcome,  # type: ignore[arg-type]
        text,
        text,
        tuple(findings),
        choices=reason.choices,
        error=error,
    )


def _in_draft(finding: Finding, revision: Revision) -> Finding:
    """A finding on the revised text, said in places of the draft."""
    edits = tuple(Edit(*revision.origin(edit.start, edit.end), edit.text) for edit in finding.edits)
    return replace(finding, span=revision.origin(*finding.span), edits=edits)
