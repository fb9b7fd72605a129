"""The admission control: draft in, verdict out."""

from __future__ import annotations

import time
from dataclasses import replace

from groundwire.database.base import Database, Parameters, SqlDatabase
from groundwire.errors import InternalError, OperatorError, QueryError
from groundwire.guard.findings import Verdict

__all__ = ["Guard"]


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
        return replace(verdict, seconds=time.perf_counter() - started)
