"""What is said of a SQL text that cannot be read here: the database tells whether it is SQL."""

from __future__ import annotations

import time
from itertools import accumulate

from groundwire.database.base import CanParse, SqlDatabase
from groundwire.errors import QueryError, ReadOnlyError
from groundwire.guard.findings import Evidence, Finding, Verdict
from groundwire.query.problem import Problem
from groundwire.query.sql import Query

__all__ = ["unread"]

LONGEST_ASKED = 100_000
DEEPEST_ASKED = 250
"""Characters, and brackets in each other, of a text that the database is asked to parse: it cannot
be stopped while it does, and DuckDB takes cubic time for brackets that are never closed."""
BEYOND = (
    "Write that part in another way: as a call of a function, with CAST(… AS …), in a subquery."
)


def unread(query: Query, database: SqlDatabase) -> Verdict:
    """The refusal of a text with `query.errors`; nothing is run or planned for it.

    `SYN1` is a text that the database cannot read either, `SYN2` one that is beyond what can be
    checked here and so cannot be admitted.

    Raises:
        OperatorError: the database is gone.
        QueryTimeout: it takes too long to parse.
    """
    text, problem = query.text, query.errors[0]
    if not isinstance(database, CanParse) or not _may_be_asked(text):
        by_grammar = Evidence("The text was read with the grammar of the dialect.")
        return _malformed(query, by_grammar)
    began = time.perf_counter()
    error = database.syntax_error(text)
    seconds = time.perf_counter() - began
    if isinstance(error, ReadOnlyError):
        evidence = Evidence(f"The database says: {error.message}", text, error.code, seconds)
        finding = _finding("NOT_READ_ONLY", "read_only", problem, error.message, evidence)
        return _refused(text, (finding,), error)
    if error is not None:
        says = f"The database cannot read it either: {error.message.partition(chr(10))[0]}"
        return _malformed(query, Evidence(says, text, error.code, seconds))
    says = "The database can read it: it was parsed there, and not run."
    message = f"This is SQL, but not of the kind that can be checked. {problem.sentence}"
    finding = _finding("SYN2", "parse", problem, message, Evidence(says, text, True, seconds))
    return _refused(text, (finding,), QueryError(message, hint=BEYOND, code="SYN2"))


def _may_be_asked(text: str) -> bool:
    opened = accumulate((char in "([{") - (char in ")]}") for char in text[: LONGEST_ASKED + 1])
    return len(text) <= LONGEST_ASKED and max(opened, default=0) <= DEEPEST_ASKED


def _malformed(query: Query, evidence: Evidence) -> Verdict:
    findings = tuple(
        _finding("SYN1", "parse", problem, problem.sentence, evidence) for problem in query.errors
    )
    hint = "Write one SELECT statement."
    return _refused(query.text, findings, QueryError(findings[0].message, hint=hint, code="SYN1"))


def _refused(text: str, findings: tuple[Finding, ...], error: QueryError) -> Verdict:
    return Verdict("refused", text, text, findings, error=error)


def _finding(code: str, check: str, problem: Problem, message: str, evidence: Evidence) -> Finding:
    return Finding(
        code=code,
        check=check,
        severity="fault",
        span=(problem.offset, problem.offset),
        message=message,
        evidence=(evidence,),
        action="refused",
    )
