"""What clauses, patterns and expressions can start with."""

from __future__ import annotations

from typing import Final

from groundwire.query.cypher.tokens import NAMES

__all__ = ["CLAUSE_STARTS", "COMMANDS", "EXPRESSION_STARTS", "PATTERN_STARTS"]

_COMMANDS = """
    ALTER DEALLOCATE DENY DROP DRYRUN ENABLE GRANT REALLOCATE RENAME REVOKE SHOW START STOP
    TERMINATE
"""
COMMANDS: Final = frozenset(_COMMANDS.split())
"""Words that only a schema or administration command starts with."""

_CLAUSES = """
    CALL CREATE DELETE DETACH FILTER FINISH FOREACH INSERT LET LIMIT LOAD MATCH MERGE NODETACH
    OFFSET OPTIONAL ORDER REMOVE RETURN SET SKIP UNWIND USE WITH
"""
CLAUSE_STARTS: Final = COMMANDS | frozenset(_CLAUSES.split())
"""Words that a clause can start with."""

PATTERN_STARTS: Final = frozenset(
    {"(", "SHORTESTPATH", "ALLSHORTESTPATHS", "ANY", "ALL", "SHORTEST"}
)
"""What a pattern without a variable can start with."""

EXPRESSION_STARTS: Final = NAMES | {"STRING", "INTEGER", "FLOAT", "$", "(", "[", "{", "+", "-"}
"""What an expression can start with."""
