"""The guard's order for Cypher: parse, read-only, schema fixes, statistics, planner."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from groundwire.database.base import Parameters
from groundwire.database.graph import GraphDatabase
from groundwire.database.graph_admission import refusal
from groundwire.database.graph_catalog import GraphCatalog
from groundwire.errors import ModelError, QueryError, ReadOnlyError, UnknownName
from groundwire.guard.checks.cypher.align_directions import align_directions
from groundwire.guard.checks.cypher.cartesian_product import cartesian_product
from groundwire.guard.checks.cypher.count_of_rows import count_of_rows
from groundwire.guard.checks.cypher.excluded_names import excluded_names
from groundwire.guard.checks.cypher.fix_relationship_types import fix_relationship_types
from groundwire.guard.checks.cypher.integer_division import integer_division
from groundwire.guard.checks.cypher.literal_not_stored import literal_not_stored
from groundwire.guard.checks.cypher.literal_type import literal_type
from groundwire.guard.checks.cypher.misplaced_property import misplaced_property
from groundwire.guard.checks.cypher.name_not_unique import name_not_unique
from groundwire.guard.checks.cypher.null_first import null_first
from groundwire.guard.checks.cypher.redirect_self_loops import redirect_self_loops
from groundwire.guard.checks.cypher.removed_syntax import removed_syntax
from groundwire.guard.checks.cypher.server_notices import server_notices
from groundwire.guard.checks.cypher.symmetric_once import symmetric_once
from groundwire.guard.checks.cypher.ties_at_limit import ties_at_limit
from groundwire.guard.checks.cypher.unknown_label import unknown_label
from groundwire.guard.checks.cypher.unknown_property import unknown_property
from groundwire.guard.checks.cypher.unprompted_limit import unprompted_limit
from groundwire.guard.context import CypherContext
from groundwire.guard.findings import Evidence, Finding, Verdict
from groundwire.guard.planner import planner
from groundwire.guard.probes import Probes
from groundwire.guard.read_only import CODE
from groundwire.guard.switches import switched_on, unfixed
from groundwire.query.cypher import Query, parse
from groundwire.query.edits import Edit
from groundwire.query.revision import Revision

__all__ = ["CHECKS", "check_cypher"]

Check = Callable[[CypherContext], list[Finding]]

SCHEMA_CHECKS: tuple[Check, ...] = (
    unknown_label,
    fix_relationship_types,
    align_directions,
    redirect_self_loops,
    unknown_property,
    misplaced_property,
)
STATISTICS_CHECKS: tuple[Check, ...] = (
    literal_type,
    literal_not_stored,
    symmetric_once,
    cartesian_product,
    null_first,
    integer_division,
    count_of_rows,
    name_not_unique,
    ties_at_limit,
    unprompted_limit,
)
CHECKS = (*SCHEMA_CHECKS, *STATISTICS_CHECKS)
"""In this order; each sees the text with the repairs of those before it."""


def check_cypher(
    text: str, database: GraphDatabase, question: str | None, parameters: Parameters = None
) -> Verdict:
    """Judge one Cypher draft. Raises OperatorError when the graph cannot be asked."""
    settings = database.settings
    removed = removed_syntax(parse(text, database.functions))
    revision, findings = Revision.of(text), unfixed(removed, settings)
    revision = revision.revise(edit for finding in findings for edit in finding.edits)
    query = parse(revision.text, database.functions)
    refused = _refused_unread(query, text)
    if refused is not None:
        return refused
    catalog, probes = database.catalog(), Probes(database)
    refused = _refused_excluded(query, text, revision, catalog)
    if refused is not None:
        return refused
    context = CypherContext(query, catalog, database, probes, question, parameters)
    unchecked = []
    for check in (*SCHEMA_CHECKS, *switched_on(STATISTICS_CHECKS, settings)):
        turned_away = probes.turned_away
        found = unfixed(check(context), settings)
        if probes.turned_away > turned_away:
            unchecked.append(check.__name__)
        edits = [edit for finding in found for edit in finding.edits]
        findings += [_in_draft(finding, revision) for finding in found]
        if edits:
            revision = revision.revise(edits)
            query = parse(revision.text, database.functions)
            context = replace(context, query=query)
    noticed = [_in_draft(finding, revision) for finding in server_notices(context)]
    findings += [each for each in noticed if not _spoken_of(each, findings)]
    verdict = _refused_excluded(query, text, revision, catalog) or _verdict(
        text, revision, query, tuple(findings), database, parameters
    )
    return replace(verdict, probes=probes.count, unchecked=tuple(unchecked))


def _refused_unread(query: Query, text: str) -> Verdict | None:
    """A draft that is refused on its text alone; of one with errors, what could not be helped."""
    reason = refusal(query)
    if reason and query.statements:
        finding = _finding(CODE, "read_only", reason, (0, len(text)))
        error = ReadOnlyError(reason, hint="Only one statement that reads can be run here.")
        return Verdict("refused", text, text, (finding,), error=error)
    if query.errors:
        findings = tuple(
            _finding("SYN1", "parse", problem.sentence, (problem.offset, problem.offset))
            for problem in query.errors
        )
        malformed = QueryError(
            findings[0].message, hint="Write one Cypher statement.", code=findings[0].code
        )
        return Verdict("refused", text, text, findings, error=malformed)
    return None


def _spoken_of(noticed: Finding, findings: list[Finding]) -> bool:
    """A check has a finding at that place."""
    start, end = noticed.span
    return any(finding.span[0] < end and start < finding.span[1] for finding in findings)


def _refused_excluded(
    query: Query, text: str, revision: Revision, catalog: GraphCatalog
) -> Verdict | None:
    """A draft that would read what is excluded; asked before any probe holds its clauses."""
    found = excluded_names(query, catalog)
    if not found:
        return None
    findings = tuple(_in_draft(finding, revision) for finding in found)
    hint = "Use the names of the catalog only."
    error = UnknownName(findings[0].message, hint=hint, code=findings[0].code)
    return Verdict("refused", text, text, findings, error=error)


def _verdict(
    text: str,
    revision: Revision,
    query: Query,
    findings: tuple[Finding, ...],
    database: GraphDatabase,
    parameters: Parameters,
) -> Verdict:
    faults = [finding for finding in findings if finding.severity == "fault"]
    unrepaired = [finding for finding in faults if not finding.edits]
    if unrepaired or query.errors:
        reason = unrepaired[0] if unrepaired else faults[0]
        kind: type[ModelError] = UnknownName if reason.code.startswith("SCH") else QueryError
        error = kind(reason.message, hint="Use the names of the catalog.", code=reason.code)
        return Verdict("refused", text, text, findings, error=error)
    problem = planner(revision.text, database, parameters)
    if problem is not None:
        finding, failure = problem
        whole = replace(finding, span=(0, len(text)))
        return Verdict("refused", text, text, (*findings, whole), error=failure)
    outcome = "repaired" if revision.text != text else "admitted"
    return Verdict(outcome, text, revision.text, findings)  # type: ignore[arg-type]


def _in_draft(finding: Finding, revision: Revision) -> Finding:
    """A finding on the revised text, said in places of the draft."""
    edits = tuple(Edit(*revision.origin(edit.start, edit.end), edit.text) for edit in finding.edits)
    return replace(finding, span=revision.origin(*finding.span), edits=edits)


def _finding(code: str, check: str, message: str, span: tuple[int, int]) -> Finding:
    return Finding(
        code=code,
        check=check,
        severity="fault",
        span=span,
        message=message,
        evidence=(Evidence("The text was read with the grammar of Cypher."),),
        action="refused",
    )
