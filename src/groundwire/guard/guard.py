"""The admission control: draft in, verdict out."""

from __future__ import annotations

import logging
import time
from dataclasses import replace

from groundwire.database.base import Database, Parameters, SqlDatabase
from groundwire.database.result import Result
from groundwire.errors import InternalError, OperatorError, QueryError
from groundwire.guard.findings import Verdict

__all__ = ["Guard"]

log = logging.getLogger(__name__)
log.addHandler(logging.NullHandler())
LOGGED = 2000
"""Characters of a draft that are logged."""


class Guard:
    """Checks drafts against one database; needs no model.

    Example:
        >>> Guard(database).check("SELECT count(*) FROM crimes").outcome
        'admitted'
    """

    def __init__(self, database: Database) -> None:
        self.database = database

    def check(
        self, text: str, question: str | None = None, parameters: Parameters = None
    ) -> Verdict:
        """Judge one draft without running it.

        The order: parse, read-only admission, schema checks with their repairs, the planner.
        When the database cannot be asked (it is gone, or too busy for the guard's own small
        questions) the outcome is `failed`.

        Args:
            text: the draft.
            question: what was asked, where it is known; some checks compare the two.
            parameters: values for the placeholders of the draft, where it has some.
        """
        started = time.perf_counter()
        from groundwire.database.graph import GraphDatabase
        from groundwire.guard.cypher import check_cypher
        from groundwire.guard.sql import check_sql

        try:
            if isinstance(self.database, SqlDatabase):
                verdict = check_sql(text, self.database, question, parameters)
            elif isinstance(self.database, GraphDatabase):
                verdict = check_cypher(text, self.database, question, parameters)
            else:
                raise InternalError(f"There is no guard for {self.database.language}.")
        except (OperatorError, QueryError) as error:
            verdict = Verdict("failed", text, text, error=error)
        if verdict.outcome == "refused":
            _log_refusal(verdict, self.database.url)
        return replace(verdict, seconds=time.perf_counter() - started)

    def examine(
        self,
        verdict: Verdict,
        result: Result,
        question: str | None = None,
        parameters: Parameters = None,
    ) -> Verdict:
        """The verdict with what the rows of its query show to be odd, before anyone sees them.

        Such findings change nothing; they are said beside the answer. Their places are those of
        the draft where it was run as it stands, else the whole of it.

        Raises:
            OperatorError: the database is gone.
        """
        is_off = "statistics" in self.database.settings.without
        if is_off or not isinstance(self.database, SqlDatabase):
            return verdict
        from groundwire.guard.results import examine

        found, probes = examine(verdict.query, result, self.database, question, parameters)
        if verdict.query != verdict.draft:
            found = tuple(replace(item, span=(0, len(verdict.draft))) for item in found)
        findings = (*verdict.findings, *found)
        return replace(verdict, findings=findings, probes=verdict.probes + probes)


def _log_refusal(verdict: Verdict, url: str) -> None:
    """What would do more than read is a warning; other faults of a draft are information."""
    finding = next((f for f in verdict.findings if f.action == "refused"), None)
    code, span = (finding.code, finding.span) if finding else ("", (0, len(verdict.draft)))
    level = logging.WARNING if code == "NOT_READ_ONLY" else logging.INFO
    message = finding.message if finding else str(verdict.error)
    fragment, draft = verdict.draft[slice(*span)][:LOGGED], verdict.draft[:LOGGED]
    log.log(level, "refused on %s: %s %s, at %r of %r", url, code, message, fragment, draft)
